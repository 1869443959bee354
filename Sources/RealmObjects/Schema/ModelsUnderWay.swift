internal import RealmStorage
internal import Synchronization

/// The models that threads are making. An object is made for each, and what its initialiser does may ask for the same model again, and
/// so on for ever, as opening a realm in the default of a property does.
enum ModelsUnderWay {
    private struct Work: Equatable {
        let thread: UInt64
        /// Nil for all classes of the program.
        let type: ObjectIdentifier?
    }

    private static let all = Mutex<[Work]>([])

    /// Ends the program, in RealmSwift's words, where this thread is making a model already.
    ///
    /// - Parameter type: the class; nil for all classes of the program.
    static func check(_ type: ObjectIdentifier?, named name: String? = nil) {
        let work = Work(thread: CurrentThread.number, type: type)
        guard all.withLock({ $0.contains(work) }) else { return }
        Failure.stop(
            "Illegal recursive call of +[\(name ?? "RLMSchema") sharedSchema]. Note: Properties of Swift `Object` classes must not be prepopulated with queried results from a Realm."
        )
    }

    /// Makes a model, or all of the program.
    static func noting<R>(_ type: ObjectIdentifier?, named name: String? = nil, _ body: () throws -> R) rethrows -> R {
        check(type, named: name)
        let work = Work(thread: CurrentThread.number, type: type)
        all.withLock { $0.append(work) }
        defer { all.withLock { all in all.firstIndex(of: work).map { index in _ = all.remove(at: index) } } }
        return try body()
    }
}
