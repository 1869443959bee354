package import RealmLayout
internal import RealmSystem
internal import Synchronization

/// A database file that is changed in place.
package final class FileDevice: DatabaseDevice {
    package let path: String
    private let file: OpenedFile
    /// Readers of the maps rely on this lock: nobody else writes.
    private let session: ExclusiveSession?
    private let identity: DeviceIdentity
    private let system: any OutputSystem
    /// The last map. It is usually larger than the file, and serves later calls too.
    private let lastMap = Mutex<FileMap?>(nil)

    /// Opens the file at `path` for reading and writing.
    ///
    /// - Parameters:
    ///   - session: the lock on the database, held until the device and all maps are gone.
    ///   - former: the previous device of the content; nil for new content.
    /// - Throws: `StorageError` if it cannot be opened, or is not a file.
    package init(
        path: String, session: ExclusiveSession? = nil, replacing former: DeviceIdentity? = nil,
        system: any OutputSystem = RealSystem()
    ) throws(StorageError) {
        self.path = path
        self.session = session
        self.system = system
        identity = DeviceIdentity(replacing: former)
        file = try OpenedFile(changing: path)
    }

    /// Whether the path still leads to this file.
    package var hasItsName: Bool { file.isAt(path) }

    package func size() throws(StorageError) -> Int { try file.size() }

    package func write(_ bytes: ByteView, at offset: Int) throws(StorageError) {
        try system.writeAll(bytes, to: file.descriptor, at: offset, path: path)
    }

    package func grow(to size: Int) throws(StorageError) {
        try check(system.growFile(file.descriptor, to: size))
    }

    package func synchronize() throws(StorageError) { try check(system.synchronizeData(file.descriptor)) }

    package func order() throws(StorageError) { try check(system.order(file.descriptor)) }

    private func check(_ result: Int) throws(StorageError) {
        guard result >= 0 else { throw StorageError(code: Int32(-result), action: "cannot write", path: path) }
    }

    package func map(_ size: Int) throws(StorageError) -> ByteSource {
        let map = try fileMap(size)
        return ByteSource(map.view(size), of: map, on: identity)
    }

    package func mapWithRoom(_ size: Int) throws(StorageError) -> ByteSource {
        let map = try fileMap(size)
        return ByteSource(map.view(map.size), of: map, on: identity)
    }

    private func fileMap(_ size: Int) throws(StorageError) -> FileMap {
        if let last = knownMap(), last.size >= size { return last }
        let map = try FileMap(file, size: FileMap.withRoom(size), session)
        keep(map)
        return map
    }

    // Out of line: with an inlined lock, the compiler (6.3) loses whether functions that throw a `StorageError` threw.

    @inline(never)
    private func knownMap() -> FileMap? { lastMap.withLock { $0 } }

    @inline(never)
    private func keep(_ map: FileMap) { lastMap.withLock { $0 = map } }
}

/// A file mapped with addresses beyond its end, which must not be read before the file has grown to them.
@safe
private final class FileMap: @unchecked Sendable {
    private let base: UnsafeRawPointer
    let size: Int
    private let session: ExclusiveSession?

    init(_ file: OpenedFile, size: Int, _ session: ExclusiveSession?) throws(StorageError) {
        let map = unsafe mmap(nil, size, PROT_READ, MAP_SHARED, file.descriptor, 0)
        guard let map = unsafe map, unsafe map != MAP_FAILED else { throw .last("cannot map", file.path) }
        unsafe base = UnsafeRawPointer(map)
        self.size = size
        self.session = session
    }

    deinit { unsafe munmap(UnsafeMutableRawPointer(mutating: base), size) }

    /// The number of bytes to map for a file of `size` bytes.
    static func withRoom(_ size: Int) -> Int {
        #if os(Linux)
            // Bytes that the file gains later show in a map made in advance; addresses cost nothing.
            max(1 << 22, size * 2)
        #else
            size
        #endif
    }

    func view(_ count: Int) -> ByteView {
        precondition(count <= size, "beyond the map")
        return unsafe ByteView(base: base, count: count)
    }
}
