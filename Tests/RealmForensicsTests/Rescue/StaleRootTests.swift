import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Files with the roots of many commits: the choice among them, and the report on the rest.
@Suite struct StaleRootTests {
    private func numbers(_ database: RealmDatabase) throws -> [Int64] {
        var numbers: [Int64] = []
        var cursor = try database.snapshot().table(named: CommitChain.className).objects
        while let object = try cursor.next() {
            if case .int(let number) = try object["commit"] { numbers.append(number) }
        }
        return numbers
    }

    @Test func `the newest of many roots is used`() throws {
        var chain = CommitChain(commits: 100)
        HeaderInjury.zeroed.apply(to: &chain.bytes)
        let repaired = try RepairedFile(chain.bytes)
        expectEqual(repaired.plan.candidateTotal, 100)
        expectEqual(repaired.plan.chosen?.commit, 100)
        expectEqual(repaired.plan.chosen?.ref, Ref(chain.roots[99]))
        expect(repaired.plan.losses.isEmpty)
        expect(repaired.plan.isComplete && repaired.plan.isCertain)
        try expectEqual(numbers(repaired.database()), [Int64](repeating: 100, count: 100))
        // The previous commit is intact, and kept.
        expectEqual(repaired.plan.kept.map { repaired.plan.candidates[$0].commit }, 99)
        try expectEqual(repaired.database().header.slots.map(\.topRef), [99, 98].map { UInt64(chain.roots[$0]) })
        try expectEqual(repaired.database().snapshot(.otherSlot).commitNumber, 99)
        // No older commit was checked unnecessarily.
        expectEqual(repaired.plan.candidates.count { $0.state != .notChecked }, 2)
    }

    /// The header selects an older commit than the last that was written, which was therefore never committed.
    @Test func `the commit selected by the header is newer than one that was never committed`() throws {
        var chain = CommitChain(commits: 10)
        chain.select(8)
        let repaired = try RepairedFile(chain.bytes)
        expectEqual(repaired.plan.chosen?.commit, 9)
        expectEqual(repaired.plan.chosen?.origin, .selectedSlot)
        expect(repaired.plan.losses.isEmpty)
        try expectEqual(numbers(repaired.database()), [Int64](repeating: 9, count: 9))
        // Without it, the newest commit is the best guess.
        HeaderInjury.foreignBytes.apply(to: &chain.bytes)
        try expectEqual(RepairedFile(chain.bytes).plan.chosen?.commit, 10)
    }

    @Test func `damaged commits are skipped`() throws {
        var chain = CommitChain(commits: 30)
        for index in [27, 28, 29] { chain.damage(index) }
        for injury in [HeaderInjury.zeroed, .tlsAlert, nil] {
            var bytes = chain.bytes
            injury?.apply(to: &bytes)
            let repaired = try RepairedFile(bytes)
            let plan = repaired.plan
            expectEqual(plan.chosen?.commit, 27)
            expectEqual(plan.chosen?.state, .complete)
            try expectEqual(numbers(repaired.database()), [Int64](repeating: 27, count: 27))
            let newest = try #require(plan.losses.newest.map { plan.candidates[$0] })
            expectEqual(newest.commit, 30)
            expectEqual(newest.format, FormatVersion(24))
            guard case .damaged = newest.state else {
                Issue.record("\(newest.state)")
                continue
            }
            let table = try #require(plan.losses.tables.first)
            expectEqual(plan.losses.tables.count, 1)
            expectEqual(table.name, "class_Row")
            expect((table.newest, table.chosen) == (30, 27))
            // Two commits came in between; only the one before the newest would be certain.
            expect(!plan.isCertain)
        }
    }

    /// Both commits can be read: the additional content of one is counted object by object.
    @Test func `the additional content of one commit is counted`() throws {
        let chain = CommitChain(commits: 8)
        let plan = try FileRepair(ByteSource(bytes: chain.bytes)).plan(.otherSlot)
        expectEqual(plan.chosen?.commit, 7)
        expect(plan.isComplete)
        expectEqual(plan.losses.newest.map { plan.candidates[$0].commit }, 8)
        let expected = RepairLosses.Table(
            name: "class_Row", newest: 8, chosen: 7, lost: 1, older: 7, back: 0)
        expectEqual(plan.losses.tables, [expected])
        expect(plan.isCertain)
    }

    /// When no commit is complete, the newest is named, and not called complete.
    @Test func `the newest commit is reported if none is complete`() throws {
        var chain = CommitChain(commits: 5)
        for index in 0..<5 { chain.damage(index) }
        HeaderInjury.zeroed.apply(to: &chain.bytes)
        let plan = try FileRepair(ByteSource(bytes: chain.bytes)).plan(.findRoot)
        expectEqual(plan.chosen?.commit, 5)
        expect(!plan.isComplete)
        guard case .damaged(let errors)? = plan.chosen?.state else {
            Issue.record("\(plan.candidates)")
            return
        }
        expect(errors > 0)
    }

    /// The end of the file is missing, and with it the newest commits, with or without their roots.
    @Test func `the newest commits can be missing with the end of the file`() throws {
        let chain = CommitChain(commits: 20)
        for index in [19, 15, 10] {
            // In the middle of the nodes of a commit.
            let bytes = Array(chain.bytes[..<(chain.starts[index] + 32)])
            let repaired = try RepairedFile(bytes)
            expectEqual(repaired.plan.chosen?.commit, UInt64(index))
            expect(repaired.plan.isComplete)
            expectEqual(repaired.plan.losses.lostTopRef, UInt64(chain.roots[19]))
            expect(!repaired.plan.losses.isEmpty)
            // The other slot identifies the commit before the last one.
            expectEqual(repaired.plan.isCertain, (index == 19))
            try expectEqual(numbers(repaired.database()), [Int64](repeating: Int64(index), count: index))
        }
    }

    /// There are more roots than are kept: the newest are kept.
    @Test func `only the newest of too many roots are kept`() throws {
        let count = RootSearch.maximumKept * 2 + 100
        var bytes = [UInt8](repeating: 0, count: FileHeader.size)
        func word(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) } }
        // Names and tables, both empty, and roots with nothing else.
        bytes += word(0x0000_0000_4141_4141) + word(0x0000_0040_4141_4141)
        let size = 40 + count * 64
        for number in 1...count {
            bytes += word(0x0700_0047_4141_4141)
            for element in [24, 32, size << 1 | 1, 0, 0, 0, number << 1 | 1] { bytes += word(UInt64(element)) }
        }
        var search = RootSearch(in: ByteView.copy(of: bytes))
        search.scan()
        expectEqual(search.total, count)
        expectEqual(search.found.count, RootSearch.maximumKept)
        expectEqual(search.found.map(\.shape.commit), (0..<RootSearch.maximumKept).map { UInt64(count - $0) })
    }
}
