public import RealmReader
internal import Synchronization

extension RealmStore {
    /// The state after each commit from now on.
    ///
    /// Who is slower than the writers gets the newest one, and not those between: compare it with the one before
    /// (`Snapshot.changes(since:)`). Ends when the store is closed, or gone.
    ///
    /// ```swift
    /// var known = store.snapshot()
    /// for await snapshot in store.snapshots {
    ///     print(try snapshot.changes(since: known))
    ///     known = snapshot
    /// }
    /// ```
    public var snapshots: Snapshots { Snapshots(stream: listeners.add()) }

    /// The states of a store, one after the other.
    public struct Snapshots: AsyncSequence, Sendable {
        let stream: AsyncStream<Snapshot>

        /// Where a loop over the states is.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var iterator: AsyncStream<Snapshot>.Iterator

            /// The next state; nil when the store is closed.
            public mutating func next() async -> Snapshot? { await iterator.next() }
        }

        /// Begins a loop.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
    }
}

/// Those who want to know of each commit.
final class SnapshotListeners: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<Snapshot>.Continuation] = [:]
        var next = 0
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Adds a listener.
    func add() -> AsyncStream<Snapshot> {
        // The newest is enough.
        let (stream, continuation) = AsyncStream<Snapshot>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state -> Int? in
            guard !state.isEnded else { return nil }
            state.next += 1
            state.continuations[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    private func remove(_ number: Int) {
        _ = state.withLock { $0.continuations.removeValue(forKey: number) }
    }

    /// Tells all of a commit.
    func tell(_ snapshot: Snapshot) {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(snapshot) }
    }

    /// Ends all loops.
    func end() {
        let continuations = state.withLock { state in
            state.isEnded = true
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.finish() }
    }
}
