internal import RealmLayout

/// Copies of bytes at addresses that are stable as long as this object lives: the strings and binaries of a
/// transaction.
@safe
final class BytesArena {
    private var blocks: [UnsafeMutableRawPointer] = unsafe []
    /// The position of the next copy, and the number of bytes left there.
    private var next: UnsafeMutableRawPointer?
    private var left = 0

    private static let blockSize = 1 << 16

    deinit { for index in unsafe blocks.indices { unsafe blocks[index].deallocate() } }

    /// Copies `bytes`; returns a view of the copy.
    func copy(_ bytes: [UInt8]) -> ByteView { unsafe bytes.withUnsafeBytes { unsafe copy($0) } }

    /// Copies the bytes of a view; returns a view of the copy.
    func copy(_ bytes: ByteView) -> ByteView {
        unsafe copy(UnsafeRawBufferPointer(start: bytes.base, count: bytes.count))
    }

    /// Copies the bytes of `text`; returns a view of the copy.
    func copy(_ text: String) -> ByteView {
        var text = text
        return text.withUTF8 { unsafe copy(UnsafeRawBufferPointer($0)) }
    }

    @unsafe
    private func copy(_ bytes: UnsafeRawBufferPointer) -> ByteView {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return .empty }
        let room = unsafe room(for: bytes.count)
        unsafe room.copyMemory(from: start, byteCount: bytes.count)
        return unsafe ByteView(base: UnsafeRawPointer(room), count: bytes.count)
    }

    @unsafe
    private func room(for size: Int) -> UnsafeMutableRawPointer {
        if size <= left, let room = unsafe next {
            unsafe next = room + size
            left -= size
            return unsafe room
        }
        let block = UnsafeMutableRawPointer.allocate(byteCount: max(size, Self.blockSize), alignment: 16)
        unsafe blocks.append(block)
        // A long copy has its own block.
        if size < Self.blockSize {
            unsafe next = block + size
            left = Self.blockSize - size
        }
        return unsafe block
    }
}
