internal import RealmLayout

/// Encrypts pages (Spec 130): either pages of a new file, written for the first time, with their pages of entries; or
/// pages that are rewritten.
@safe
final class PageSealer {
    /// The number of pages that are encrypted at a time: four blocks.
    static let mostPages = 4 * PageGeometry.pagesInBlock
    /// The counter of a page that has been written once.
    private static let counter: UInt32 = 1
    private static let vectorSize = 16

    private let aes: OpaquePointer
    private let hmac: OpaquePointer
    /// Pages of entries and encrypted pages in the order of the file, followed by an initialisation vector.
    private let blocks: UnsafeMutablePointer<UInt8>
    private static let blocksSize = mostPages / PageGeometry.pagesInBlock * PageGeometry.blockSize

    /// Creates contexts with the halves of `key`.
    ///
    /// - Throws: `StorageError` if the system lacks an algorithm.
    init(_ key: EncryptionKey) throws(StorageError) {
        let contexts = unsafe key.withHalves { aes, hmac in
            unsafe (
                aes: SystemCrypto.makeAES(aes, encrypts: true),
                hmac: SystemCrypto.makeHMAC(hmac, EncryptionKey.halfCount)
            )
        }
        guard let aes = unsafe contexts.aes, let hmac = unsafe contexts.hmac else {
            unsafe SystemCrypto.freeAES(contexts.aes)
            unsafe SystemCrypto.freeHMAC(contexts.hmac)
            throw .withoutCipher
        }
        unsafe (self.aes, self.hmac) = (aes, hmac)
        unsafe blocks = UnsafeMutablePointer.allocate(capacity: Self.blocksSize + Self.vectorSize)
        unsafe blocks.initialize(repeating: 0, count: Self.blocksSize + Self.vectorSize)
    }

    deinit {
        // These calls also overwrite the keys in the contexts.
        unsafe SystemCrypto.freeAES(aes)
        unsafe SystemCrypto.freeHMAC(hmac)
        unsafe blocks.deallocate()
    }

    /// Encrypts the data from `offset` on.
    ///
    /// - Parameters:
    ///   - data: whole pages, at most `mostPages`.
    ///   - offset: their offset in the data: the start of a block.
    /// - Returns: the bytes of the encrypted file from that block on, valid until the next call.
    /// - Throws: `StorageError` if it fails for lack of memory.
    func seal(_ data: ByteView, at offset: Int) throws(StorageError) -> ByteView {
        assert(data.count % PageGeometry.pageSize == 0 && data.count <= Self.mostPages * PageGeometry.pageSize)
        let size = PageGeometry.fileSize(forData: data.count)
        for table in stride(from: 0, to: size, by: PageGeometry.blockSize) {
            unsafe (blocks + table).update(repeating: 0, count: PageGeometry.pageSize)
        }
        for page in 0..<data.count / PageGeometry.pageSize {
            let start = page * PageGeometry.pageSize
            try seal(data.slice(unchecked: start, count: PageGeometry.pageSize), page, at: offset + start)
        }
        return unsafe ByteView(base: UnsafeRawPointer(blocks), count: size)
    }

    /// Encrypts pages that are rewritten, or added to a file in use.
    ///
    /// - Parameters:
    ///   - data: whole pages of one block.
    ///   - offset: their offset in the data.
    ///   - entries: their current entries.
    ///   - keepsBefore: whether the pages hold the result of the write before the last, as after a loss of power.
    /// - Returns: the new entries and the encrypted pages, valid until the next call.
    /// - Throws: as `seal(_:at:)`.
    func seal(
        again data: ByteView, at offset: Int, entries: ByteView, keepsBefore: Bool = false
    ) throws(StorageError) -> (entries: ByteView, pages: ByteView) {
        let count = data.count / PageGeometry.pageSize
        precondition(count <= PageGeometry.pagesInBlock && entries.count == count * PageGeometry.entrySize, "no block")
        let half = PageGeometry.entrySize / 2
        for index in 0..<count {
            let start = index * PageGeometry.pageSize
            let page = data.slice(unchecked: start, count: PageGeometry.pageSize)
            let old = entries.slice(unchecked: index * PageGeometry.entrySize, count: PageGeometry.entrySize)
            let entry = unsafe UnsafeMutableRawPointer(blocks + PageGeometry.offset(ofEntryOfPage: index))
            let kept = old.slice(unchecked: keepsBefore ? half : 0, count: half)
            unsafe (entry + half).copyMemory(from: kept.base, byteCount: half)
            var counter = old.uint32(unchecked: 0)
            repeat {
                // With the same code, the two writes could not be distinguished.
                counter = max(1, counter &+ 1)
                try seal(page, index, at: offset + start, counter: counter)
            } while unsafe SystemCrypto.areEqual(entry + 4, entry + half + 4, PageCipher.codeSize)
        }
        let pages = unsafe blocks + PageGeometry.offset(ofPage: 0)
        return unsafe (
            ByteView(base: UnsafeRawPointer(blocks), count: count * PageGeometry.entrySize),
            ByteView(base: UnsafeRawPointer(pages), count: count * PageGeometry.pageSize)
        )
    }

    /// Encrypts a page as a write with a given counter does.
    ///
    /// - Returns: the code and the encrypted page, valid until the next call.
    /// - Throws: as `seal(_:at:)`.
    func seal(page: ByteView, at offset: Int, counter: UInt32) throws(StorageError) -> (code: ByteView, page: ByteView)
    {
        try seal(page, 0, at: offset, counter: counter)
        let encrypted = unsafe blocks + PageGeometry.offset(ofPage: 0)
        return unsafe (
            ByteView(base: UnsafeRawPointer(blocks + 4), count: PageCipher.codeSize),
            ByteView(base: UnsafeRawPointer(encrypted), count: PageGeometry.pageSize)
        )
    }

    /// Encrypts page `index` in memory, and fills its entry.
    private func seal(
        _ data: ByteView, _ index: Int, at offset: Int, counter: UInt32 = PageSealer.counter
    ) throws(StorageError) {
        let vector = unsafe blocks + Self.blocksSize
        unsafe PageCipher.storeVector(counter: counter, offset: offset, to: vector)
        let page = unsafe blocks + PageGeometry.offset(ofPage: index)
        let entry = unsafe blocks + PageGeometry.offset(ofEntryOfPage: index)
        unsafe UnsafeMutableRawPointer(entry).storeBytes(of: counter.littleEndian, as: UInt32.self)
        let plain = unsafe data.base.assumingMemoryBound(to: UInt8.self)
        guard unsafe SystemCrypto.runAES(aes, vector, plain, page, PageGeometry.pageSize),
            unsafe SystemCrypto.runHMAC(hmac, page, PageGeometry.pageSize, entry + 4)
        else { throw .withoutCipher }
    }
}
