internal import CLibCrypto
internal import RealmLayout

/// Decrypts and authenticates pages with libcrypto: AES-256-CBC, and HMAC-SHA-224 of the encrypted bytes (Spec 130).
///
/// Its contexts are made once and used for many pages, by one thread at a time: `EncryptedPages` hands ciphers out.
@safe
final class PageCipher: @unchecked Sendable {
    private let aes: OpaquePointer
    private let hmac: OpaquePointer
    /// The code that was computed last, after it the initialisation vector, and the copy of an entry.
    private let scratch: UnsafeMutablePointer<UInt8>

    /// Bytes of a message authentication code.
    static let codeSize = 28
    private static let vectorStart = 32
    private static let entryStart = 64
    private static let scratchSize = entryStart + PageGeometry.entrySize

    /// Makes contexts with the halves of `key`; nil when libcrypto lacks an algorithm.
    init?(_ key: EncryptionKey) {
        let contexts = unsafe key.withHalves { aes, hmac in
            unsafe (aes: realmfile_aes_new(aes), hmac: realmfile_hmac_new(hmac, EncryptionKey.halfCount))
        }
        guard let aes = unsafe contexts.aes, let hmac = unsafe contexts.hmac else {
            unsafe EVP_CIPHER_CTX_free(contexts.aes)
            unsafe EVP_MAC_CTX_free(contexts.hmac)
            return nil
        }
        unsafe (self.aes, self.hmac) = (aes, hmac)
        unsafe scratch = UnsafeMutablePointer.allocate(capacity: Self.scratchSize)
        unsafe scratch.initialize(repeating: 0, count: Self.scratchSize)
    }

    deinit {
        // Frees overwrite the keys in the contexts.
        unsafe EVP_CIPHER_CTX_free(aes)
        unsafe EVP_MAC_CTX_free(hmac)
        unsafe scratch.deallocate()
    }

    /// Copies a page's entry.
    ///
    /// - Returns: the copy, which stays until the next call.
    func copy(_ entry: ByteView) -> ByteView {
        let start = unsafe UnsafeMutableRawPointer(scratch + Self.entryStart)
        unsafe start.copyMemory(from: entry.base, byteCount: PageGeometry.entrySize)
        return unsafe ByteView(base: UnsafeRawPointer(start), count: PageGeometry.entrySize)
    }

    /// Computes the code of `bytes`, for `matches`.
    func authenticate(_ bytes: ByteView) {
        let start = unsafe bytes.base.assumingMemoryBound(to: UInt8.self)
        guard unsafe realmfile_hmac(hmac, start, bytes.count, scratch) == 1 else {
            // Out of memory; matches no code that is in use.
            unsafe scratch.update(repeating: 0, count: Self.codeSize)
            return
        }
    }

    /// Whether the code that was computed last is the one at `offset` of `table`, which the caller has proven to be
    /// inside.
    func matches(_ table: ByteView, at offset: Int) -> Bool {
        unsafe CRYPTO_memcmp(scratch, table.base + offset, Self.codeSize) == 0
    }

    /// Decrypts a page in place.
    ///
    /// - Parameters:
    ///   - counter: what the page's entry counts for the write whose bytes these are.
    ///   - offset: where the page is in the data.
    /// - Returns: false when libcrypto failed, for want of memory.
    func decrypt(_ page: PageMemory.Page, counter: UInt32, offset: Int) -> Bool {
        let vector = unsafe UnsafeMutableRawPointer(scratch + Self.vectorStart)
        unsafe vector.storeBytes(of: counter.littleEndian, as: UInt32.self)
        unsafe vector.storeBytes(of: Int64(offset).littleEndian, toByteOffset: 4, as: Int64.self)
        unsafe vector.storeBytes(of: 0, toByteOffset: 12, as: UInt32.self)
        let start = unsafe page.start.assumingMemoryBound(to: UInt8.self)
        return unsafe realmfile_aes_decrypt(
            aes, vector.assumingMemoryBound(to: UInt8.self), start, Int32(PageGeometry.pageSize)) == 1
    }
}
