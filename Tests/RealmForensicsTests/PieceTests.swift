import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Divided work gives the same results as undivided work.
struct PieceTests {
    @Test func `results are in the order of the pieces`() {
        for threads in [1, 2, 7] {
            let squares: [Int] = (0..<1000).map { $0 * $0 }
            let found: [Int] = Workers(threads).map(Array(0..<1000)) { (number: Int) in number * number }
            expectEqual(found, squares)
            expectEqual(Workers(threads).map([]) { (number: Int) in number }, [])
        }
    }

    @Test func `findings of pieces match those of the whole`() {
        let checks: [CheckIdentifier] = [.leak, .nodeMagic, .utf8, .otherSlot]
        for limit in [0, 1, 3, 100] {
            let (whole, sum) = (FindingSink(limit: limit), FindingSink(limit: limit))
            for piece in 0..<4 {
                let part = sum.empty
                for index in 0..<(piece * 3) {
                    let check = checks[(piece + index) % checks.count]
                    whole.report(check, at: index * 8, "finding \(index) of piece \(piece)")
                    part.report(check, at: index * 8, "finding \(index) of piece \(piece)")
                }
                sum.add(part)
            }
            expectEqual(sum.findings, whole.findings)
            expectEqual(FindingSeverity.allCases.map(sum.total), FindingSeverity.allCases.map(whole.total))
            expectEqual(sum.countsByCheck, whole.countsByCheck)
        }
    }

    /// Ten pieces begin with the same budget, and are repeated if they would have exceeded it.
    @Test func `the budget is spent in the order of the pieces`() {
        let costs = (0..<10).map { piece in (0..<5).map { (piece * 7 + $0 * 13) % 40 } }
        func pay(_ costs: [Int], _ budget: inout ElementBudget) -> [ElementBudget.Payment] {
            costs.map { budget.spend($0) }
        }
        let first = ElementBudget(bytes: 4)
        var whole = first
        let expected = costs.map { pay($0, &whole) }
        expect(expected.joined().contains(.refusedFirst))
        var budget = first
        let payments = costs.map { costs in
            var end = first
            let payments = pay(costs, &end)
            if budget.take(from: first, to: end) { return payments }
            return pay(costs, &budget)
        }
        expectEqual(payments, expected)
    }

    @Test func `spread numbers are sorted`() {
        var state: UInt64 = 3
        func random() -> UInt64 {
            state = MultisetSum.mix(state)
            return state
        }
        for count in [0, 1, 2, 24, 25, 100, 5000] {
            let spread = (0..<count).map { _ in random() }
            expectEqual(SpreadSort.sorted(spread), spread.sorted())
            let close = (0..<count).map { _ in random() % 7 }
            expectEqual(SpreadSort.sorted(close), close.sorted())
            let high = close.map { UInt64.max - $0 }
            expectEqual(SpreadSort.sorted(high), high.sorted())
        }
    }

    /// Wherever pieces end, findings and clusters come in the same order.
    @Test(arguments: DamageCase.clusters)
    func `findings are in the same order wherever pieces end`(_ damage: DamageCase) throws {
        var patient = try damage.patient()
        try damage.damage(&patient)
        let source = ByteSource(bytes: patient.bytes)
        defer { withExtendedLifetime(source) {} }
        guard let (scope, tables) = Self.scope(of: source) else { return }
        for table in tables {
            guard let root = table.clusters else { continue }
            func sequence(_ size: Int) -> [String] {
                let shift = ClusterWalk.shift(of: root, scope)
                var pieces = ClusterPieces(scope, root: root, shift: shift, of: table, size: size)
                var parts: [String] = []
                while let piece = pieces.next() {
                    parts += piece.findings.map { $0.findings.map(\.message) } ?? []
                    parts += piece.clusters.map { "\($0.ref), \($0.count) objects" }
                    expect(piece.clusters.count <= size)
                }
                let end = pieces.end
                return parts + ["\(end.visitedCount) of \(end.storedCount ?? -1), \(end.isComplete)"]
            }
            let single = sequence(1)
            expectEqual(sequence(2), single)
            expectEqual(sequence(1000), single)
        }
    }

    /// Returns the tables of the selected commit, without visiting its nodes.
    static func scope(of source: ByteSource) -> (SnapshotScope, [CheckedTable])? {
        let sink = FindingSink(limit: 100)
        let checks = HeaderChecks(file: source.view, sink: sink)
        guard let header = checks.header(),
            case .root(let top) = checks.target(ofSlot: header.selectedSlot, header)
        else { return nil }
        let (slot, format) = (header.selectedSlot, header.slots[header.selectedSlot].format)
        let data = DataUnderVerification(source.view)
        return GroupRoot.open(at: top, slot: slot, format: format, in: data, sink).map { root in
            let scope = SnapshotScope(slot: slot, format: format, root: root, file: source.view, sink: sink)
            return (scope, GroupChecks(scope: scope).tables())
        }
    }

    /// The runs of keys agree with searches in the tree, for all keys, their neighbours, and some distant ones.
    @Test(arguments: ["cluster-gaps", "tombstones", "links-stream", "format-22-links", "kennel"])
    func `runs of keys match the keys of the tree`(_ name: String) throws {
        let source = ByteSource(bytes: try KnownFile.fixture(name).bytes())
        let (scope, tables) = try #require(Self.scope(of: source))
        var checked = 0
        for table in tables {
            guard let clusters = table.clusters else { continue }
            let shift = ClusterWalk.shift(of: clusters, scope)
            var keys: [Int64] = []
            var walk = ClusterWalk(scope, root: clusters, shift: shift)
            while let view = walk.next() { keys += (0..<view.count).map { view.key($0).value } }
            var room = 1 << 16
            let runs = try #require(KeyRuns(scope, root: clusters, shift: shift, room: &room))
            guard !keys.isEmpty else { continue }
            // There is space for exactly the existing runs, and not for one less.
            var least = (1 << 16) - room
            expect(KeyRuns(scope, root: clusters, shift: shift, room: &least) != nil)
            least = (1 << 16) - room - 1
            expect(KeyRuns(scope, root: clusters, shift: shift, room: &least) == nil)
            var finder = ObjectFinder(scope, root: clusters, shift: shift)
            for key in Set(keys.flatMap { [$0 - 1, $0, $0 + 1] } + [-5, 0, 1 << 40, .max]) {
                let found = if case .found = finder.find(ObjectKey(key)) { true } else { false }
                expectEqual(runs.contains(ObjectKey(key)), found, "\(table.name) \(key)")
                checked += 1
            }
        }
        expect(checked > 0)
        withExtendedLifetime(source) {}
    }
}
