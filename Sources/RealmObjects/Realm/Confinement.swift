internal import CSwiftMetadata
internal import Dispatch
internal import RealmStorage

/// Where a realm and its objects may be used.
enum Confinement {
    /// On the thread with that number.
    case thread(UInt64)
    /// On a serial queue.
    case queue(DispatchQueue)
    /// On an actor.
    case actor(any Actor)
    /// Everywhere: a frozen realm.
    case everywhere

    static var currentThread: Confinement { .thread(CurrentThread.number) }

    /// On a queue, or on the thread where none is given. The main queue is the main thread, where that runs it.
    static func of(_ queue: DispatchQueue?) -> Confinement {
        guard let queue else { return .currentThread }
        return queue === DispatchQueue.main && swift_metadata_is_first_thread() ? .currentThread : .queue(queue)
    }

    /// The thread; 0 for another kind.
    var thread: UInt64 { if case .thread(let thread) = self { thread } else { 0 } }

    /// Ends the program where it is not there.
    func check() {
        switch self {
        case .thread(let thread): guard thread == CurrentThread.number else { Failure.stop(Failure.wrongThread) }
        case .queue(let queue): dispatchPrecondition(condition: .onQueue(queue))
        case .actor(let actor): actor.preconditionIsolated(Failure.wrongThread)
        case .everywhere: break
        }
    }

    /// What realms of one place have in common: these are one realm.
    var identity: Identity {
        switch self {
        case .thread(let thread): .thread(thread)
        case .queue(let queue): .object(ObjectIdentifier(queue))
        case .actor(let actor): .object(ObjectIdentifier(actor))
        case .everywhere: .thread(0)
        }
    }

    enum Identity: Hashable {
        case thread(UInt64)
        case object(ObjectIdentifier)
    }
}
