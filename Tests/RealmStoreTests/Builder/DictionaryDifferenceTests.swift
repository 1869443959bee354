import Expectations
import RealmCore
import RealmForensics
import RealmStore
import TestSupport
import Testing

/// Dictionaries with different entries whose keys are equal in Swift.
@Suite struct DictionaryDifferenceTests {
    /// An é of one scalar, and one of an e and an accent.
    private static let (one, two) = ("\u{e9}", "e\u{301}")

    private func snapshot(_ folder: TemporaryFolder, _ name: String, _ first: NewValue, _ second: NewValue) throws
        -> Snapshot
    {
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Item",
                [
                    PropertyDefinition("prices", .int, collection: .dictionary(.string)),
                    PropertyDefinition("any", .mixed),
                ])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file(name)))
        let entries = NewValue.dictionary([NewEntry(.string(Self.one), first), NewEntry(.string(Self.two), second)])
        try builder.add("Item", ["prices": entries, "any": .list([7, entries])])
        try builder.finish()
        return try RealmDatabase(path: folder.file(name)).snapshot()
    }

    @Test func `the different entry is reported`() throws {
        let folder = try TemporaryFolder()
        let before = try snapshot(folder, "before", 1, 2)
        try expect(before.contentDifference(to: snapshot(folder, "same", 1, 2)).isEmpty)
        let others = [
            (Self.one, "1", try snapshot(folder, "first", 3, 2)), (Self.two, "2", try snapshot(folder, "second", 1, 3)),
        ]
        for (key, value, after) in others {
            let changes = try #require(try before.contentDifference(to: after).tables.first?.objects.first?.changes)
            let paths = ["any[1][\"\(key)\"]", "prices[\"\(key)\"]"]
            expectEqual(changes.map { Array($0.path.utf8) }, paths.map { Array($0.utf8) })
            expect(changes.map(\.first) == [value, value] && changes.map(\.second) == ["3", "3"])
        }
    }
}
