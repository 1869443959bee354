internal import CSwiftMetadata
internal import Dispatch
internal import RealmStorage

extension Isolation {
    /// Whether the code runs on the main thread, or on the main queue.
    static var isOnMainThread: Bool { DispatchQueue.getSpecific(key: mark) ?? swift_metadata_is_first_thread() }

    /// Whether a queue is the main queue, for which every access returns a new object on Linux.
    static func isMain(_ queue: DispatchQueue) -> Bool { queue.getSpecific(key: mark) ?? false }

    private static let mark: DispatchSpecificKey<Bool> = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    /// Schedules work within the confinement. Nothing runs on a thread that cannot receive work.
    func schedule(_ work: @escaping @Sendable () -> Void) {
        switch self {
        case .thread(let place): place.perform(work)
        case .main: DispatchQueue.main.async(execute: work)
        case .queue(let queue): queue.async(execute: work)
        case .actor(let actor): Task { await Self.run(work, on: actor) }
        case .everywhere: break
        }
    }

    /// Whether `schedule` runs anything.
    var isComeBackTo: Bool {
        switch self {
        case .thread(let place): place.hasLoop
        case .everywhere: false
        case .main, .queue, .actor: true
        }
    }

    /// Determines whether a thread can receive work.
    func notice() {
        if case .thread(let place) = self { place.notice() }
    }

    /// Runs code on the thread when its run loop ends. Other confinements do not end.
    func whenItEnds(_ body: @escaping @Sendable () -> Void) {
        if case .thread(let place) = self { place.whenItEnds(body) }
    }

    private static func run(_ work: @Sendable () -> Void, on actor: isolated any Actor) { work() }
}
