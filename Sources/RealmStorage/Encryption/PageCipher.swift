internal import RealmLayout

/// Decrypts and authenticates pages: AES-256-CBC, and HMAC-SHA-224 of the encrypted bytes (Spec 130).
///
/// Its contexts are created once and used for many pages, by one thread at a time: `EncryptedPages` hands ciphers out.
@safe
package final class PageCipher: @unchecked Sendable {
    private let aes: OpaquePointer
    private let hmac: OpaquePointer
    /// The last computed code, followed by the initialisation vector, and the copies of an entry and a page.
    private let scratch: UnsafeMutablePointer<UInt8>

    /// The size of a message authentication code in bytes.
    package static let codeSize = 28
    private static let vectorStart = 32
    private static let entryStart = 64
    private static let pageStart = 128
    private static let scratchSize = pageStart + PageGeometry.pageSize

    /// Creates contexts with the halves of `key`; nil if the system lacks an algorithm.
    init?(_ key: EncryptionKey) {
        let contexts = unsafe key.withHalves { aes, hmac in
            unsafe (
                aes: SystemCrypto.makeAES(aes, encrypts: false),
                hmac: SystemCrypto.makeHMAC(hmac, EncryptionKey.halfCount)
            )
        }
        guard let aes = unsafe contexts.aes, let hmac = unsafe contexts.hmac else {
            unsafe SystemCrypto.freeAES(contexts.aes)
            unsafe SystemCrypto.freeHMAC(contexts.hmac)
            return nil
        }
        unsafe (self.aes, self.hmac) = (aes, hmac)
        unsafe scratch = UnsafeMutablePointer.allocate(capacity: Self.scratchSize)
        unsafe scratch.initialize(repeating: 0, count: Self.scratchSize)
    }

    deinit {
        // These calls also overwrite the keys in the contexts.
        unsafe SystemCrypto.freeAES(aes)
        unsafe SystemCrypto.freeHMAC(hmac)
        unsafe scratch.deallocate()
    }

    /// Copies a page's entry and its encrypted bytes to memory that stays in the processor's cache.
    ///
    /// - Returns: the copies, valid until the next call.
    func copy(entry: ByteView, page: ByteView) -> (entry: ByteView, page: ByteView) {
        (
            copy(entry, to: Self.entryStart, count: PageGeometry.entrySize),
            copy(page, to: Self.pageStart, count: PageGeometry.pageSize)
        )
    }

    private func copy(_ bytes: ByteView, to offset: Int, count: Int) -> ByteView {
        let start = unsafe UnsafeMutableRawPointer(scratch + offset)
        unsafe start.copyMemory(from: bytes.base, byteCount: count)
        return unsafe ByteView(base: UnsafeRawPointer(start), count: count)
    }

    /// Computes the code of `bytes`, for `matches`.
    func authenticate(_ bytes: ByteView) {
        let start = unsafe bytes.base.assumingMemoryBound(to: UInt8.self)
        guard unsafe SystemCrypto.runHMAC(hmac, start, bytes.count, scratch) else {
            // Out of memory; zeros match no code in use.
            unsafe scratch.update(repeating: 0, count: Self.codeSize)
            return
        }
    }

    /// Whether the last computed code equals the one at `offset` of `table`. The caller has checked the bounds.
    func matches(_ table: ByteView, at offset: Int) -> Bool {
        unsafe SystemCrypto.areEqual(scratch, table.base + offset, Self.codeSize)
    }

    /// Decrypts the page that was copied last.
    ///
    /// - Parameters:
    ///   - page: the destination.
    ///   - counter: the counter in the page's entry for the write of these bytes.
    ///   - offset: the offset of the page in the data.
    /// - Returns: false if it failed for lack of memory.
    func decrypt(to page: PageMemory.Page, counter: UInt32, offset: Int) -> Bool {
        let vector = unsafe scratch + Self.vectorStart
        unsafe Self.storeVector(counter: counter, offset: offset, to: vector)
        let start = unsafe page.start.assumingMemoryBound(to: UInt8.self)
        return unsafe SystemCrypto.runAES(aes, vector, scratch + Self.pageStart, start, PageGeometry.pageSize)
    }

    /// Stores the 16 bytes of a page's initialisation vector.
    @unsafe
    static func storeVector(counter: UInt32, offset: Int, to start: UnsafeMutablePointer<UInt8>) {
        let vector = UnsafeMutableRawPointer(start)
        unsafe vector.storeBytes(of: counter.littleEndian, as: UInt32.self)
        unsafe vector.storeBytes(of: Int64(offset).littleEndian, toByteOffset: 4, as: Int64.self)
        unsafe vector.storeBytes(of: 0, toByteOffset: 12, as: UInt32.self)
    }
}
