internal import RealmLayout
internal import RealmStorage
internal import RealmSystem

/// Passes bytes to the caller's closure.
final class CallerDestination: ByteDestination {
    private let take: @Sendable ([UInt8]) throws -> Void
    /// The error that the caller's closure threw.
    private(set) var failure: (any Error)?

    init(_ take: @escaping @Sendable ([UInt8]) throws -> Void) { self.take = take }

    func write(_ bytes: ByteView) throws(StorageError) {
        do { try take(bytes.bytes) } catch {
            failure = error
            throw StorageError(code: ECANCELED, action: "write", path: "the caller's output")
        }
    }

    func finish() {}

    /// Runs `body`, and rethrows the caller's own error unchanged if there was one.
    func whileTaking<Result>(_ body: (CallerDestination) async throws -> Result) async throws -> Result {
        do { return try await body(self) } catch { throw failure ?? error }
    }
}
