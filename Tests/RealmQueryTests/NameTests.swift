import Expectations
import RealmCore
import RealmLayout
import RealmQuery
import RealmStore
import TestSupport
import Testing

/// Property names that are equal in Swift: a query refers to the one with the same bytes.
@Suite struct NameTests {
    /// An é of one scalar, and one of an e and an accent.
    private static let (one, two) = ("caf\u{e9}", "cafe\u{301}")

    @Test func `a name refers to the property with the same bytes`() throws {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Item",
                [
                    PropertyDefinition(Self.one, .int), PropertyDefinition(Self.two, .int),
                    PropertyDefinition("content", .mixed), PropertyDefinition("na\u{ef}ve", .int),
                ])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("names.realm")))
        // A Swift dictionary has space for only one of the two, which is used for both.
        for number in 0..<4 {
            let first = NewValue.link(ObjectReference("Item", ObjectKey(1)))
            try builder.add("Item", [Self.two: .int(Int64(number)), "content": first, "na\u{ef}ve": 0])
        }
        try builder.finish()
        let store = try RealmStore(path: folder.file("names.realm"))
        try store.write { transaction in
            for number in 0..<4 { try transaction.set(ObjectReference("Item", ObjectKey(Int64(number))), Self.one, 0) }
        }
        let table = try store.snapshot().table(named: "Item")
        func count(_ text: String) throws -> Int { try table.count(matching: ObjectQuery(text)) }
        try expect(count("\(Self.one) == 0") == 4 && count("\(Self.two) == 0") == 1)
        try expect(count("\(Self.two) > 0") == 3 && count("\(Self.one) > 0") == 0)
        try expect(count("content.\(Self.two) == 1") == 4 && count("content.\(Self.one) == 0") == 4)
        // A name in a third form refers to the property that is equal as text.
        try expectEqual(count("nai\u{308}ve == 0"), 4)
        var keys: [ObjectKey] = []
        var cursor = try table.cursor(matching: ObjectQuery("TRUEPREDICATE SORT(\(Self.two) DESC)"))
        while let object = try cursor.next() { keys.append(object.key) }
        expectEqual(keys.map(\.value), [3, 2, 1, 0])
    }
}
