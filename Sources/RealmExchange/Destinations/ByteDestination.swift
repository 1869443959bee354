internal import RealmLayout
internal import RealmStorage

/// The destination of one collection's bytes: a file, standard output, or a part of an archive.
protocol ByteDestination: AnyObject {
    /// Takes `bytes`, which are valid only during the call.
    func write(_ bytes: ByteView) throws(StorageError)
    /// Completes the output. Without this call nothing appears under a final name.
    func finish() throws(StorageError)
}

extension OutputFile: ByteDestination {
    func finish() throws(StorageError) { try commit() }
}

/// Standard output.
final class StandardOutputDestination: ByteDestination {
    func write(_ bytes: ByteView) throws(StorageError) { try StandardOutput.write(bytes) }
    func finish() {}
}

/// Bytes in memory.
final class MemoryDestination: ByteDestination {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: ByteView) { self.bytes += bytes.bytes }
    func finish() {}
}
