package import RealmLayout
internal import RealmSystem

/// A file without a name for what grows with the content of a database and is read in the order in which it was written:
/// it takes no memory but a piece of each run of bytes that is being written or read.
package final class SpillFile {
    /// Bytes that are written at a time, but for the last of a run.
    package static let pieceSize = 1 << 14

    private let folder: ScratchFolder
    /// Made when something is written.
    private var file: OpenedFile?
    private var end = 0
    /// Where pieces lie that nobody needs any more.
    private var free: [Int] = []

    /// Prepares a file.
    package init(in folder: ScratchFolder) { self.folder = folder }

    /// Writes a piece.
    ///
    /// - Returns: its place.
    /// - Throws: `StorageError` when the disk has no room, or the folder takes no file.
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
    /// Number of bytes.
    package private(set) var count = 0
    private var buffer: UnsafeMutableRawPointer?
    private var filled = 0

    /// An empty one.
    package init(_ file: SpillFile) { self.file = file }

    deinit { removeAll() }

    /// Forgets all bytes.
    package func removeAll() {
        unsafe buffer?.deallocate()
        unsafe buffer = nil
        file.release(pieces)
        pieces.removeAll()
        (count, filled) = (0, 0)
    }

    /// Appends a plain value.
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
    /// - Throws: `StorageError` when the disk has no room.
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

    /// Appends all that comes from a file.
    ///
    /// - Throws: `StorageError` when reading fails, or the disk has no room.
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

    /// Ends appending: no memory is held any more.
    ///
    /// - Throws: as `append`.
    package func end() throws(StorageError) {
        try writePiece()
        unsafe buffer?.deallocate()
        unsafe buffer = nil
    }
}

/// Reads a run of bytes from its beginning, once appending has ended.
@safe
package final class SpillReader {
    private let bytes: SpilledBytes
    private var buffer: UnsafeMutableRawPointer?
    private var next = 0
    private var position = 0
    private var filled = 0
    /// Bytes that were not read yet.
    package private(set) var left: Int

    /// Begins reading.
    package init(_ bytes: SpilledBytes) {
        self.bytes = bytes
        left = bytes.count
    }

    deinit { unsafe buffer?.deallocate() }

    /// Reads a plain value that was appended as one.
    ///
    /// - Returns: nil at the end.
    /// - Throws: `StorageError` when reading fails.
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

    /// Reads what comes next into memory that has room for `count` bytes.
    ///
    /// - Returns: how many bytes came: `count`, or all that are left.
    /// - Throws: `StorageError` when reading fails.
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
