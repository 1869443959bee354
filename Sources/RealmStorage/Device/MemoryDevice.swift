package import RealmLayout
internal import RealmSystem
internal import Synchronization

/// A database in memory, which is gone with the process.
package final class MemoryDevice: DatabaseDevice {
    package let path: String
    private let memory: ReservedMemory
    private let used: Mutex<Int>

    /// A copy of `bytes`.
    ///
    /// - Throws: `StorageError` when the system has no memory.
    package init(_ bytes: [UInt8], named name: String = "memory") throws(StorageError) {
        path = name
        memory = try ReservedMemory(least: max(1 << 24, bytes.count * 2))
        used = Mutex(bytes.count)
        ByteView.with(bytes) { memory.store($0, at: 0) }
    }

    package func size() throws(StorageError) -> Int { used.withLock { $0 } }

    package func write(_ bytes: ByteView, at offset: Int) throws(StorageError) {
        guard bytes.count <= used.withLock({ $0 }) - offset else { throw full }
        memory.store(bytes, at: offset)
    }

    package func grow(to size: Int) throws(StorageError) {
        guard size <= memory.size else { throw full }
        used.withLock { $0 = max($0, size) }
    }

    package func synchronize() throws(StorageError) {}

    package func map(_ size: Int) throws(StorageError) -> ByteSource {
        guard size <= used.withLock({ $0 }) else { throw full }
        return ByteSource(memory.view(size), of: memory)
    }

    private var full: StorageError { StorageError(code: ENOMEM, action: "cannot grow", path: path) }
}
