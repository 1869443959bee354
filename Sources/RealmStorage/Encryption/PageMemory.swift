internal import RealmLayout
internal import RealmSystem
internal import Synchronization

/// Address space for all data of an encrypted file, of which only pages in use take memory.
///
/// Data has the same offsets as in a mapped plain file, so that nodes that span pages are contiguous and views stay
/// plain pointers. One atomic word for each page records whether its data is present.
@safe
final class PageMemory: @unchecked Sendable {
    /// A page that only its holder may write.
    @safe
    struct Page {
        let start: UnsafeMutableRawPointer

        /// Overwrites all bytes.
        func clear() { unsafe memset(start, 0, PageGeometry.pageSize) }

        /// Replaces the first bytes; at most a whole page.
        func fill(_ bytes: ByteView) {
            precondition(bytes.count <= PageGeometry.pageSize, "more than a page")
            unsafe start.copyMemory(from: bytes.base, byteCount: bytes.count)
        }

        /// The bytes, valid as long as the memory lives.
        var view: ByteView { unsafe ByteView(base: UnsafeRawPointer(start), count: PageGeometry.pageSize) }
    }

    /// The data; zeros for pages that are not present.
    let view: ByteView
    /// The number of data pages that share a page of the machine, and are released together.
    let pagesInFrame: Int

    private let start: UnsafeMutableRawPointer
    private let size: Int
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let wordsSize: Int
    private let frames: UnsafeMutablePointer<Atomic<UInt8>>
    private let framesSize: Int

    /// Reserves address space for `pageCount` pages.
    ///
    /// - Throws: `StorageError` if the system has none.
    init(pageCount: Int, path: String) throws(StorageError) {
        pagesInFrame = max(1, Int(getpagesize()) / PageGeometry.pageSize)
        size = pageCount * PageGeometry.pageSize
        wordsSize = pageCount * MemoryLayout<Atomic<UInt64>>.stride
        framesSize = pageCount / pagesInFrame + 1
        unsafe start = try Self.reserve(size, path)
        unsafe words = try Self.reserve(wordsSize, path).bindMemory(to: Atomic<UInt64>.self, capacity: pageCount)
        unsafe frames = try Self.reserve(framesSize, path).bindMemory(to: Atomic<UInt8>.self, capacity: framesSize)
        unsafe view = ByteView(base: UnsafeRawPointer(start), count: size)
        #if os(Linux)
            // Huge pages would take 2 MiB for the first byte of each. Crash dumps must not contain plain text.
            unsafe madvise(start, size, MADV_NOHUGEPAGE)
            unsafe madvise(start, size, MADV_DONTDUMP)
        #endif
    }

    deinit {
        unsafe munmap(start, size)
        unsafe munmap(words, wordsSize)
        unsafe munmap(frames, framesSize)
    }

    private static func reserve(_ size: Int, _ path: String) throws(StorageError) -> UnsafeMutableRawPointer {
        let map = unsafe mmap(
            nil, max(size, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else {
            throw .last("cannot reserve \(size) bytes for decrypted pages of", path)
        }
        return unsafe map
    }

    /// Page `index`, which the caller has bounds-checked and owns exclusively.
    func page(_ index: Int) -> Page { unsafe Page(start: start + index * PageGeometry.pageSize) }

    /// Returns the memory of frame `index`, whose pages the caller owns exclusively, to the system. Linux takes it
    /// at once and clears it before reuse. Other systems take it when memory is short, so it is cleared first.
    func release(frame index: Int) {
        let frameSize = pagesInFrame * PageGeometry.pageSize
        let offset = index * frameSize
        #if os(Linux)
            unsafe madvise(start + offset, min(frameSize, size - offset), MADV_DONTNEED)
        #else
            unsafe memset(start + offset, 0, min(frameSize, size - offset))
            unsafe madvise(start + offset, min(frameSize, size - offset), MADV_FREE)
        #endif
    }

    /// The word of page `index`, with acquire semantics.
    @inline(__always)
    func word(_ index: Int) -> PageWord { unsafe PageWord(bits: words[index].load(ordering: .acquiring)) }

    /// Replaces the word of page `index`, if it still equals `old`.
    func exchange(_ index: Int, _ old: PageWord, for new: PageWord) -> Bool {
        unsafe words[index].compareExchange(
            expected: old.bits, desired: new.bits, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// Sets the word of page `index`, which the caller owns exclusively.
    func set(_ index: Int, _ word: PageWord) { unsafe words[index].store(word.bits, ordering: .releasing) }

    /// Records that frame `index` has data; false if that was recorded already.
    func noteInUse(frame index: Int) -> Bool {
        unsafe frames[index].exchange(1, ordering: .acquiringAndReleasing) == 0
    }

    /// Records that frame `index` has no data.
    func noteEmpty(frame index: Int) { unsafe frames[index].store(0, ordering: .releasing) }
}

/// The state of a page's data, in one word that changes atomically.
struct PageWord: Equatable {
    var bits: UInt64

    /// The page has no data.
    static let absent = PageWord(bits: 0)
    /// One thread is filling or emptying the page.
    static let busy = PageWord(bits: 1)

    /// The page has data, last used at that time of the cache's clock.
    static func present(at epoch: UInt64, isPinned: Bool) -> PageWord {
        PageWord(bits: epoch << 3 | (isPinned ? 4 : 0) | 2)
    }

    /// Whether the page has data.
    var isPresent: Bool { bits & 2 != 0 }
    /// Whether the data stays until the file is closed.
    var isPinned: Bool { bits & 4 != 0 }
    /// The time of the last use.
    var epoch: UInt64 { bits >> 3 }
}
