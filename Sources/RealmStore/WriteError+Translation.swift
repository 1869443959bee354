internal import RealmCore
internal import RealmLayout
internal import RealmStorage

// Changing a database reads and writes: it meets errors of three types, and no typed `throws` holds them all. Code in
// this module therefore throws them as they are. Here they become the error that callers get.
extension WriteError {
    /// Makes the error for callers from one that was thrown in this module.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as WriteError: error
            case let misfit as InvalidValue: .misfit(misfit)
            case let error as FormatError: .source(error)
            case let error as StorageError: .storage(error)
            default: .internalInconsistency("\(error)")
            }
    }

    /// Runs code that belongs to no transaction, and translates its errors.
    static func translating<R>(_ body: () throws -> R) throws(WriteError) -> R {
        do { return try body() } catch { throw WriteError(error) }
    }
}
