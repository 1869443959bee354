public import RealmCore
internal import Synchronization

extension RealmStore {
    /// The states after all future commits.
    ///
    /// A loop that is slower than the writers receives only the newest state; compare it with the previous one
    /// (`Snapshot.changes(since:)`). The sequence ends when the store is closed or released.
    ///
    /// ```swift
    /// var known = store.snapshot()
    /// for await snapshot in store.snapshots {
    ///     print(try snapshot.changes(since: known))
    ///     known = snapshot
    /// }
    /// ```
    public var snapshots: Snapshots { Snapshots(stream: listeners.add()) }

    /// The successive states of a store.
    public struct Snapshots: AsyncSequence, Sendable {
        let stream: AsyncStream<Snapshot>

        /// The position of a loop over the states.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var iterator: AsyncStream<Snapshot>.Iterator

            /// The next state; nil when the store is closed.
            public mutating func next() async -> Snapshot? { await iterator.next() }
        }

        /// Begins a loop.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: stream.makeAsyncIterator()) }
    }
}

/// Distributes the state after each commit to all loops.
final class SnapshotListeners: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<Snapshot>.Continuation] = [:]
        var next = 0
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Adds a listener.
    func add() -> AsyncStream<Snapshot> {
        // Buffers only the newest state.
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

    /// Notifies all listeners of a commit.
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
