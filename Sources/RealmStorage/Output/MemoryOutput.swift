package import RealmLayout
internal import RealmSystem
internal import Synchronization

/// A new file that stays in memory: implements the system calls without a disk.
package final class MemoryOutput: OutputSystem {
    /// A path that cannot exist.
    package static let path = "/dev/null/memory"

    private let content = Mutex<[UInt8]>([])

    /// Creates an empty file.
    package init() {}

    /// The written bytes.
    package var bytes: [UInt8] { content.withLock { $0 } }

    package func createFile(_ path: String, permissions: UInt32) -> Int { 0 }
    package func openFile(_ path: String) -> Int { -Int(ENOENT) }

    package func writeBytes(_ bytes: ByteView, to descriptor: Int32, at offset: Int?) -> Int {
        content.withLock { content in
            let start = offset ?? content.count
            let end = start + bytes.count
            if content.count < end { content += [UInt8](repeating: 0, count: end - content.count) }
            content.replaceSubrange(start..<end, with: bytes.bytes)
        }
        return bytes.count
    }

    package func synchronize(_ descriptor: Int32) -> Int { 0 }
    package func growFile(_ descriptor: Int32, to size: Int) -> Int { 0 }
    package func closeFile(_ descriptor: Int32) -> Int { 0 }
    package func renameFile(_ path: String, to other: String) -> Int { 0 }
    package func linkFile(_ path: String, as other: String) -> Int { -Int(ENOENT) }
    package func removeFile(_ path: String) -> Int { 0 }
    package func synchronizeFolder(_ path: String) -> Int { 0 }
    package func lockFile(_ path: String) -> Int { -Int(ENOENT) }
    package func unlockFile(_ descriptor: Int32) -> Int { 0 }
    package func truncateFile(_ descriptor: Int32) -> Int { 0 }
}
