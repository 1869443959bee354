/// The file name of a collection.
///
/// It is the class's name in UTF-8, with characters that are awkward in file systems or shells percent-encoded, and
/// long names shortened with a hash. Metadata and schemas keep the real name.
package struct CollectionFileName: Equatable {
    /// File systems allow 255 bytes; extensions and temporary names need room too.
    static let maximumBytes = 200

    package let text: String

    /// - Parameter leading: The number of leading bytes that are always percent-encoded, to get a different spelling
    ///   that decodes to the same name.
    package init(_ collection: String, escaping leading: Int = 0) {
        var bytes: [UInt8] = []
        var isLeading = true
        for (offset, byte) in collection.utf8.enumerated() {
            // Encodes whole characters.
            isLeading = isLeading && (offset < leading || byte & 0xC0 == 0x80)
            let isHiding = offset == 0 && byte == UInt8(ascii: ".")
            if byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%") || isHiding
                || isLeading
            {
                bytes += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
            } else {
                bytes.append(byte)
            }
        }
        if bytes.isEmpty { bytes = Array("%".utf8) }
        text =
            bytes.count > Self.maximumBytes
            ? Self.shortened(bytes, Self.mark(collection)) : String(decoding: bytes, as: UTF8.self)
    }

    private init(text: String) { self.text = text }

    /// The name followed by a hash of the real name and a number.
    static func marked(_ collection: String, _ number: Int) -> CollectionFileName {
        let plain = Array(CollectionFileName(collection).text.utf8)
        return CollectionFileName(text: shortened(plain, "\(mark(collection))%\(number)"))
    }

    private static func mark(_ collection: String) -> String { "%" + String(hash(collection), radix: 16) }

    /// The longest possible beginning of a name, followed by a mark.
    private static func shortened(_ bytes: [UInt8], _ mark: String) -> String {
        var kept = bytes.prefix(maximumBytes - mark.utf8.count)
        if kept.count < bytes.count {
            // Does not cut a character or an escape in two.
            while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
            if let last = kept.last, last >= 0xC0 { kept.removeLast() }
            if let escape = kept.suffix(2).lastIndex(of: UInt8(ascii: "%")) { kept = kept[..<escape] }
        }
        return String(decoding: kept, as: UTF8.self) + mark
    }

    /// FNV-1a, 64 bits.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
