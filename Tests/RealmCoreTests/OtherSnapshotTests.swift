import Expectations
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// The previous commit, read through the other header slot.
@Suite struct OtherSnapshotTests {
    private func database(_ name: String) throws -> RealmDatabase {
        try RealmDatabase(path: KnownFile.fixture(name).url.path)
    }

    /// The last commit of the writing program gave the persons their addresses.
    @Test func `the previous commit can be read`() throws {
        let database = try database("deleted-columns")
        let (last, before) = (try database.snapshot(.current), try database.snapshot(.otherSlot))
        expect((last.commitNumber, before.commitNumber) == (5, 4))
        expect((last.slot, before.slot) == (0, 1))
        expect(before.topRef != last.topRef)
        expectEqual(last.schema, before.schema)
        let key = ObjectKey(0)
        try expectEqual(last.table(named: "Person").object(key)?["email"], .string("p0@example.org"))
        try expectEqual(before.table(named: "Person").object(key)?["email"], .null)
        try expectEqual(before.table(named: "Person").object(key)?["name"], .string("Minjun"))
    }

    /// The classes were created in a separate commit.
    @Test func `classes created in a separate commit have no objects`() throws {
        let before = try database("kennel").snapshot(.otherSlot)
        expectEqual(before.commitNumber, 2)
        expectEqual(before.classes.map(\.name), ["Address", "Dog", "DogClub", "Person"])
        for table in before.classes { try expectEqual(table.count, 0) }
    }

    @Test(arguments: ["links-stream", "empty-new", "format-10-scalars"])
    func `a missing other commit is an error`(_ name: String) throws {
        let database = try database(name)
        let error = try #require(throws: FormatError.self) { try database.snapshot(.otherSlot) }
        expectEqual(error.code, .noOtherSlot)
        expectEqual(error.offset, (1 - database.header.selectedSlot) * 8)
    }

    /// A file that was once in streaming form: slot 0 still indicates this, but there is no footer any more.
    @Test func `a file that was once in streaming form has no other commit`() throws {
        let file = try KnownFile.fixture("kennel")
        var bytes = try file.bytes()
        let top = Array(bytes[..<8])
        bytes.replaceSubrange(8..<16, with: top)
        bytes.replaceSubrange(..<8, with: [UInt8](repeating: 0xFF, count: 8))
        bytes[23] = 1
        let database = try RealmDatabase(bytes: bytes)
        expect(!database.isStreaming)
        try expectEqual(database.snapshot().classes.count, 4)
        let error = try #require(throws: FormatError.self) { try database.snapshot(.otherSlot) }
        expectEqual(error.code, .noOtherSlot)
    }
}
