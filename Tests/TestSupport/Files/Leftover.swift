/// Leftovers of Realm Core in intact files: a fixture with the bytes that a removal would have left in it.
package enum Leftover: String, CaseIterable, Sendable, CustomStringConvertible {
    /// Null bits of ObjectIds that were removed from the end of a leaf (R30.14).
    case nullBitsOfObjectIds
    /// Null bits of UUIDs, in a non-nullable and in a nullable column.
    case nullBitsOfUUIDs
    /// Backlinks of a Mixed column, left when its table was removed (R60.14).
    case backlinksOfRemovedTable
    /// Backlinks of a Mixed column, left when it alone was removed and another column of its name was added.
    case backlinksOfRemovedColumn

    package var description: String { rawValue }

    /// The fixture with the same content.
    package var fixture: String {
        switch self {
        case .nullBitsOfObjectIds: "kennel"
        case .nullBitsOfUUIDs: "primary-keys-stream"
        case .backlinksOfRemovedTable, .backlinksOfRemovedColumn: "mixed-nested"
        }
    }

    /// Returns Realm Core's dump of the content.
    package func dump() throws -> TypedDump {
        guard let file = try KnownFile.fixture(fixture).dump else { throw TestSupportError("\(fixture) has no dump") }
        var dump = try TypedDump(contentsOf: file)
        for (index, table) in dump.tables.enumerated() {
            // Links from removed columns are no longer listed.
            if self == .backlinksOfRemovedTable || self == .backlinksOfRemovedColumn {
                dump.tables[index].incoming = []
            }
            guard self == .backlinksOfRemovedColumn, table.name == "class_MixedNested" else { continue }
            // The new column is still empty.
            for object in table.objects.indices { dump.tables[index].objects[object].values[1] = .null }
        }
        dump.tables.removeAll { self == .backlinksOfRemovedTable && $0.name == "class_MixedNested" }
        return dump
    }

    /// Returns the bytes of the file.
    package func bytes() throws -> [UInt8] {
        var patient = try Patient(fixture)
        switch self {
        case .nullBitsOfObjectIds:
            // Ten values: the second block follows the first eight and their null bits.
            let leaf = try patient.ref(patient.leaf("class_Dog", column: 0))
            try setUnusedBits(&patient, at: leaf + 8 + 97, used: 2)
        case .nullBitsOfUUIDs:
            for (table, count) in [("class_PkUUID", 6), ("class_PkUUIDN", 7)] {
                let leaf = try patient.ref(patient.leaf(table, column: 0))
                try setUnusedBits(&patient, at: leaf + 8, used: count)
            }
        case .backlinksOfRemovedTable:
            let slot = try patient.table("class_MixedNested")[1]
            let names = try patient.ref([0])
            let width = patient.width(names)
            // The slot contains the tag of the next table there, and the name is empty (R70.6, R70.7).
            try patient.set(patient.ref([1]), slot, 1 << 1 | 1)
            let name = names + 8 + slot * width
            for index in 0..<(width - 1) { patient.bytes[name + index] = 0 }
            patient.bytes[name + width - 1] = UInt8(width - 1)
        case .backlinksOfRemovedColumn:
            let nulls = try patient.append(flags: 0, widthType: .bits, width: 0, count: 11, payload: [])
            try patient.replace(patient.leaf("class_MixedNested", column: 1), [nulls, 0, 0, 0, 0, 0])
            // No column of the table has the tag in this column key.
            let opposites = try patient.ref(patient.table("class_NestTarget") + [8])
            try patient.set(opposites, 1, patient.element(opposites, 1) + 77 << 30)
        }
        return patient.bytes
    }

    private func setUnusedBits(_ patient: inout Patient, at offset: Int, used: Int) throws {
        guard patient.bytes[offset] >> UInt8(used) == 0 else {
            throw TestSupportError("\(offset) is no byte of null bits")
        }
        patient.bytes[offset] |= 0xFF << UInt8(used)
    }
}
