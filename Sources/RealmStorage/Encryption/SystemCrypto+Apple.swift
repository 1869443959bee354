#if canImport(CommonCrypto)
    internal import CommonCrypto
    internal import Darwin

    /// The cryptography of the system, here from CommonCrypto, which every Apple system has.
    ///
    /// Contexts are created once with their key and used for many pages, by one thread at a time.
    enum SystemCrypto {
        static let name = "CommonCrypto"

        /// Creates a context for AES-256-CBC without padding; nil if that fails.
        @unsafe
        static func makeAES(_ key: UnsafePointer<UInt8>, encrypts: Bool) -> OpaquePointer? {
            var context: CCCryptorRef?
            let status = unsafe CCCryptorCreate(
                CCOperation(encrypts ? kCCEncrypt : kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), 0, key, kCCKeySizeAES256,
                nil, &context)
            return status == kCCSuccess ? unsafe context : nil
        }

        /// Encrypts or decrypts `size` bytes, a multiple of 16.
        @unsafe
        static func runAES(
            _ context: OpaquePointer, _ vector: UnsafePointer<UInt8>, _ bytes: UnsafePointer<UInt8>,
            _ result: UnsafeMutablePointer<UInt8>, _ size: Int
        ) -> Bool {
            var written = 0
            return unsafe CCCryptorReset(context, vector) == kCCSuccess
                && CCCryptorUpdate(context, bytes, size, result, size, &written) == kCCSuccess && written == size
        }

        /// Overwrites the key and frees the context.
        @unsafe
        static func freeAES(_ context: OpaquePointer?) {
            if let context = unsafe context { unsafe CCCryptorRelease(context) }
        }

        /// Creates a context for HMAC-SHA-224 that has processed the key only.
        @unsafe
        static func makeHMAC(_ key: UnsafePointer<UInt8>, _ keySize: Int) -> OpaquePointer? {
            let context = UnsafeMutablePointer<CCHmacContext>.allocate(capacity: 1)
            unsafe context.initialize(to: CCHmacContext())
            unsafe CCHmacInit(context, CCHmacAlgorithm(kCCHmacAlgSHA224), key, keySize)
            return OpaquePointer(context)
        }

        /// Computes the 28-byte code of some bytes, with a copy of the context.
        @unsafe
        static func runHMAC(
            _ context: OpaquePointer, _ bytes: UnsafePointer<UInt8>, _ size: Int, _ code: UnsafeMutablePointer<UInt8>
        ) -> Bool {
            var copy = unsafe UnsafePointer<CCHmacContext>(context).pointee
            unsafe CCHmacUpdate(&copy, bytes, size)
            unsafe CCHmacFinal(&copy, code)
            unsafe cleanse(&copy, MemoryLayout<CCHmacContext>.size)
            return true
        }

        /// Overwrites the key and frees the context.
        @unsafe
        static func freeHMAC(_ context: OpaquePointer?) {
            guard let context = unsafe context else { return }
            let pointer = unsafe UnsafeMutablePointer<CCHmacContext>(context)
            unsafe cleanse(pointer, MemoryLayout<CCHmacContext>.size)
            unsafe pointer.deallocate()
        }

        /// Whether bytes are equal; takes constant time.
        @unsafe
        static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ size: Int) -> Bool {
            unsafe timingsafe_bcmp(left, right, size) == 0
        }

        /// Overwrites a secret.
        @unsafe
        static func cleanse(_ memory: UnsafeMutableRawPointer, _ size: Int) {
            _ = unsafe memset_s(memory, size, 0, size)
        }
    }
#endif
