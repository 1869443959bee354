internal import RealmLayout
internal import RealmSystem

/// Memory that the system may write out when it runs short: the mapped pages of an unnamed file.
///
/// Used for data that grows with a file, such as the list of all links: sorting it takes time, but no memory that other
/// programs need. The space is reserved on the disk in advance, so that a full disk is an error here instead of a
/// signal.
@safe
package final class DiskMemory {
    private let file: OpenedFile
    private var base: UnsafeMutableRawPointer
    /// The size in bytes.
    package private(set) var size: Int

    /// Makes room for `size` bytes, at least one.
    ///
    /// - Parameter folder: the folder of the file.
    ///
    /// - Throws: `StorageError` if the disk is full, or the file system does not support it.
    package init(size: Int, in folder: ScratchFolder) throws(StorageError) {
        file = try folder.makeFileSomewhere()
        unsafe base = try Self.map(file, size)
        self.size = size
    }

    deinit { unsafe munmap(base, size) }

    /// The first byte; valid until `grow`.
    @unsafe package var start: UnsafeMutableRawPointer { unsafe base }

    /// Makes room for more bytes and keeps the content.
    ///
    /// - Throws: as the initialiser; nothing has changed then.
    package func grow(to larger: Int) throws(StorageError) {
        let new = unsafe try Self.map(file, larger)
        unsafe munmap(base, size)
        unsafe base = new
        size = larger
    }

    private static func map(_ file: OpenedFile, _ size: Int) throws(StorageError) -> UnsafeMutableRawPointer {
        #if canImport(Darwin)
            // There is no call that reserves space; only writing proves that it exists.
            guard ftruncate(file.descriptor, off_t(size)) == 0 else { throw .last("cannot grow", file.path) }
        #else
            let failure = posix_fallocate(file.descriptor, 0, off_t(size))
            guard failure == 0 else { throw StorageError(code: failure, action: "cannot grow", path: file.path) }
        #endif
        let map = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else { throw .last("cannot map", file.path) }
        return unsafe map
    }
}
