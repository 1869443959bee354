internal import RealmLayout
internal import RealmSystem
internal import Synchronization

/// Address space for all data of an encrypted file, of which only pages that are in use take memory.
///
/// Data is where it would be in a mapped plain file, so that nodes that span pages are contiguous and views stay plain
/// pointers. With it comes one atomic word a page, which says whether its data is there.
@safe
final class PageMemory: @unchecked Sendable {
    /// A page that its user alone may write.
    @safe
    struct Page {
        let start: UnsafeMutableRawPointer

        /// Overwrites all bytes.
        func clear() { unsafe memset(start, 0, PageGeometry.pageSize) }

        /// Replaces as many of the first bytes, at most those of a page.
        func fill(_ bytes: ByteView) {
            precondition(bytes.count <= PageGeometry.pageSize, "more than a page")
            unsafe start.copyMemory(from: bytes.base, byteCount: bytes.count)
        }

        /// The bytes, which stay as long as the memory does.
        var view: ByteView { unsafe ByteView(base: UnsafeRawPointer(start), count: PageGeometry.pageSize) }
    }

    /// The data; zeros where no page was written.
    let view: ByteView
    /// Pages of data that share a page of the machine, and so are given back together.
    let pagesInFrame: Int

    private let start: UnsafeMutableRawPointer
    private let size: Int
    private let words: UnsafeMutablePointer<Atomic<UInt64>>
    private let wordsSize: Int
    private let frames: UnsafeMutablePointer<Atomic<UInt8>>
    private let framesSize: Int

    /// Reserves room for `pageCount` pages.
    ///
    /// - Throws: `StorageError` when the system has no such room.
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
            // Huge pages would take 2 MiB for the first byte of each, and dumps of a crash need no plain text.
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

    /// Page `index`, which the caller has proven to be there and made its own.
    func page(_ index: Int) -> Page { unsafe Page(start: start + index * PageGeometry.pageSize) }

    /// Gives the memory of frame `index`, whose pages are the caller's own, back to the system: at once on Linux, which
    /// clears it before anybody else gets it; when memory is short elsewhere, so that it is cleared first.
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

    /// The word of page `index`, as other threads have left it.
    @inline(__always)
    func word(_ index: Int) -> PageWord { unsafe PageWord(bits: words[index].load(ordering: .acquiring)) }

    /// Replaces the word of page `index`, if it is still `old`.
    func exchange(_ index: Int, _ old: PageWord, for new: PageWord) -> Bool {
        unsafe words[index].compareExchange(
            expected: old.bits, desired: new.bits, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// Sets the word of page `index`, which the caller has made its own.
    func set(_ index: Int, _ word: PageWord) { unsafe words[index].store(word.bits, ordering: .releasing) }

    /// Notes that frame `index` has data; false when it was noted before.
    func noteInUse(frame index: Int) -> Bool {
        unsafe frames[index].exchange(1, ordering: .acquiringAndReleasing) == 0
    }

    /// Notes that frame `index` has no data.
    func noteEmpty(frame index: Int) { unsafe frames[index].store(0, ordering: .releasing) }
}

/// What is known of a page's data, in one word that changes as a whole.
struct PageWord: Equatable {
    var bits: UInt64

    /// Nothing is there.
    static let absent = PageWord(bits: 0)
    /// One thread is filling or emptying the page.
    static let busy = PageWord(bits: 1)

    /// Data is there, used last at that time of the cache's clock.
    static func present(at epoch: UInt64, isPinned: Bool) -> PageWord {
        PageWord(bits: epoch << 3 | (isPinned ? 4 : 0) | 2)
    }

    /// Whether data is there.
    var isPresent: Bool { bits & 2 != 0 }
    /// Whether the data stays until the file is closed.
    var isPinned: Bool { bits & 4 != 0 }
    /// When the data was used last.
    var epoch: UInt64 { bits >> 3 }
}
