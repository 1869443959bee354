import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// The current commit of a file in a new one of the same format.
@Suite struct CompactionTests {
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures)
    func `a compacted fixture has the same content`(_ file: KnownFile) throws { try compare(file) }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: KnownFile.corpusSample.filter(\.isPlain))
    func `a compacted corpus file has the same content`(_ file: KnownFile) throws { try compare(file) }

    private func compare(_ file: KnownFile) throws {
        let database = try RealmDatabase(path: file.url.path)
        let source = try database.snapshot()
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/new.realm"
        try Compaction(source).write(to: NewFile(path))
        let compacted = try RealmDatabase(path: path)
        let copy = try compacted.snapshot()
        expectEqual(copy.version, source.version)
        let differences = try TypedDump(source).differences(to: TypedDump(copy))
        expect(differences.isEmpty, "\(differences.prefix(5).joined(separator: "\n"))")
        // There is no free space, no history, and no previous commit. A file is padded to whole pages.
        try expectEqual((copy.freeBytes() ?? 0), 0)
        expectEqual(copy.history.entryCount, nil)
        expectEqual(compacted.header.slots[1 - compacted.header.selectedSlot].topRef, 0)
        expect(copy.logicalSize <= source.logicalSize + 256)
        let report = Verification(level: .deep).run(on: try ByteSource(path: path))
        let errors = report.findings.filter { $0.severity >= .error }
        expect(errors.isEmpty, "\(errors.prefix(5).map { "\($0.check.rawValue) \($0.place): \($0.message)" })")
        expectEqual(report.totalsByCheck[.leak], nil)
    }

    /// Leftovers of Realm Core in intact files are not damage in the copy either (R30.14, R60.14).
    @Test(arguments: Leftover.allCases) func `leftovers of Realm Core are not damage in the copy`(
        _ leftover: Leftover
    ) throws {
        let source = try RealmDatabase(bytes: leftover.bytes()).snapshot()
        let folder = try TemporaryFolder()
        try Compaction(source).write(to: NewFile(folder.file("new.realm")))
        let copy = try RealmDatabase(path: folder.file("new.realm")).snapshot()
        try expectEqual(TypedDump(source).differences(to: TypedDump(copy)), [])
        let report = Verification(level: .deep).run(on: try ByteSource(path: folder.file("new.realm")))
        expectEqual(report.findings.filter { $0.severity >= .warning }, [])
    }

    /// A file whose nodes form a cycle is refused, and no file is left.
    @Test func `a file whose nodes form a cycle is refused and no file is left`() throws {
        var bytes = try KnownFile.fixture("kennel").bytes()
        let source = try RealmDatabase(bytes: bytes).snapshot()
        let tables = try #require(source.group?.roots().tables)
        // The first table's entry in the list of tables refers back to the list.
        let node = try source.space.node(at: tables)
        try #require(node.header.width == 16)
        bytes[tables.offset + 8] = UInt8(truncatingIfNeeded: tables.offset)
        bytes[tables.offset + 9] = UInt8(truncatingIfNeeded: tables.offset >> 8)
        let damaged = try RealmDatabase(bytes: bytes).snapshot(toleratingDamage: true)
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/new.realm"
        #expect(throws: WriteError.self) {
            try Compaction(damaged).write(to: NewFile(path))
        }
        expect(!OutputFile.exists(path))
    }
}
