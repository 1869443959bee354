package import RealmLayout
internal import RealmSystem
internal import Synchronization

/// A database in memory, lost when the process ends.
package final class MemoryDevice: DatabaseDevice {
    package let path: String
    private let memory: ReservedMemory
    private let identity: DeviceIdentity
    private let used: Atomic<Int>

    /// Copies `bytes`.
    ///
    /// - Parameter former: the previous device of the content; nil for new content.
    /// - Throws: `StorageError` if there is no memory.
    package init(
        _ bytes: [UInt8], named name: String = "memory", replacing former: DeviceIdentity? = nil
    ) throws(StorageError) {
        path = name
        identity = DeviceIdentity(replacing: former)
        // Less than for a transaction: thousands of databases in memory may be open at once.
        memory = try ReservedMemory(most: 1 << 34, least: max(1 << 24, bytes.count * 2))
        used = Atomic(bytes.count)
        ByteView.with(bytes) { memory.store($0, at: 0) }
    }

    private var count: Int { used.load(ordering: .acquiring) }

    package func size() throws(StorageError) -> Int { count }

    package func write(_ bytes: ByteView, at offset: Int) throws(StorageError) {
        guard bytes.count <= count - offset else { throw full }
        memory.store(bytes, at: offset)
    }

    package func grow(to size: Int) throws(StorageError) {
        guard size <= memory.size else { throw full }
        used.store(max(count, size), ordering: .releasing)
    }

    package func synchronize() throws(StorageError) {}

    package func map(_ size: Int) throws(StorageError) -> ByteSource {
        guard size <= count else { throw full }
        return ByteSource(memory.view(size), of: memory, on: identity)
    }

    package func mapWithRoom(_ size: Int) throws(StorageError) -> ByteSource {
        guard size <= count else { throw full }
        return ByteSource(memory.view(min(memory.size, max(1 << 26, size * 2))), of: memory, on: identity)
    }

    private var full: StorageError { StorageError(code: ENOMEM, action: "cannot grow", path: path) }
}
