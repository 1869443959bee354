package import RealmLayout
internal import RealmSystem

/// Reserved address space that takes memory only where it is used. Content never moves.
@safe
package final class ReservedMemory: @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    /// The number of usable bytes.
    package let size: Int

    /// Reserves as much as the system allows, by halving the request.
    ///
    /// - Parameters:
    ///   - most: the bytes of the first request: a power of two.
    ///   - least: the smallest useful number of bytes.
    /// - Throws: `StorageError` if not even that is available.
    package init(most: Int = 1 << 36, least: Int = 1 << 24) throws(StorageError) {
        var size = most
        while true {
            let flags = MAP_PRIVATE | Self.anonymous | Self.unreserved
            let memory = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
            if let memory = unsafe memory, unsafe memory != MAP_FAILED {
                unsafe base = memory
                self.size = size
                askForLargePages()
                return
            }
            guard size / 2 >= least else { throw .last("cannot reserve memory", "memory") }
            size /= 2
        }
    }

    deinit { unsafe munmap(base, size) }

    /// Beyond this many bytes, memory is used in large amounts at once.
    private static let smallPages = 1 << 22

    /// Requests large pages for the part that only large transactions use: each first touch of a page costs a system
    /// call.
    private func askForLargePages() {
        #if os(Linux)
            guard size > Self.smallPages else { return }
            unsafe madvise(base + Self.smallPages, size - Self.smallPages, MADV_HUGEPAGE)
        #endif
    }

    #if canImport(Darwin)
        private static var anonymous: Int32 { MAP_ANON }
        private static var unreserved: Int32 { MAP_NORESERVE }
    #else
        private static var anonymous: Int32 { Int32(MAP_ANONYMOUS) }
        private static var unreserved: Int32 { Int32(MAP_NORESERVE) }
    #endif

    /// The first byte.
    @unsafe package var start: UnsafeMutableRawPointer { unsafe base }

    /// Returns the memory beyond an offset to the system; it reads as zeros afterwards.
    package func forget(behind offset: Int) {
        guard offset < size else { return }
        unsafe madvise(base + offset, size - offset, Self.unneeded)
    }

    #if canImport(Darwin)
        private static var unneeded: Int32 { MADV_FREE }
    #else
        private static var unneeded: Int32 { Int32(MADV_DONTNEED) }
    #endif

    /// The first `count` bytes, valid as long as the memory lives.
    ///
    /// - Precondition: `count` is within the size.
    package func view(_ count: Int) -> ByteView {
        precondition(count >= 0 && count <= size, "beyond the reserved memory")
        return unsafe ByteView(base: UnsafeRawPointer(base), count: count)
    }

    /// Stores `bytes` at an offset.
    ///
    /// - Precondition: they fit.
    package func store(_ bytes: ByteView, at offset: Int) {
        precondition(offset >= 0 && bytes.count <= size - offset, "beyond the reserved memory")
        unsafe (base + offset).copyMemory(from: bytes.base, byteCount: bytes.count)
    }
}
