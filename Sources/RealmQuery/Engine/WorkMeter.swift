internal import RealmLayout
internal import Synchronization

/// Counts the work of a query in all its tasks, and stops it when it exceeds its budget or is cancelled.
///
/// Code that reads for a query throws `FormatError`. `charge` does so too, and the meter remembers that it was no
/// damage.
final class WorkMeter: Sendable {
    private let budget: QueryBudget
    private let deadline: ContinuousClock.Instant?
    /// The remaining work.
    private let left: Atomic<Int>
    /// The number of units that may be counted locally before they are charged; small compared to the budget.
    let grain: Int
    private let end: Atomic<Int>

    /// The reason why a query stopped early.
    private enum End: Int {
        case notYet, work, results, time, cancelled
    }

    /// The number of units between checks of time and cancellation, which cost more than a unit.
    private static let interval = 1 << 13

    init(_ budget: QueryBudget) {
        self.budget = budget
        deadline = budget.time.map { ContinuousClock.now + $0 }
        left = Atomic(max(0, budget.work))
        grain = budget.work > Self.interval << 10 ? Self.interval / 2 : 0
        end = Atomic(End.notYet.rawValue)
    }

    /// - Parameter units: approximate number of values to read.
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

    /// - Parameter count: the number of objects found.
    func checkResults(_ count: Int) throws(FormatError) {
        if count > budget.results { try stop(.results) }
    }

    /// Checks time and cancellation, regardless of work.
    func checkTime() throws(FormatError) { try check(left.load(ordering: .relaxed)) }

    private func stop(_ end: End) throws(FormatError) {
        // Keeps the first reason.
        _ = self.end.compareExchange(expected: End.notYet.rawValue, desired: end.rawValue, ordering: .relaxed)
        // The error itself does not matter: `failure` reports what happened.
        throw FormatError(.tooDeep, "query stopped")
    }

    /// Converts an error thrown while reading to the error of the query.
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
