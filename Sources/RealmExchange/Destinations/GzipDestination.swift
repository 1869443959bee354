internal import CZlib
internal import RealmLayout
internal import RealmStorage

/// Compresses the output of another destination in the format of `gzip` (RFC 1952).
final class GzipDestination: ByteDestination {
    private let target: any ByteDestination
    private let deflater: Deflater

    init(_ target: any ByteDestination) throws(StorageError) {
        self.target = target
        deflater = try Deflater()
    }

    func write(_ bytes: ByteView) throws(StorageError) { try deflater.write(bytes, isLast: false, to: target) }

    func finish() throws(StorageError) {
        try deflater.write(.empty, isLast: true, to: target)
        try target.finish()
    }
}

/// A zlib stream with its output buffer. It uses raw memory because zlib does.
@safe
private final class Deflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let output: UnsafeMutableRawBufferPointer

    init() throws(StorageError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe output = .allocate(byteCount: 1 << 16, alignment: 16)
        let gzipHeader: Int32 = 16
        // Level 6 and the method are zlib's defaults, which mongodump uses too.
        let result = unsafe deflateInit2_(
            stream, 6, Z_DEFLATED, MAX_WBITS + gzipHeader, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { throw StorageError(code: 12, action: "cannot compress", path: "output") }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
        unsafe output.deallocate()
    }

    func write(_ bytes: ByteView, isLast: Bool, to target: any ByteDestination) throws(StorageError) {
        var offset = 0
        repeat {
            let size = min(bytes.count - offset, 1 << 30)
            unsafe stream.pointee.next_in = UnsafeMutablePointer(
                mutating: (bytes.base + offset).assumingMemoryBound(to: UInt8.self))
            unsafe stream.pointee.avail_in = UInt32(size)
            offset += size
            try drain(flush: isLast && offset == bytes.count ? Z_FINISH : Z_NO_FLUSH, to: target)
        } while offset < bytes.count
    }

    private func drain(flush: Int32, to target: any ByteDestination) throws(StorageError) {
        repeat {
            unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_out = UInt32(output.count)
            let result = unsafe deflate(stream, flush)
            let count = unsafe output.count - Int(stream.pointee.avail_out)
            if count > 0, let start = unsafe output.baseAddress {
                try target.write(unsafe ByteView(base: UnsafeRawPointer(start), count: count))
            }
            if result == Z_STREAM_END { return }
        } while unsafe stream.pointee.avail_out == 0 || (flush == Z_FINISH)
    }
}
