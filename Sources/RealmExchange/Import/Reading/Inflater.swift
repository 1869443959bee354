internal import CZlib
internal import RealmLayout
internal import RealmStorage
internal import RealmSystem

/// Decompresses gzip data (RFC 1952) of one or more members.
@safe
final class Inflater {
    private static let inputSize = 1 << 20

    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableRawPointer
    private var isBetweenMembers = false
    /// The system error if reading failed.
    private(set) var refused: StorageError?

    init(_ name: String) throws(StorageError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe input = .allocate(byteCount: Self.inputSize, alignment: 16)
        let gzipHeader: Int32 = 16
        let result = unsafe inflateInit2_(
            stream, MAX_WBITS + gzipHeader, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { throw StorageError(code: ENOMEM, action: "cannot unpack", path: name) }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
        unsafe input.deallocate()
    }

    /// Provides the first bytes, at most as many as are read at a time.
    func give(_ bytes: ByteView) {
        let count = min(bytes.count, Self.inputSize)
        unsafe input.copyMemory(from: bytes.base, byteCount: count)
        unsafe stream.pointee.next_in = input.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_in = UInt32(count)
    }

    /// Decompresses at least one byte, unless all data has been decompressed. Returns the bytes before damage; the next
    /// call throws.
    @unsafe
    func inflate(
        _ file: InputBuffer.Bytes, into memory: UnsafeMutableRawPointer, count: Int
    ) throws(DocumentError) -> Int {
        let room = min(count, 1 << 30)
        unsafe stream.pointee.next_out = memory.assumingMemoryBound(to: UInt8.self)
        unsafe stream.pointee.avail_out = UInt32(room)
        while unsafe Int(stream.pointee.avail_out) == room {
            if unsafe stream.pointee.avail_in == 0, try !refill(file) {
                guard isBetweenMembers else {
                    throw DocumentError(.truncated, "the compressed data ends too early")
                }
                return 0
            }
            if isBetweenMembers {
                unsafe inflateReset(stream)
                isBetweenMembers = false
            }
            let result = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else {
                if unsafe Int(stream.pointee.avail_out) < room { break }
                throw DocumentError(.malformed, "the compressed data is damaged")
            }
            isBetweenMembers = result == Z_STREAM_END
        }
        return unsafe room - Int(stream.pointee.avail_out)
    }

    private func refill(_ file: InputBuffer.Bytes) throws(DocumentError) -> Bool {
        do throws(StorageError) {
            let count = unsafe try file.readNext(into: input, count: Self.inputSize)
            unsafe stream.pointee.next_in = input.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_in = UInt32(count)
            return count > 0
        } catch {
            refused = error
            throw DocumentError(.truncated, "the compressed data ends too early")
        }
    }
}
