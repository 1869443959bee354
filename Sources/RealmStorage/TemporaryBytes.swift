package import RealmLayout
internal import RealmSystem

/// Bytes that are made one after another and then read as a file, in an unnamed file in the folder for temporary files.
package final class TemporaryBytes {
    private static let bufferSize = 1 << 20

    private let file: OpenedFile
    private var buffer = GrowingBytes()
    /// The number of bytes.
    package private(set) var count = 0

    /// Creates the file.
    ///
    /// - Throws: `StorageError` if it cannot be created.
    package init() throws(StorageError) { file = try .unnamed() }

    /// Appends bytes.
    ///
    /// - Throws: `StorageError` if the disk is full.
    package func append(_ bytes: ByteView) throws(StorageError) {
        count += bytes.count
        if bytes.count >= Self.bufferSize {
            try write()
            try writeAll(bytes, to: file.descriptor, path: file.path)
        } else {
            buffer.append(bytes)
            try writeIfFull()
        }
    }

    /// Appends a byte.
    ///
    /// - Throws: as `append` of bytes.
    package func append(_ byte: UInt8) throws(StorageError) {
        count += 1
        buffer.append(byte)
        try writeIfFull()
    }

    private func writeIfFull() throws(StorageError) {
        if buffer.view.count >= Self.bufferSize { try write() }
    }

    private func write() throws(StorageError) {
        try writeAll(buffer.view, to: file.descriptor, path: file.path)
        buffer.truncate()
    }

    /// Ends appending.
    ///
    /// - Returns: the bytes.
    /// - Throws: as `append`, or if the file cannot be mapped.
    package func source() throws(StorageError) -> ByteSource {
        try write()
        return try ByteSource(mapping: file)
    }
}
