import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Indexes of lists of strings (Spec 80), as left by Realm Core.
@Suite struct ListIndexTests {
    /// Returns the findings for three objects whose lists have a string, in a file with an index of the lists.
    ///
    /// - Parameter keys: the keys in the index in place of the objects 0, 1 and 2.
    private func findings(_ keys: [Int]) throws -> [Finding] {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(class: "Word", [PropertyDefinition("all", .string, collection: .list, index: .general)])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("words.realm")))
        for _ in 0..<3 { _ = try builder.add("Word", ["all": .list([.string("a"), .string("a")])]) }
        try builder.finish()
        var file = try Patient(bytes: try #require(folder.bytes("words.realm")))
        var node = try file.ref(file.table("class_Word") + [TableTopSlot.searchIndexes.rawValue, 0])
        while file.bytes[node + 4] & 0x20 != 0 { node = file.element(node, 1) }
        expectEqual(file.elements(node), [0, 1, 2])
        for (index, key) in keys.enumerated() { try file.set(node, index, key) }
        return Verification(level: .deep).run(on: ByteSource(bytes: file.bytes)).findings
    }

    @Test func `each object is listed once`() throws { try expect(findings([0, 1, 2]).isEmpty) }

    /// The object that is missing in its place is reported as well.
    @Test func `an object that is listed twice is a remark, not an error`() throws {
        let found = try findings([0, 2, 2])
        let checks: [CheckIdentifier] = found.map(\.check).sorted { $0.rawValue < $1.rawValue }
        expectEqual(checks, [.indexContent, .indexListOrder])
        expectEqual(found.first { $0.check == .indexListOrder }?.severity, .info)
        expectEqual(found.first { $0.check == .indexContent }?.message.contains("missing"), true)
    }

    @Test func `objects in descending order are an error`() throws {
        try expectEqual(findings([0, 2, 1]).map(\.check), [.indexShape])
    }
}
