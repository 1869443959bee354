internal import Synchronization

/// Observers by their numbers. Where the realm belongs they are called; tokens end them on any thread.
final class ObserverTable<Observer>: Sendable {
    /// What is called is used where the realm belongs, or let go.
    private struct Content: @unchecked Sendable {
        var observers: [Int: Observer] = [:]
    }

    private let content = Mutex(Content())

    /// The numbers of all of them, in the order in which they came.
    var numbers: [Int] { content.withLock { $0.observers.keys.sorted() } }

    /// The one with a number, to be called outside of the lock: it may end others. Nil when it was ended.
    subscript(number: Int) -> Observer? {
        content.withLock { SendableBox($0.observers[number]) }.value
    }

    func add(_ observer: Observer, number: Int) {
        let box = SendableBox(observer)
        content.withLock { $0.observers[number] = box.value }
    }

    func remove(_ number: Int) {
        // What ends with it is not to end inside of the lock.
        let last = content.withLock { SendableBox($0.observers.removeValue(forKey: number)) }
        _ = last
    }
}
