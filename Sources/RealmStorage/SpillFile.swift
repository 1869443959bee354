package import RealmLayout
internal import RealmSystem

/// An unnamed file for data that grows with the content of a database and is read in the order in which it was written.
/// Memory holds only one piece of each run of bytes that is being written or read.
package final class SpillFile {
    /// The bytes written at a time, except for the last piece of a run.
    package static let pieceSize = 1 << 14

    private let folder: ScratchFolder
    /// Created by the first write.
    private var file: OpenedFile?
    private var end = 0
    /// The offsets of pieces that are no longer needed.
    private var free: [Int] = []

    /// Prepares a file without creating it.
    package init(in folder: ScratchFolder) { self.folder = folder }

    /// Writes a piece.
    ///
    /// - Returns: its offset.
    /// - Throws: `StorageError` if the disk is full, or the file cannot be created in the folder.
    fileprivate func write(_ piece: ByteView) throws(StorageError) -> Int {
        let file = try opened()
        let place = free.popLast() ?? end
        if place == end { end += Self.pieceSize }
        try RealSystem().writeAll(piece, to: file.descriptor, at: place, path: file.path)
        return place
    }

    private func opened() throws(StorageError) -> OpenedFile {
        if let file { return file }
        let new = try folder.makeFile()
        file = new
        return new
    }

    @unsafe
    fileprivate func read(
        into memory: UnsafeMutableRawPointer, count: Int, at place: Int
    ) throws(StorageError) {
        guard let file else { return }
        unsafe try file.readBytes(into: memory, count: count, at: place)
    }

    fileprivate func release(_ pieces: [Int]) { free += pieces }
}

/// A run of bytes in a `SpillFile`.
@safe
package final class SpilledBytes {
    fileprivate let file: SpillFile
    fileprivate private(set) var pieces: [Int] = []
    /// The number of bytes.
    package private(set) var count = 0
    private var buffer: UnsafeMutableRawPointer?
    private var filled = 0

    /// Creates an empty run.
    package init(_ file: SpillFile) { self.file = file }

    deinit { removeAll() }

    /// Removes all bytes.
    package func removeAll() {
        unsafe buffer?.deallocate()
        unsafe buffer = nil
        file.release(pieces)
        pieces.removeAll()
        (count, filled) = (0, 0)
    }

    /// Appends a trivial value.
    @inline(__always)
    package func append<Value: BitwiseCopyable>(_ value: Value) throws(StorageError) {
        let result: Result<Void, StorageError> = unsafe withUnsafeBytes(of: value) { bytes in
            guard let base = bytes.baseAddress else { return .success(()) }
            do throws(StorageError) {
                return .success(try append(unsafe ByteView(base: base, count: bytes.count)))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Appends bytes.
    ///
    /// - Throws: `StorageError` if the disk is full.
    package func append(_ bytes: ByteView) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            if filled == SpillFile.pieceSize { try writePiece() }
            let memory = unsafe buffer ?? .allocate(byteCount: SpillFile.pieceSize, alignment: 16)
            unsafe buffer = memory
            let step = min(bytes.count - done, SpillFile.pieceSize - filled)
            unsafe (memory + filled).copyMemory(from: bytes.base + done, byteCount: step)
            filled += step
            done += step
        }
        count += bytes.count
    }

    /// Appends the rest of a file.
    ///
    /// - Throws: `StorageError` if reading fails, or the disk is full.
    package func append(contentsOf file: OpenedFile) throws(StorageError) {
        let size = 1 << 16
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { unsafe memory.deallocate() }
        while true {
            let count = unsafe try file.readNext(into: memory, count: size)
            if count == 0 { return }
            try append(unsafe ByteView(base: UnsafeRawPointer(memory), count: count))
        }
    }

    private func writePiece() throws(StorageError) {
        guard let memory = unsafe buffer, filled > 0 else { return }
        pieces.append(try file.write(unsafe ByteView(base: UnsafeRawPointer(memory), count: filled)))
        filled = 0
    }

    /// Ends appending and releases the buffer.
    ///
    /// - Throws: as `append`.
    package func end() throws(StorageError) {
        try writePiece()
        unsafe buffer?.deallocate()
        unsafe buffer = nil
    }
}

/// Reads a run of bytes from its beginning, after appending has ended.
@safe
package final class SpillReader {
    private let bytes: SpilledBytes
    private var buffer: UnsafeMutableRawPointer?
    private var next = 0
    private var position = 0
    private var filled = 0
    /// The number of bytes that have not been read.
    package private(set) var left: Int

    /// Begins reading.
    package init(_ bytes: SpilledBytes) {
        self.bytes = bytes
        left = bytes.count
    }

    deinit { unsafe buffer?.deallocate() }

    /// Reads a trivial value that was appended as one.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `StorageError` if reading fails.
    package func next<Value: BitwiseCopyable>(_ type: Value.Type) throws(StorageError) -> Value? {
        let size = MemoryLayout<Value>.size
        guard left >= size else { return nil }
        if filled - position >= size, let memory = unsafe buffer {
            defer { advance(size) }
            return unsafe memory.loadUnaligned(fromByteOffset: position, as: type)
        }
        let result: Result<Value, StorageError> = unsafe withUnsafeTemporaryAllocation(
            byteCount: size, alignment: 16
        ) { room in
            guard let base = room.baseAddress else { return .failure(.closed("")) }
            do throws(StorageError) {
                _ = unsafe try read(into: base, count: size)
                return .success(unsafe base.loadUnaligned(as: type))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Reads the next bytes into memory that has room for `count`.
    ///
    /// - Returns: the number of bytes: `count`, or all that are left.
    /// - Throws: `StorageError` if reading fails.
    @unsafe
    package func read(into memory: UnsafeMutableRawPointer, count: Int) throws(StorageError) -> Int {
        let wanted = min(count, left)
        var done = 0
        while done < wanted {
            if position == filled { try readPiece() }
            guard let source = unsafe buffer else { break }
            let step = min(wanted - done, filled - position)
            unsafe (memory + done).copyMemory(from: source + position, byteCount: step)
            advance(step)
            done += step
        }
        return done
    }

    private func advance(_ count: Int) {
        position += count
        left -= count
    }

    private func readPiece() throws(StorageError) {
        let memory = unsafe buffer ?? .allocate(byteCount: SpillFile.pieceSize, alignment: 16)
        unsafe buffer = memory
        filled = min(left, SpillFile.pieceSize)
        unsafe try bytes.file.read(into: memory, count: filled, at: bytes.pieces[next])
        next += 1
        position = 0
    }
}
