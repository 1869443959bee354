/// Programming errors. Where RealmSwift raises an Objective-C exception, from which no code recovers, this package
/// terminates the program with the same text.
enum Failure {
    static func stop(_ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) -> Never {
        fatalError(message(), file: file, line: line)
    }

    /// Runs code that fails only if a file is damaged, the system refuses, or the program broke a rule; terminates the
    /// program then.
    static func unlessStopped<R, E: Error>(_ body: () throws(E) -> R) -> R {
        do { return try body() } catch { stop("\(error)") }
    }

    static let deleted = "Object has been deleted or invalidated."
    static let outsideOfWrite =
        "Attempting to modify object outside of a write transaction - call beginWriteTransaction on an RLMRealm instance first."
    static let frozenObject = "Attempting to modify a frozen object - call thaw on the Object instance first."
    static let frozenTransaction = "Can't perform transactions on a frozen Realm"
    static let readOnlyTransaction = "Can't perform transactions on read-only Realms."
    static let notManaged = "Only objects which are managed by a Realm support change notifications"
    static let notManagedCollection = "Change notifications are only supported on managed collections."
    static let notObservable = "Frozen Realms do not change and do not have change notifications."
    static let likeWithoutDiacritics = "Operator 'LIKE' not supported with diacritic-insensitive modifier."
    static let wrongThread = "Realm accessed from incorrect thread."
    static let notInWrite =
        "Can only add, remove, or create objects in a Realm in a write transaction - call beginWriteTransaction on an RLMRealm instance first."
}
