internal import RealmLayout
internal import Synchronization

/// Counts what a query does, in all its tasks together, and ends it when that is more than it may take, or nobody waits for it any more.
///
/// What reads for a query throws `FormatError`; so does `charge`, and the meter knows that it was no damage.
final class WorkMeter: Sendable {
    private let budget: QueryBudget
    private let deadline: ContinuousClock.Instant?
    /// What is left of the work.
    private let left: Atomic<Int>
    /// So many units may be counted elsewhere before they are counted here: few beside all that may be done.
    let grain: Int
    private let end: Atomic<Int>

    /// Why a query ended early.
    private enum End: Int {
        case notYet, work, results, time, cancelled
    }

    /// Clock and task are asked after so many units: that takes longer than a unit.
    private static let interval = 1 << 13

    init(_ budget: QueryBudget) {
        self.budget = budget
        deadline = budget.time.map { ContinuousClock.now + $0 }
        left = Atomic(max(0, budget.work))
        grain = budget.work > Self.interval << 10 ? Self.interval / 2 : 0
        end = Atomic(End.notYet.rawValue)
    }

    /// - Parameter units: about how many values are looked at.
    @inline(__always)
    func charge(_ units: Int) throws(FormatError) {
        let (before, after) = left.wrappingSubtract(units, ordering: .relaxed)
        if (before ^ after) >= Self.interval || (before ^ after) < 0 { try check(after) }
    }

    @inline(never)
    private func check(_ left: Int) throws(FormatError) {
        if left < 0 { try stop(.work) }
        if Task.isCancelled { try stop(.cancelled) }
        if let deadline, ContinuousClock.now > deadline { try stop(.time) }
    }

    /// - Parameter count: the objects that are remembered.
    func checkResults(_ count: Int) throws(FormatError) {
        if count > budget.results { try stop(.results) }
    }

    /// Clock and task, whatever was done.
    func checkTime() throws(FormatError) { try check(left.load(ordering: .relaxed)) }

    private func stop(_ end: End) throws(FormatError) {
        // The first reason is told.
        _ = self.end.compareExchange(expected: End.notYet.rawValue, desired: end.rawValue, ordering: .relaxed)
        // Which error it is does not matter: `failure` says what happened.
        throw FormatError(.tooDeep, "query stopped")
    }

    /// What an error that was thrown on the way means for the query.
    func failure(_ error: FormatError) -> QueryError {
        switch End(rawValue: end.load(ordering: .relaxed)) ?? .notYet {
        case .notYet: .damage(error)
        case .cancelled: .cancelled
        case .work: .exhausted("query stopped: work limit of \(budget.work) exceeded")
        case .results: .exhausted("query stopped: limit of \(budget.results) objects exceeded")
        case .time: .exhausted("query stopped: time limit of \(budget.time ?? .zero) exceeded")
        }
    }
}
