private import CZlib
private import Foundation

/// Archives and compressed files, made from the descriptions of their formats: ZIP (APPNOTE.TXT 6.3), tar
/// (POSIX.1-2001, ustar).
package enum PackedFiles {
    /// A file in an archive.
    package struct Entry {
        package let name: [UInt8]
        package let content: [UInt8]
        /// Whether the content is compressed (ZIP only).
        package var isDeflated = true
        /// The number of the compression method that the archive states; nil for the true one (ZIP only).
        package var statedMethod: UInt16?
        /// Flags of the entry: 1 for a password (ZIP only).
        package var flags: UInt16 = 0
        /// The size that the archive states; nil for the true one (ZIP only).
        package var statedSize: UInt32?
        /// The checksum that the archive states; nil for the true one (ZIP only).
        package var statedChecksum: UInt32?

        package init(_ name: String, _ content: [UInt8]) { self.init(name: Array(name.utf8), content) }

        package init(name: [UInt8], _ content: [UInt8]) {
            self.name = name
            self.content = content
        }
    }

    /// A ZIP archive.
    package static func zip(_ entries: [Entry]) throws -> [UInt8] {
        var (archive, list): ([UInt8], [UInt8]) = ([], [])
        for entry in entries {
            let offset = archive.count
            let packed = entry.isDeflated ? try deflated(entry.content, windowBits: -MAX_WBITS) : entry.content
            let checksum = entry.statedChecksum ?? UInt32(crc32(0, entry.content, uInt(entry.content.count)))
            var common: [UInt8] = little(UInt16(20)) + little(entry.flags)
            common += little(entry.statedMethod ?? (entry.isDeflated ? 8 : 0)) + little(UInt32(0))
            common +=
                little(checksum) + little(UInt32(packed.count))
                + little(entry.statedSize ?? UInt32(entry.content.count))
            common += little(UInt16(entry.name.count)) + little(UInt16(0))
            archive += [0x50, 0x4B, 3, 4] + common + entry.name + packed
            list += [0x50, 0x4B, 1, 2] + little(UInt16(20)) + common + [UInt8](repeating: 0, count: 10)
            list += little(UInt32(offset)) + entry.name
        }
        let start = archive.count
        archive += list + [0x50, 0x4B, 5, 6] + little(UInt32(0)) + little(UInt16(entries.count))
        archive +=
            little(UInt16(entries.count)) + little(UInt32(list.count)) + little(UInt32(start)) + little(UInt16(0))
        return archive
    }

    /// A tar archive.
    package static func tar(_ entries: [Entry]) -> [UInt8] {
        var archive: [UInt8] = []
        for entry in entries {
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ bytes: [UInt8], at offset: Int) {
                header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            }
            func put(_ number: Int, digits: Int, at offset: Int) {
                let octal = String(number, radix: 8)
                put(Array((String(repeating: "0", count: digits - octal.count) + octal).utf8), at: offset)
            }
            put(Array(entry.name.prefix(100)), at: 0)
            put(0o644, digits: 7, at: 100)
            put(entry.content.count, digits: 11, at: 124)
            put([UInt8](repeating: 0x20, count: 8), at: 148)
            put([UInt8(ascii: "0")], at: 156)
            put(Array("ustar\0".utf8) + Array("00".utf8), at: 257)
            put(header.reduce(0) { $0 + Int($1) }, digits: 6, at: 148)
            archive += header + entry.content
            archive += [UInt8](repeating: 0, count: (512 - entry.content.count % 512) % 512)
        }
        return archive + [UInt8](repeating: 0, count: 1024)
    }

    /// A gzip file. At level 0 its size does not depend on the version of zlib.
    package static func gzip(_ content: [UInt8], level: Int32 = 9) throws -> [UInt8] {
        try deflated(content, windowBits: MAX_WBITS + 16, level: level)
    }

    /// The bytes after text mode: a carriage return before each line feed.
    package static func withReturns(_ content: [UInt8]) -> [UInt8] {
        content.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    }

    private static func deflated(_ content: [UInt8], windowBits: Int32, level: Int32 = 9) throws -> [UInt8] {
        var stream = z_stream()
        let version = deflateInit2_(
            &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard version == Z_OK else { throw TestSupportError("zlib: \(version)") }
        defer { deflateEnd(&stream) }
        var result = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(content.count))) + 32)
        var content = content
        let status = content.withUnsafeMutableBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, uInt(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, uInt(output.count))
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { throw TestSupportError("zlib: \(status)") }
        return Array(result.prefix(Int(stream.total_out)))
    }

    private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
