internal import RealmLayout
package import RealmStorage

/// The content of a gzip file, as far as it can be decompressed.
package struct GzipContent {
    private static let pieceSize = 1 << 18

    /// The decompressed bytes, in an unnamed temporary file.
    package let bytes: ByteSource
    /// The reason why they are not all; nil when they are.
    package let problem: String?

    /// Decompresses a gzip file.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Returns: Nil when there are more.
    /// - Throws: `StorageError` when there is no room.
    package init?(of file: ByteSource, limit: Int) throws(StorageError) {
        let (inflater, result) = (try Inflater("the temporary copy"), try TemporaryBytes())
        let input = InputBuffer.Bytes.memory(InputBuffer.MemoryReader(file))
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
        defer { unsafe memory.deallocate() }
        var problem: String?
        while problem == nil {
            let count: Int
            do throws(DocumentError) {
                count = unsafe try inflater.inflate(input, into: memory, count: Self.pieceSize)
            } catch {
                problem = error.detail
                break
            }
            guard count > 0 else { break }
            guard result.count + count <= limit else { return nil }
            try result.append(unsafe ByteView(base: UnsafeRawPointer(memory), count: count))
        }
        bytes = try result.source()
        self.problem = problem
    }
}
