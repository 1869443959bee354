internal import CLibCrypto
package import RealmLayout

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Computes SHA-256 with libcrypto (FIPS 180-4), of one message after the other.
@safe
package final class SHA256 {
    private let context: OpaquePointer
    private var hasFailed = false

    /// Bytes of a digest.
    package static let size = 32

    /// Begins the first message.
    ///
    /// - Throws: `StorageError` when libcrypto does not have it, or there is no memory.
    package init() throws(StorageError) {
        guard let context = unsafe EVP_MD_CTX_new() else { throw Self.failure }
        unsafe self.context = context
        guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw Self.failure }
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    private static var failure: StorageError {
        StorageError(code: ENOSYS, action: "cannot compute SHA-256", path: "libcrypto")
    }

    /// Begins a message with the algorithm that the context has already: looking it up takes longer than a short message.
    private func begin() -> Bool { unsafe EVP_DigestInit_ex(context, nil, nil) == 1 }

    /// Adds bytes to the message.
    package func update(_ bytes: ByteView) {
        if unsafe EVP_DigestUpdate(context, bytes.base, bytes.count) != 1 { hasFailed = true }
    }

    /// Ends the message, and begins the next.
    ///
    /// - Returns: the 32 bytes of the digest.
    /// - Throws: `StorageError` when libcrypto failed at any time.
    package func finish() throws(StorageError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Self.size)
        guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1, begin(), !hasFailed else { throw Self.failure }
        return digest
    }
}
