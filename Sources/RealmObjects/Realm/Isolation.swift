internal import CSwiftMetadata
internal import Dispatch
internal import RealmStorage

/// Confinement of a realm and its objects.
enum Isolation {
    /// A thread other than the main one.
    case thread(ThreadScheduler)
    /// The main thread, or the thread that runs the main queue. If `main` is asynchronous, that is another thread on
    /// Linux each time the main actor has been suspended.
    case main
    /// A serial queue.
    case queue(DispatchQueue)
    /// An actor.
    case actor(any Actor)
    /// No confinement: a frozen realm.
    case everywhere

    static var currentThread: Isolation { isOnMainThread ? .main : .thread(ThreadScheduler()) }

    /// Returns the confinement to a queue, or to the current thread if it is nil.
    static func of(_ queue: DispatchQueue?) -> Isolation {
        guard let queue else { return .currentThread }
        return isMain(queue) ? .main : .queue(queue)
    }

    /// Whether a queue is one of the system's concurrent queues.
    static func isGlobal(_ queue: DispatchQueue) -> Bool {
        queue.label.hasPrefix("com.apple.root.") && !isMain(queue)
    }

    /// Number of the thread if it is always the same, otherwise 0.
    var thread: UInt64 {
        switch self {
        case .thread(let place): place.number
        case .main: swift_metadata_is_first_thread() ? CurrentThread.number : 0
        case .queue, .actor, .everywhere: 0
        }
    }

    /// Terminates the program if the code runs outside the confinement.
    func check() {
        switch self {
        case .thread(let place): guard place.number == CurrentThread.number else { Failure.stop(Failure.wrongThread) }
        case .main: guard Self.isOnMainThread else { Failure.stop(Failure.wrongThread) }
        case .queue(let queue): dispatchPrecondition(condition: .onQueue(queue))
        case .actor(let actor): actor.preconditionIsolated(Failure.wrongThread)
        case .everywhere: break
        }
    }

    /// Identity of the confinement: realms that share it are one realm.
    var identity: Identity {
        switch self {
        case .thread(let place): .thread(place.number)
        case .main: .main
        case .queue(let queue): .object(ObjectIdentifier(queue))
        case .actor(let actor): .object(ObjectIdentifier(actor))
        case .everywhere: .thread(0)
        }
    }

    enum Identity: Hashable {
        case main
        case thread(UInt64)
        case object(ObjectIdentifier)
    }
}
