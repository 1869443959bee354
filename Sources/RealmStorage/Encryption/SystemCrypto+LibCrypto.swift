#if !canImport(CommonCrypto)
    internal import CLibCrypto

    /// The cryptography of the system, here from libcrypto.
    ///
    /// Contexts are created once with their key and used for many pages, by one thread at a time.
    enum SystemCrypto {
        static let name = "libcrypto"

        /// Creates a context for AES-256-CBC without padding; nil if that fails.
        @unsafe
        static func makeAES(_ key: UnsafePointer<UInt8>, encrypts: Bool) -> OpaquePointer? {
            unsafe realmfile_aes_new(key, encrypts ? 1 : 0)
        }

        /// Encrypts or decrypts `size` bytes, a multiple of 16.
        @unsafe
        @inline(__always)
        static func runAES(
            _ context: OpaquePointer, _ vector: UnsafePointer<UInt8>, _ bytes: UnsafePointer<UInt8>,
            _ result: UnsafeMutablePointer<UInt8>, _ size: Int
        ) -> Bool {
            unsafe realmfile_aes(context, vector, bytes, result, Int32(size)) == 1
        }

        /// Overwrites the key and frees the context.
        @unsafe
        static func freeAES(_ context: OpaquePointer?) { unsafe EVP_CIPHER_CTX_free(context) }

        /// Creates a context for HMAC-SHA-224; nil if that fails.
        @unsafe
        static func makeHMAC(_ key: UnsafePointer<UInt8>, _ keySize: Int) -> OpaquePointer? {
            unsafe realmfile_hmac_new(key, keySize)
        }

        /// Computes the 28-byte code of some bytes.
        @unsafe
        @inline(__always)
        static func runHMAC(
            _ context: OpaquePointer, _ bytes: UnsafePointer<UInt8>, _ size: Int, _ code: UnsafeMutablePointer<UInt8>
        ) -> Bool {
            unsafe realmfile_hmac(context, bytes, size, code) == 1
        }

        /// Overwrites the key and frees the context.
        @unsafe
        static func freeHMAC(_ context: OpaquePointer?) { unsafe EVP_MAC_CTX_free(context) }

        /// Whether bytes are equal; takes constant time.
        @unsafe
        @inline(__always)
        static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ size: Int) -> Bool {
            unsafe CRYPTO_memcmp(left, right, size) == 0
        }

        /// Overwrites a secret.
        @unsafe
        static func cleanse(_ memory: UnsafeMutableRawPointer, _ size: Int) { unsafe OPENSSL_cleanse(memory, size) }
    }
#endif
