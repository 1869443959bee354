internal import CZlib
internal import RealmLayout
internal import RealmStorage
internal import RealmSystem

/// A sliding window on the bytes of a file or standard input. Data compressed with gzip is decompressed.
///
/// The window grows only with bytes that actually arrive, so that an invalid length in a document takes no memory.
@safe
final class InputBuffer {
    /// Small enough to stay in the processor's cache along with the output.
    private static let firstCapacity = 1 << 17

    /// The name for messages.
    let name: String
    private let path: String
    private let spilled: SpilledInputs
    private let file: Bytes
    private var inflater: Inflater?
    private var base: UnsafeMutableRawPointer
    private var capacity = InputBuffer.firstCapacity
    private var start = 0
    private var end = 0
    /// Number of uncompressed bytes before the window.
    private(set) var offset = 0
    private var isAtEnd = false

    /// The origin of the bytes.
    @safe
    enum Bytes {
        case file(OpenedFile)
        case spilled(SpillReader)
        case memory(MemoryReader)

        @unsafe
        func readNext(into memory: UnsafeMutableRawPointer, count: Int) throws(StorageError) -> Int {
            switch self {
            case .file(let file): unsafe try file.readNext(into: memory, count: count)
            case .spilled(let reader): unsafe try reader.read(into: memory, count: count)
            case .memory(let reader): unsafe reader.read(into: memory, count: count)
            }
        }
    }

    /// Reads bytes in memory.
    final class MemoryReader {
        private let source: ByteSource
        private var offset = 0

        init(_ source: ByteSource) { self.source = source }

        @unsafe
        fileprivate func read(into memory: UnsafeMutableRawPointer, count: Int) -> Int {
            let step = min(count, source.count - offset)
            unsafe memory.copyMemory(from: source.view.base + offset, byteCount: step)
            offset += step
            return step
        }
    }

    /// Opens a file.
    ///
    /// - Parameter spilled: The copied contents of inputs that can be read only once, by path; `-` is standard input.
    /// - Throws: `ImportError`.
    init(path: String, spilled: SpilledInputs = SpilledInputs()) throws(ImportError) {
        name = path == "-" ? "standard input" : NativePath.shown(path)
        (self.path, self.spilled) = (path, spilled)
        if let bytes = spilled[path] {
            file = .spilled(SpillReader(bytes))
        } else {
            file = .file(try importing { () throws(StorageError) in try OpenedFile(path: path) })
        }
        unsafe base = .allocate(byteCount: capacity, alignment: 16)
        let count = try available(2)
        if count >= 2, view(2).uint16(unchecked: 0) == 0x8B1F { try beginInflating() }
    }

    deinit { unsafe base.deallocate() }

    /// Waits until the window has `wanted` bytes, or the input ends. Invalidates earlier views.
    ///
    /// - Returns: The number of bytes in the window.
    func available(_ wanted: Int) throws(ImportError) -> Int {
        while end - start < wanted, !isAtEnd {
            if end == capacity { makeRoom() }
            let count = try readNext()
            if count == 0 { isAtEnd = true }
            end += count
        }
        return end - start
    }

    private func readNext() throws(ImportError) -> Int {
        if let inflater {
            do throws(DocumentError) {
                return unsafe try inflater.inflate(file, into: base + end, count: capacity - end)
            } catch {
                if let refused = inflater.refused { throw .storage(refused) }
                throw .document(error.at(file: name))
            }
        }
        return try importing { () throws(StorageError) in
            unsafe try file.readNext(into: base + end, count: capacity - end)
        }
    }

    /// Moves the window to the front, or doubles the memory if it is full.
    private func makeRoom() {
        if start > 0 {
            unsafe base.copyMemory(from: base + start, byteCount: end - start)
        } else {
            let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: 16)
            unsafe larger.copyMemory(from: base, byteCount: end)
            unsafe base.deallocate()
            unsafe base = larger
            capacity *= 2
        }
        end -= start
        start = 0
    }

    /// The first bytes of the window; `count` must not exceed the available number. Valid until the next call of
    /// `available`.
    @inline(__always)
    func view(_ count: Int) -> ByteView {
        precondition(count <= end - start)
        return unsafe ByteView(base: UnsafeRawPointer(base) + start, count: count)
    }

    /// Moves the window past available bytes.
    @inline(__always)
    func advance(_ count: Int) {
        precondition(count <= end - start)
        start += count
        offset += count
    }

    /// The same input at its beginning, for places of errors.
    ///
    /// - Throws: `ImportError`.
    func reopened() throws(ImportError) -> InputBuffer { try InputBuffer(path: path, spilled: spilled) }

    /// Refuses UTF-16, which Excel and PowerShell write. Called before text is read.
    ///
    /// - Throws: `ImportError`.
    func checkEncoding() throws(ImportError) {
        guard try available(4) >= 2 else { return }
        let (first, second) = (view(2).byte(unchecked: 0), view(2).byte(unchecked: 1))
        let hasMark = first == 0xFF && second == 0xFE || first == 0xFE && second == 0xFF
        guard hasMark || (first == 0) != (second == 0) else { return }
        throw .document(
            DocumentError(
                .malformed,
                "the text is UTF-16, as Excel (\"Unicode Text\") and PowerShell write it; save it as UTF-8, or convert it: "
                    + "iconv -f UTF-16 -t UTF-8"
            ).at(file: name))
    }

    private func beginInflating() throws(ImportError) {
        let inflater = try importing { () throws(StorageError) in try Inflater(name) }
        inflater.give(view(end - start))
        self.inflater = inflater
        (start, end, offset, isAtEnd) = (0, 0, 0, false)
    }
}
