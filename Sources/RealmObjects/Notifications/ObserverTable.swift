internal import Synchronization

/// Observers by number. They are called within the confinement of the realm; tokens remove them on any thread.
final class ObserverTable<Observer>: Sendable {
    /// Observers are called only within the confinement of the realm; other threads only release them.
    private struct Content: @unchecked Sendable {
        var observers: [Int: Observer] = [:]
    }

    private let content = Mutex(Content())

    /// The numbers of all observers, in order of registration.
    var numbers: [Int] { content.withLock { $0.observers.keys.sorted() } }

    /// The observer with a number; nil if it was removed. Call it outside the lock, because it may remove observers.
    subscript(number: Int) -> Observer? {
        content.withLock { SendableBox($0.observers[number]) }.value
    }

    func add(_ observer: Observer, number: Int) {
        let box = SendableBox(observer)
        content.withLock { $0.observers[number] = box.value }
    }

    func remove(_ number: Int) {
        // Releases the observer outside the lock.
        let last = content.withLock { SendableBox($0.observers.removeValue(forKey: number)) }
        _ = last
    }
}
