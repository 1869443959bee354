internal import RealmLayout
internal import RealmStorage
internal import RealmSystem

/// What the caller does with bytes.
final class CallerDestination: ByteDestination {
    private let take: @Sendable ([UInt8]) throws -> Void
    /// What the caller threw.
    private(set) var failure: (any Error)?

    init(_ take: @escaping @Sendable ([UInt8]) throws -> Void) { self.take = take }

    func write(_ bytes: ByteView) throws(StorageError) {
        do { try take(bytes.bytes) } catch {
            failure = error
            throw StorageError(code: ECANCELED, action: "write", path: "the caller's output")
        }
    }

    func finish() {}

    /// Does what writes here, and throws what the caller threw as it was.
    func whileTaking<Result>(_ body: (CallerDestination) async throws -> Result) async throws -> Result {
        do { return try await body(self) } catch { throw failure ?? error }
    }
}
