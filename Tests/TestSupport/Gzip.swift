private import CZlib
package import Foundation

/// Returns the content of a file, unpacked if it is a gzip file.
package func unpackedBytes(of url: URL) throws -> [UInt8] {
    guard let file = gzopen(url.path, "rb") else { throw TestSupportError("cannot open \(url.lastPathComponent)") }
    defer { gzclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
        let count = gzread(file, &chunk, UInt32(chunk.count))
        guard count >= 0 else { throw TestSupportError("cannot unpack \(url.lastPathComponent)") }
        guard count > 0 else { return bytes }
        bytes += chunk[..<Int(count)]
    }
}
