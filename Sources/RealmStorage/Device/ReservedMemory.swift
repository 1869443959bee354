package import RealmLayout
internal import RealmSystem

/// Addresses of which the system gives memory to those that are used: what lies there never moves.
@safe
package final class ReservedMemory: @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    /// Bytes that can be used.
    package let size: Int

    /// Reserves as much as the system allows.
    ///
    /// - Parameters:
    ///   - most: the bytes to ask for at first: a power of two.
    ///   - least: the fewest that are of any use.
    /// - Throws: `StorageError` when it has no room for the fewest.
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

    /// Behind so many bytes memory is in demand that comes in large pieces at once.
    private static let smallPages = 1 << 22

    /// Lets what large transactions use come in large pages: each page that is touched first costs a call of the system.
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

    /// Gives the memory behind an offset back; zeros are there then.
    package func forget(behind offset: Int) {
        guard offset < size else { return }
        unsafe madvise(base + offset, size - offset, Self.unneeded)
    }

    #if canImport(Darwin)
        private static var unneeded: Int32 { MADV_FREE }
    #else
        private static var unneeded: Int32 { Int32(MADV_DONTNEED) }
    #endif

    /// The first `count` bytes, which are there as long as the memory is.
    ///
    /// - Precondition: there are as many.
    package func view(_ count: Int) -> ByteView {
        precondition(count >= 0 && count <= size, "beyond the reserved memory")
        return unsafe ByteView(base: UnsafeRawPointer(base), count: count)
    }

    /// Puts `bytes` at an offset.
    ///
    /// - Precondition: there is room for them.
    package func store(_ bytes: ByteView, at offset: Int) {
        precondition(offset >= 0 && bytes.count <= size - offset, "beyond the reserved memory")
        unsafe (base + offset).copyMemory(from: bytes.base, byteCount: bytes.count)
    }
}
