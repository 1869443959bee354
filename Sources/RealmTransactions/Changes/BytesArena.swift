internal import RealmLayout

/// Copies of bytes that stay where they are as long as this object lives: the strings and binaries of a transaction.
@safe
final class BytesArena {
    private var blocks: [UnsafeMutableRawPointer] = unsafe []
    /// Where the next copy goes, and how many bytes are left there.
    private var next: UnsafeMutableRawPointer?
    private var left = 0

    private static let blockSize = 1 << 16

    deinit { for index in unsafe blocks.indices { unsafe blocks[index].deallocate() } }

    /// A view of a copy of `bytes`.
    func copy(_ bytes: [UInt8]) -> ByteView { unsafe bytes.withUnsafeBytes { unsafe copy($0) } }

    /// A view of a copy of the bytes of another view.
    func copy(_ bytes: ByteView) -> ByteView {
        unsafe copy(UnsafeRawBufferPointer(start: bytes.base, count: bytes.count))
    }

    /// A view of a copy of the bytes of `text`.
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
        // A long one has a block for itself.
        if size < Self.blockSize {
            unsafe next = block + size
            left = Self.blockSize - size
        }
        return unsafe block
    }
}
