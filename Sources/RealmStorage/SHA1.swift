internal import CLibCrypto
package import RealmLayout

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Computes SHA-1 with libcrypto (FIPS 180-4). Formats 10 to 21 make object keys of it (Spec 50); it protects nothing.
@safe
package final class SHA1 {
    private let context: OpaquePointer
    private var digest = [UInt8](repeating: 0, count: SHA1.size)

    /// Bytes of a digest.
    package static let size = 20

    /// - Throws: `StorageError` when libcrypto does not have it, or there is no memory.
    package init() throws(StorageError) {
        guard let context = unsafe EVP_MD_CTX_new() else { throw Self.failure }
        unsafe self.context = context
        guard unsafe EVP_DigestInit_ex(context, EVP_sha1(), nil) == 1 else { throw Self.failure }
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    private static var failure: StorageError {
        StorageError(code: ENOSYS, action: "cannot compute SHA-1", path: "libcrypto")
    }

    /// The first 16 bytes of the digest of `bytes`, as two little-endian numbers.
    ///
    /// - Throws: `StorageError` when libcrypto failed.
    package func halves(of bytes: ByteView) throws(StorageError) -> (first: UInt64, second: UInt64) {
        guard unsafe EVP_DigestUpdate(context, bytes.base, bytes.count) == 1,
            unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1,
            // With the algorithm that the context has already: looking it up takes longer than a short message.
            unsafe EVP_DigestInit_ex(context, nil, nil) == 1
        else { throw Self.failure }
        func number(_ start: Int) -> UInt64 {
            digest[start..<(start + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        return (number(0), number(8))
    }
}
