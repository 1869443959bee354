import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing
import WriterTestSupport

/// The candidates of the root search, and hostile bytes.
@Suite struct RootSearchTests {
    /// The footer of the streaming form is missing, or bytes were added after it.
    @Test(arguments: ["links-stream", "format-23-scalars-stream", "Legacy/format-6-scalars-stream"])
    func `a root is found if the footer is missing or followed by other bytes`(_ name: String) throws {
        let bytes = try KnownFile.fixture(name).bytes()
        let original = try RealmDatabase(bytes: bytes).snapshot()
        for broken in [
            Array(bytes.dropLast(16)), Array(bytes.dropLast(8)), bytes + [0, 0, 0, 0, 0, 0, 0, 0], bytes + [1, 2, 3],
        ] {
            let repaired = try RepairedFile(broken)
            try repaired.expectContent(of: original, "\(name), \(broken.count - bytes.count)")
            // The file has only one commit.
            expect(repaired.plan.losses.isEmpty)
        }
        // The unchanged footer refers to the root; the header is now that of the other form.
        let repaired = try RepairedFile(bytes)
        try repaired.expectContent(of: original, name)
        expectEqual(repaired.plan.chosen?.origin, .selectedSlot)
        expect(repaired.plan.losses.isEmpty)
        // Without the header, the footer still does.
        var headless = bytes
        HeaderInjury.zeroed.apply(to: &headless)
        try expectEqual(FileRepair(ByteSource(bytes: headless)).plan(.findRoot).chosen?.origin, .footer)
    }

    /// The end of a file is missing. If it was empty, nothing is lost; from the last node on, the commit is.
    @Test(arguments: ["kennel", "deleted-columns", "enumerated", "Legacy/format-9-people", "Legacy/format-6-links"])
    func `nothing is lost with an unused end of a file`(_ name: String) throws {
        let bytes = try KnownFile.fixture(name).bytes()
        let database = try RealmDatabase(bytes: bytes)
        let original = try database.snapshot()
        let root = try #require(original.topRef)
        var walk = NodeWalk(root: root, in: original.space)
        var end = 0
        while case .node(let node)? = walk.next() { end = max(end, node.ref.offset + 8 + (node.size + 7) & ~7) }
        expect(end < original.logicalSize)
        for count in [end, end + 8, (end + original.logicalSize) / 16 * 8] where count < original.logicalSize {
            for isHeadless in [false, true] {
                var broken = Array(bytes[..<count])
                if isHeadless { HeaderInjury.zeroed.apply(to: &broken) }
                let repaired = try RepairedFile(broken)
                try repaired.expectContent(of: original, "\(name), \(count) bytes")
                expectEqual(repaired.plan.padding, original.logicalSize - count)
                expect(repaired.plan.losses.isEmpty)
            }
        }
        // With eight bytes less, the last node is incomplete.
        let plan = try FileRepair(ByteSource(bytes: Array(bytes[..<(end - 8)]))).plan(.findRoot)
        expect(plan.chosen?.ref != root || !plan.isComplete)
        expect(!plan.losses.isEmpty || !plan.isComplete)
    }

    /// The format found for a file without a header: the correct one wherever nodes determine it, and always one with
    /// the same content.
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures)
    func `a file without a header gets a format with the same content`(_ file: KnownFile) throws {
        var bytes = try file.bytes()
        let original = try RealmDatabase(bytes: bytes)
        guard try original.snapshot().topRef != nil, let format = file.format else { return }
        HeaderInjury.zeroed.apply(to: &bytes)
        let chosen = try #require(try FileRepair(ByteSource(bytes: bytes)).plan(.findRoot).chosen)
        let found = try #require(chosen.format)
        expect(found == FormatVersion(UInt8(format)) || chosen.isFormatGuessed, "\(file): \(found)")
        expect(found.isLegacy == FormatVersion(UInt8(format)).isLegacy || chosen.tables.isEmpty, "\(file): \(found)")
        // The user can override it.
        let repaired = try RepairedFile(bytes, format: FormatVersion(UInt8(format)))
        try expectEqual(repaired.database().header.slots[0].format, FormatVersion(UInt8(format)))
        expectEqual(repaired.plan.chosen?.isFormatGuessed, false)
    }

    @Test func `no root is found in other files`() throws {
        for bytes in [
            [], [1, 2, 3], [UInt8](repeating: 0, count: 4096),
            Array("SQLite format 3\0".utf8) + [UInt8](repeating: 7, count: 100),
        ] {
            #expect(throws: FormatError.self) { try FileRepair(ByteSource(bytes: bytes)).plan(.findRoot) }
        }
        // An empty database has no candidates.
        let plan = try FileRepair(ByteSource(bytes: try KnownFile.fixture("empty-new").bytes())).plan(.findRoot)
        expect(plan.candidates.isEmpty)
        expect(plan.chosen == nil)
        expect(plan.losses.isEmpty)
    }

    /// Arbitrary roots cause no trap, and none counts as complete.
    @Test func `an arbitrary root is not called complete`() throws {
        var generator = Numbers(state: 11)
        let good = try KnownFile.fixture("kennel").bytes()
        for _ in 0..<40 {
            var bytes = good
            HeaderInjury.zeroed.apply(to: &bytes)
            for _ in 0..<60 {
                let offset = Int.random(in: 3..<(bytes.count / 8 - 9), using: &generator) * 8
                let count = [3, 5, 7, 9, 10, 11, 12].randomElement(using: &generator) ?? 3
                bytes[offset + 4] = UInt8.random(in: 0x44...0x47, using: &generator)
                bytes.replaceSubrange((offset + 5)..<(offset + 8), with: [0, 0, UInt8(count)])
                for index in 8..<64 where Bool.random(using: &generator) {
                    bytes[offset + index] = UInt8.random(in: 0...255, using: &generator)
                }
            }
            guard let plan = try? FileRepair(ByteSource(bytes: bytes)).plan(.findRoot), plan.isComplete else {
                continue
            }
            // A root that survived by chance is one of the two original ones.
            let refs = try RealmDatabase(bytes: good).header.slots.map(\.topRef)
            expect(refs.contains(UInt64(plan.chosen?.ref.offset ?? 0)))
        }
    }

    @Test func `no prefix of a file gives a commit that it does not contain`() throws {
        let bytes = CommitChain(commits: 3).bytes
        for count in 0..<bytes.count {
            guard let plan = try? FileRepair(ByteSource(bytes: Array(bytes[..<count]))).plan(.findRoot) else {
                continue
            }
            guard let chosen = plan.chosen, plan.isComplete else { continue }
            expect(chosen.logicalSize <= count)
            expect(chosen.commit < 3)
        }
    }
}
