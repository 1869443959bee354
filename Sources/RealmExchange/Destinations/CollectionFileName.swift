/// The name that a collection has as a file.
///
/// The class's name in UTF-8, with what file systems or shells do not take percent-encoded and long names shortened with
/// a hash. Metadata and schemas keep the real name.
struct CollectionFileName: Equatable {
    /// File systems end at 255 bytes; endings and temporary names need room too.
    static let maximumBytes = 200

    let text: String

    init(_ collection: String) {
        var bytes: [UInt8] = []
        for (offset, byte) in collection.utf8.enumerated() {
            let isHiding = offset == 0 && byte == UInt8(ascii: ".")
            if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%") || isHiding {
                bytes += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
            } else {
                bytes.append(byte)
            }
        }
        if bytes.isEmpty { bytes = Array("%".utf8) }
        guard bytes.count > Self.maximumBytes else {
            text = String(decoding: bytes, as: UTF8.self)
            return
        }
        let hash = "%" + String(Self.hash(collection), radix: 16)
        var kept = bytes[..<(Self.maximumBytes - hash.utf8.count)]
        // Not in the middle of a character or of an escape.
        while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
        if let last = kept.last, last >= 0xC0 { kept.removeLast() }
        if let escape = kept.suffix(2).lastIndex(of: UInt8(ascii: "%")) { kept = kept[..<escape] }
        text = String(decoding: kept, as: UTF8.self) + hash
    }

    /// FNV-1a, 64 bits.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
