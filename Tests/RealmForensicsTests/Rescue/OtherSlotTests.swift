import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// The previous commit as a separate file.
@Suite struct OtherSlotTests {
    static let files = (KnownFile.fixtures + KnownFile.legacyFixtures + KnownFile.corpus).filter { file in
        guard file.isPlain, let database = try? RealmDatabase(path: file.url.path) else { return false }
        return (try? database.snapshot(.otherSlot)) != nil && (try? database.snapshot().topRef) != nil
    }.enumerated().filter { $0.offset % 3 == 0 || !$0.element.name.contains("old/") }.map(\.element)

    /// The content equals that of the other slot; the header has nothing else.
    @Test(arguments: files)
    func `the other slot gives the content of the previous commit`(_ file: KnownFile) throws {
        let bytes = try file.bytes()
        let original = try RealmDatabase(bytes: bytes)
        let repaired = try RepairedFile(bytes, .otherSlot)
        let before = try original.snapshot(.otherSlot)
        guard (try? TypedDump(before)) != nil else {
            // An interrupted upgrade had begun to change the commit that it found.
            expect(file.name.contains("upgrade_progress") && !repaired.plan.isComplete, "\(file)")
            return
        }
        try repaired.expectContent(of: before, file.name)
        let header = try repaired.database().header
        let other = original.header.slots[1 - original.header.selectedSlot]
        expectEqual(header.slots[0], other)
        expect(header.slots[1].topRef == 0 && header.slots[1].format == FormatVersion(0))
        let newest = try #require(repaired.plan.losses.newest.map { repaired.plan.candidates[$0] })
        try expectEqual(newest.commit, original.snapshot().commitNumber)
        // The numbers of objects by class equal those from reading both commits.
        for table in repaired.plan.losses.tables {
            let counts = try [SnapshotSelection.current, .otherSlot].map { selection in
                try original.snapshot(selection).tables.first { $0.schema.tableName == table.name }?.count ?? 0
            }
            expectEqual([table.newest, table.chosen], counts, "\(file): \(table.name)")
        }
    }

    @Test func `enough files with two commits exist`() {
        expect(Self.files.count >= 15)
        if KnownFile.hasCorpus { expect(Self.files.count >= 35) }
    }

    /// The last commit of this file is known: it gave the persons their addresses.
    @Test func `the previous commit does not have the last changes`() throws {
        let bytes = try KnownFile.fixture("deleted-columns").bytes()
        let repaired = try RepairedFile(bytes, .otherSlot)
        expectEqual(repaired.plan.chosen?.commit, 4)
        let persons = try repaired.database().snapshot().table(named: "Person")
        try expectEqual(persons.object(ObjectKey(0))?["email"], .null)
        let lost = try #require(repaired.plan.losses.tables.first { $0.name == "class_Person" })
        expectEqual(lost.newest, lost.chosen)
        expectEqual(lost.lost, 0)
        expectEqual(lost.older, lost.newest)
    }

    @Test(arguments: ["links-stream", "empty-new", "format-10-scalars"])
    func `a file with one commit has no other commit`(_ name: String) throws {
        let bytes = try KnownFile.fixture(name).bytes()
        let error = try #require(throws: FormatError.self) { try RepairedFile(bytes, .otherSlot) }
        expectEqual(error.code, .noOtherSlot)
    }

    @Test func `a damaged previous commit is not called complete`() throws {
        var chain = CommitChain(commits: 6)
        chain.damage(4)
        let plan = try FileRepair(ByteSource(bytes: chain.bytes)).plan(.otherSlot)
        expectEqual(plan.chosen?.commit, 5)
        expect(!plan.isComplete)
    }

    @Test func `a file without a header has no other slot`() throws {
        var bytes = try KnownFile.fixture("kennel").bytes()
        HeaderInjury.zeroed.apply(to: &bytes)
        let error = try #require(throws: FormatError.self) { try RepairedFile(bytes, .otherSlot) }
        expectEqual(error.code, .zeroedHeader)
    }
}
