import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Indexes of Mixed values, in which values of different types share a list, as in Realm Core 14.14 (Spec 80).
@Suite struct MixedIndexTests {
    /// Returns the keys in the index's first entry, which has all objects if their values have the same bytes.
    ///
    /// - Parameter values: nil for a link to a missing object.
    private func list(_ values: [NewValue?]) throws -> [Int] {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(class: "Any", [PropertyDefinition("any", .mixed, index: .general)]),
            TableDefinition(class: "Dog", primaryKey: "_id", [PropertyDefinition("_id", .int)]),
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("any.realm")))
        let gone = try builder.addTombstone("Dog", primaryKey: 7)
        for value in values { try builder.add("Any", ["any": value ?? .link(gone)]) }
        try builder.finish()
        let file = try Patient(bytes: try #require(folder.bytes("any.realm")))
        let findings = Verification(level: .deep).run(on: ByteSource(bytes: file.bytes)).findings
        expect(findings.allSatisfy { $0.check == .tombstones }, "\(findings)")
        var node = try file.ref(file.table("class_Any") + [TableTopSlot.searchIndexes.rawValue, 0])
        while file.bytes[node + 4] & 0x20 != 0 {
            let element = file.element(node, 1)
            guard element & 1 == 0 else { return [element >> 1] }
            node = element
        }
        return file.elements(node)
    }

    /// Integers whose eight bytes equal those of a fractional double, which is compared with them as a number.
    @Test(arguments: [Double.leastNonzeroMagnitude, 1.5, -1.5, 1e300, -1e300, 0x1p40, -0x1p40, Double.infinity])
    func `a double comes before or after the integer with the same bytes`(_ number: Double) throws {
        let whole = Int64(bitPattern: number.bitPattern)
        let isLess = number < Double(whole)
        try expectEqual(list([.int(whole), .double(number)]), (isLess ? [1, 0] : [0, 1]))
        try expectEqual(list([.double(number), .int(whole), .double(number)]), (isLess ? [0, 2, 1] : [1, 0, 2]))
    }

    @Test func `a NaN comes before the integer with the same bytes`() throws {
        let whole = Int64(bitPattern: Double.nan.bitPattern)
        try expectEqual(list([.int(whole), .double(.nan)]), [1, 0])
    }

    @Test func `a link to a missing object is null`() throws {
        try expectEqual(list([nil, .null, nil]), [0, 1, 2])
    }
}
