internal import Synchronization

/// Counts processed objects for progress reports.
package final class ObjectTally: Sendable {
    private let done = Mutex(0)
    private let total: Int
    private let report: @Sendable (_ done: Int, _ total: Int) -> Void

    /// Returns nil when there is no observer.
    package init?(total: @autoclosure () -> Int, _ report: (@Sendable (_ done: Int, _ total: Int) -> Void)?) {
        guard let report else { return nil }
        self.total = total()
        self.report = report
    }

    /// Reports further objects, up to the total.
    package func add(_ objects: Int) {
        let done = done.withLock { done in
            done += objects
            return done
        }
        report(min(done, total), total)
    }
}
