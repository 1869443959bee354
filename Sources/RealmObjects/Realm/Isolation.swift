internal import CSwiftMetadata
internal import Dispatch
internal import RealmStorage

/// Where a realm and its objects may be used.
enum Isolation {
    /// On a thread, which is not the main one.
    case thread(ThreadScheduler)
    /// On the main thread, or whatever thread runs the main queue: of a program whose `main` is asynchronous that is another one on Linux each
    /// time that the main actor has waited.
    case main
    /// On a serial queue.
    case queue(DispatchQueue)
    /// On an actor.
    case actor(any Actor)
    /// Everywhere: a frozen realm.
    case everywhere

    static var currentThread: Isolation { isOnMainThread ? .main : .thread(ThreadScheduler()) }

    /// On a queue, or on the thread where none is given.
    static func of(_ queue: DispatchQueue?) -> Isolation {
        guard let queue else { return .currentThread }
        return isMain(queue) ? .main : .queue(queue)
    }

    /// Whether a queue is one of the system's, which are concurrent.
    static func isGlobal(_ queue: DispatchQueue) -> Bool {
        queue.label.hasPrefix("com.apple.root.") && !isMain(queue)
    }

    /// The thread, where it is always the same; else 0.
    var thread: UInt64 {
        switch self {
        case .thread(let place): place.number
        case .main: swift_metadata_is_first_thread() ? CurrentThread.number : 0
        case .queue, .actor, .everywhere: 0
        }
    }

    /// Ends the program where it is not there.
    func check() {
        switch self {
        case .thread(let place): guard place.number == CurrentThread.number else { Failure.stop(Failure.wrongThread) }
        case .main: guard Self.isOnMainThread else { Failure.stop(Failure.wrongThread) }
        case .queue(let queue): dispatchPrecondition(condition: .onQueue(queue))
        case .actor(let actor): actor.preconditionIsolated(Failure.wrongThread)
        case .everywhere: break
        }
    }

    /// What realms of one place have in common: these are one realm.
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
