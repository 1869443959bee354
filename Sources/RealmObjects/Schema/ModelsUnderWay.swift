internal import RealmStorage
internal import Synchronization

/// The models that threads are creating. Each requires an instance of its class, whose initialiser may request the same
/// model again without end, for example by opening a realm in the default value of a property.
enum ModelsUnderWay {
    private struct Work: Equatable {
        let thread: UInt64
        /// nil for all classes of the program.
        let type: ObjectIdentifier?
    }

    private static let all = Mutex<[Work]>([])

    /// Terminates the program, with RealmSwift's message, if this thread is already creating the model.
    ///
    /// - Parameter type: the class; nil for all classes of the program.
    static func check(_ type: ObjectIdentifier?, named name: String? = nil) {
        let work = Work(thread: CurrentThread.number, type: type)
        guard all.withLock({ $0.contains(work) }) else { return }
        Failure.stop(
            "Illegal recursive call of +[\(name ?? "RLMSchema") sharedSchema]. Note: Properties of Swift `Object` classes must not be prepopulated with queried results from a Realm."
        )
    }

    /// Creates a model, or all models of the program.
    static func noting<R>(_ type: ObjectIdentifier?, named name: String? = nil, _ body: () throws -> R) rethrows -> R {
        check(type, named: name)
        let work = Work(thread: CurrentThread.number, type: type)
        all.withLock { $0.append(work) }
        defer { all.withLock { all in all.firstIndex(of: work).map { index in _ = all.remove(at: index) } } }
        return try body()
    }
}
