internal import RealmLayout

/// States of files that were changed by several releases of Realm Core and are accepted by every later one (Spec 150):
/// fixtures with a part in the state of an older release. Their content is that of the fixture.
package enum OldState: String, CaseIterable, Sendable, CustomStringConvertible {
    /// Nodes that begin with their capacity in bytes.
    case capacities
    /// The same in nodes of format 9.
    case capacitiesInFormat9
    /// Nodes with the number that Core 0.96 to 2.1 used for `AAAA`.
    case decimalMarkers
    /// Tables of Core 6, and one whose kind was changed later, in format 24.
    case shortTableTops
    /// Tables created in format 11 by pre-releases of Core 10.
    case longTableTops
    /// Zeros for the opposites of columns without links.
    case oppositeZeros
    /// The mark of a search index that was removed when the column was a primary key.
    case markWithoutIndex
    /// Columns of a type from a later format, in format 20.
    case laterTypes
    /// A history of an early sync client, with 18 elements.
    case earlySyncHistory
    /// A history with an unknown root.
    case unknownSyncHistory

    package var description: String { rawValue }

    /// The fixture with the same content.
    package var fixture: String {
        switch self {
        case .capacitiesInFormat9: "Legacy/format-9-people"
        case .longTableTops: "format-11-people"
        case .markWithoutIndex: "enumerated"
        case .laterTypes: "format-21-tombstones"
        default: "kennel"
        }
    }

    /// The rule for which the state causes a remark; nil for none.
    package var remark: String? {
        switch self {
        case .capacities, .capacitiesInFormat9, .decimalMarkers: "N01"
        case .markWithoutIndex: "S10"
        case .laterTypes: "S04"
        case .earlySyncHistory, .unknownSyncHistory: "Y04"
        case .shortTableTops, .longTableTops, .oppositeZeros: nil
        }
    }

    /// Returns the file.
    package func patient() throws -> Patient {
        var patient = try Patient(fixture)
        switch self {
        case .capacities, .capacitiesInFormat9:
            for ref in patient.nodes() {
                patient.bytes.replaceSubrange(ref..<(ref + 4), with: [0x00, 0x40, 0x00, 0x00])
            }
        case .decimalMarkers:
            for ref in patient.nodes() {
                patient.bytes.replaceSubrange(ref..<(ref + 4), with: [0xFD, 0xED, 0x77, 0x02])
            }
        case .shortTableTops:
            for table in ["class_Dog", "class_Person", "metadata"] { try patient.shortenTop(table, to: 12) }
            // This table is embedded.
            try patient.shortenTop("class_Address", to: 13)
        case .longTableTops:
            for table in ["class_Dog", "class_Person"] {
                let path = try patient.table(table)
                try patient.replace(path, patient.elements(patient.ref(path)) + [0, 0])
            }
        case .oppositeZeros:
            let person = try patient.table("class_Person")
            for slot in [TableTopSlot.oppositeTables, .oppositeColumns] {
                let list = try patient.ref(person + [slot.rawValue])
                // Its first column is the primary key, its third a string.
                for column in [0, 2] { try patient.set(list, column, 0) }
            }
        case .markWithoutIndex:
            let path = try patient.table("class_Enumerated") + [TableTopSlot.searchIndexes.rawValue]
            let indexes = try patient.ref(path)
            guard let column = patient.elements(indexes).lastIndex(where: { $0 != 0 }) else {
                throw TestSupportError("no search index")
            }
            try patient.set(indexes, column, 0)
        case .laterTypes:
            return try Patient(bytes: Self.fileOfLaterTypes())
        case .earlySyncHistory: try patient.addSyncHistory(elements: 18, layout: 0)
        case .unknownSyncHistory: try patient.addSyncHistory(elements: 19, layout: 0)
        }
        return patient
    }

    /// Returns a file of format 20 with a Mixed, a UUID and a set.
    private static func fileOfLaterTypes() -> [UInt8] {
        var file = HandmadeFile(format: 20)
        let leaves = [
            file.mixed([HandmadeFile.composite(.int, slot: 0, 7)]),
            file.writer.node(
                widthType: .multiply, width: 1, count: 17, payload: [0] + [UInt8](repeating: 9, count: 16)),
            file.writer.refs([file.writer.integers([3, 8])]),
        ]
        let columns: [HandmadeFile.Column] = [
            .init("mixed", .mixed, .nullable), .init("uuid", .uuid, index: 1), .init("set", .int, .set, index: 2),
        ]
        let objects = file.cluster(1, leaves)
        file.addTable("class_Later", columns, objects: objects)
        return file.bytes()
    }
}

extension Patient {
    /// Returns the nodes of both commits, without binaries of several parts.
    package func nodes() -> [Int] {
        var found: Set<Int> = []
        var rest = [top, otherTop].filter { $0 != 0 }
        while let ref = rest.popLast() {
            guard found.insert(ref).inserted, bytes[ref + 4] & 0x40 != 0 else { continue }
            rest += elements(ref).filter { $0 != 0 && $0 & 1 == 0 }
        }
        return found.sorted()
    }

    /// Removes the last slots of a table's top, which must be empty.
    package mutating func shortenTop(_ table: String, to count: Int) throws {
        let path = try self.table(table)
        let slots = elements(try ref(path))
        guard slots[count...].allSatisfy({ $0 == 0 || $0 == 1 }) else {
            throw TestSupportError("\(table) has more than \(count) slots")
        }
        try replace(path, Array(slots[..<count]))
    }

    /// Adds the history of an early sync client: two lists of change sets, and three of numbers.
    package mutating func addSyncHistory(elements count: Int, layout: Int) throws {
        var root = [Int](repeating: 0, count: count)
        for slot in 0..<5 { root[slot] = try slot < 2 ? append([0, 0], flags: 0x60) : append([1, 2]) }
        let history = try append(root, flags: 0x40)
        var slots = elements(top)
        slots[GroupTopSlot.historyType.rawValue] = HistoryType.syncClient.rawValue << 1 | 1
        slots[GroupTopSlot.history.rawValue] = history
        slots[GroupTopSlot.historySchemaVersion.rawValue] = layout << 1 | 1
        try replace([], slots)
    }
}
