import Expectations
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// A file with unreadable tables is not opened as one without these tables.
@Suite struct DamagedSnapshotTests {
    /// The node after the header of this file has the names of its tables. Without them there are no tables.
    @Test func `a file without table names is not opened`() throws {
        var bytes = try KnownFile.fixture("kennel").bytes()
        bytes.replaceSubrange(24..<32, with: [UInt8](repeating: 0xFF, count: 8))
        let database = try RealmDatabase(bytes: bytes)
        let error = try #require(throws: FormatError.self) { try database.snapshot() }
        expect(error.code == .badNode && error.offset == 24, "\(error)")
        let tolerant = try database.snapshot(toleratingDamage: true)
        expect(tolerant.classes.isEmpty && tolerant.damage == [error])
    }

    /// One of two tables is damaged: the intact one is available on request.
    @Test func `the undamaged table is available`() throws {
        var file = LegacyFile()
        file.addTable("class_Hostile", top: [0])
        file.addTable("class_Good", [.init("value", 0, root: file.writer.integers([5]))])
        let database = try RealmDatabase(bytes: file.bytes())
        let error = try #require(throws: FormatError.self) { try database.snapshot() }
        expectEqual(error.table, "class_Hostile")
        try expectEqual(database.snapshot(toleratingDamage: true).classes.map(\.name), ["Good"])
    }
}
