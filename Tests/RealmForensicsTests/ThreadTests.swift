import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import Synchronization
import TestSupport
import Testing

/// Reports are the same on one thread and on several, also for damaged files.
struct ThreadTests {
    @Test(arguments: [1, 2, 5])
    func `pieces are taken in order`(_ threads: Int) {
        let count = 2000
        var (made, taken) = (0, [Int]())
        var largestDistance = 0
        Workers(threads).perform {
            guard made < count else { return nil }
            made += 1
            largestDistance = max(largestDistance, made - taken.count)
            return made - 1
        } work: { (piece: Int) in
            // Some pieces take far longer than others.
            (0..<(piece % 100 == 0 ? 100_000 : 10)).reduce(piece) { $0 ^ $1 &* 7 }
        } take: { piece, result in
            expectEqual(result, (0..<(piece % 100 == 0 ? 100_000 : 10)).reduce(piece) { $0 ^ $1 &* 7 })
            taken.append(piece)
        }
        expectEqual(taken, Array(0..<count))
        // However long a piece takes, the pieces after it do not accumulate.
        expect(largestDistance <= threads * 32)
    }

    @Test func `a shared map equals that of one thread`() {
        var random = Numbers(seed: 5)
        let bytes = 3 << 20
        var single = WordMap(bytes: bytes)
        let shared = SharedWordMap(bytes: bytes)
        for _ in 0..<5000 {
            let offset = random.below(bytes / 8) * 8
            let count = [8, 16, 24, 520, 4096, 300_000][random.below(100) == 0 ? 5 : random.below(5)]
            expectEqual(shared.insert(offset, count: count), single.insert(offset, count: count))
        }
        expectSame(WordMap(bytes: bytes, shared), single, bytes)
    }

    /// If several threads claim the same words, exactly one gets them.
    @Test func `words claimed by several threads go to exactly one`() {
        let shared = SharedWordMap(bytes: 80_000)
        let given = Workers(4).map(Array(0..<40_000)) { shared.insert($0 % 10_000 * 8, count: 8) ? 1 : 0 }
        expectEqual(given.reduce(0, +), 10_000)
    }

    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures)
    func `nodes match those of one thread`(_ file: KnownFile) throws {
        let source = ByteSource(bytes: try file.bytes())
        defer { withExtendedLifetime(source) {} }
        guard let (scope, _) = PieceTests.scope(of: source) else { return }
        let single = try #require(CommitSweep.run([scope], Workers(1))[0])
        for nodes in CommitSweep.run([scope, scope, scope], Workers(3)) {
            let nodes = try #require(nodes)
            expectEqual(nodes.nodeCount, single.nodeCount)
            expectEqual(nodes.byteCount, single.byteCount)
            expect(nodes.isClean)
            expectSame(nodes.owned, single.owned, scope.root.logicalSize)
        }
    }

    /// Random damage of all sizes, in files with many clusters, trees and links, including old formats.
    @Test(arguments: [
        "cluster-gaps", "collections-stream", "format-10-scalars", "format-22-links", "links-stream", "mixed-nested",
        "tombstones", "Legacy/format-9-subtables",
    ])
    func `reports of damaged files do not depend on threads`(_ name: String) throws {
        let original = try KnownFile.fixture(name).bytes()
        var random = Numbers(seed: 11)
        var damaged = 0
        for round in 0..<60 {
            var bytes = original
            for _ in 0...(round % 4) {
                let start = random.below(bytes.count)
                let end = min(bytes.count, start + [1, 8, 8, 300][round % 4])
                for offset in start..<end { bytes[offset] = UInt8(truncatingIfNeeded: random.below(256)) }
            }
            guard Share.current.contains(round) else { continue }
            let source = ByteSource(bytes: bytes)
            let report = Verification(level: .deep, maximumFindings: 30).run(on: source)
            if !report.isSound { damaged += 1 }
            for jobs in [2, 4] {
                let other = Verification(level: .deep, maximumFindings: 30, jobs: jobs).run(on: source)
                expectEqual(other, report, "round \(round), \(jobs) threads")
            }
        }
        // The shares have rounds with different kinds of damage; some of them cause findings.
        expect(damaged > 0)
    }

    private func expectSame(_ left: WordMap, _ right: WordMap, _ bytes: Int) {
        for isSet in [true, false] {
            var offset = left.next(isSet: isSet, from: 0, to: bytes)
            var other = right.next(isSet: isSet, from: 0, to: bytes)
            while let place = offset, place == other {
                let end = left.next(isSet: !isSet, from: place, to: bytes)
                expectEqual(end, right.next(isSet: !isSet, from: place, to: bytes))
                guard let end else { return }
                offset = left.next(isSet: isSet, from: end, to: bytes)
                other = right.next(isSet: isSet, from: end, to: bytes)
            }
            expectEqual(offset, other)
        }
    }

    /// Reproducible numbers.
    private struct Numbers {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func below(_ limit: Int) -> Int {
            state = MultisetSum.mix(state)
            return Int(state % UInt64(limit))
        }
    }
}
