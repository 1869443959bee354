package import RealmLayout
internal import RealmSystem

#if canImport(CommonCrypto)
    internal import CommonCrypto
#else
    internal import CLibCrypto
#endif

/// Computes digests (FIPS 180-4) of successive messages.
@safe
package final class MessageDigest {
    /// The digest algorithms.
    package enum Algorithm: String, Sendable {
        /// Formats 10 to 21 derive object keys from it (Spec 50); it protects nothing.
        case sha1 = "SHA-1"
        case sha256 = "SHA-256"

        /// The size of a digest in bytes.
        package var size: Int { self == .sha1 ? 20 : 32 }
    }

    #if canImport(CommonCrypto)
        private let algorithm: Algorithm
        private var sha1 = CC_SHA1_CTX()
        private var sha256 = CC_SHA256_CTX()

        /// Begins the first message.
        ///
        /// - Throws: nothing here; elsewhere `StorageError` if the algorithm is unavailable, or there is no memory.
        package init(_ algorithm: Algorithm) throws(StorageError) {
            self.algorithm = algorithm
            begin()
        }

        private func begin() {
            if algorithm == .sha1 { unsafe CC_SHA1_Init(&sha1) } else { unsafe CC_SHA256_Init(&sha256) }
        }

        /// Adds bytes to the message.
        package func update(_ bytes: ByteView) {
            // Lengths are 32-bit numbers there.
            var start = 0
            while start < bytes.count {
                let count = min(bytes.count - start, 1 << 30)
                if algorithm == .sha1 {
                    unsafe CC_SHA1_Update(&sha1, bytes.base + start, CC_LONG(count))
                } else {
                    unsafe CC_SHA256_Update(&sha256, bytes.base + start, CC_LONG(count))
                }
                start += count
            }
        }

        /// Ends the message and begins the next.
        ///
        /// - Returns: the bytes of the digest.
        /// - Throws: nothing here; elsewhere `StorageError` if any step of the computation failed.
        package func finish() throws(StorageError) -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: algorithm.size)
            if algorithm == .sha1 {
                unsafe CC_SHA1_Final(&digest, &sha1)
            } else {
                unsafe CC_SHA256_Final(&digest, &sha256)
            }
            begin()
            return digest
        }
    #else
        private let algorithm: Algorithm
        private let context: OpaquePointer
        private var hasFailed = false

        /// Begins the first message.
        ///
        /// - Throws: `StorageError` if libcrypto lacks the algorithm, or there is no memory.
        package init(_ algorithm: Algorithm) throws(StorageError) {
            guard let context = unsafe EVP_MD_CTX_new() else { throw Self.failure(algorithm) }
            self.algorithm = algorithm
            unsafe self.context = context
            let method = unsafe algorithm == .sha1 ? EVP_sha1() : EVP_sha256()
            guard unsafe EVP_DigestInit_ex(context, method, nil) == 1 else { throw Self.failure(algorithm) }
        }

        deinit { unsafe EVP_MD_CTX_free(context) }

        private static func failure(_ algorithm: Algorithm) -> StorageError {
            StorageError(code: ENOSYS, action: "cannot compute \(algorithm.rawValue)", path: "libcrypto")
        }

        /// Begins a message with the algorithm already in the context: looking it up takes longer than a short message.
        private func begin() -> Bool { unsafe EVP_DigestInit_ex(context, nil, nil) == 1 }

        /// Adds bytes to the message.
        package func update(_ bytes: ByteView) {
            if unsafe EVP_DigestUpdate(context, bytes.base, bytes.count) != 1 { hasFailed = true }
        }

        /// Ends the message and begins the next.
        ///
        /// - Returns: the bytes of the digest.
        /// - Throws: `StorageError` if any step of libcrypto failed.
        package func finish() throws(StorageError) -> [UInt8] {
            var digest = [UInt8](repeating: 0, count: algorithm.size)
            guard unsafe EVP_DigestFinal_ex(context, &digest, nil) == 1, begin(), !hasFailed else {
                throw Self.failure(algorithm)
            }
            return digest
        }
    #endif
}
