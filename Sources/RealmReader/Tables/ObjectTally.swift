internal import Synchronization

/// Counts objects for somebody who waits for all of them.
package final class ObjectTally: Sendable {
    private let done = Mutex(0)
    private let total: Int
    private let report: @Sendable (_ done: Int, _ total: Int) -> Void

    /// Nobody waits: nil.
    package init?(total: @autoclosure () -> Int, _ report: (@Sendable (_ done: Int, _ total: Int) -> Void)?) {
        guard let report else { return nil }
        self.total = total()
        self.report = report
    }

    /// Tells that there are some more, and not more than there were to be.
    package func add(_ objects: Int) {
        let done = done.withLock { done in
            done += objects
            return done
        }
        report(min(done, total), total)
    }
}

extension Snapshot {
    /// The objects of all tables that can be read, whatever the others are.
    package var countOfObjects: Int { tables.reduce(0) { $0 + ((try? $1.count) ?? 0) } }
}
