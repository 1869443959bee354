internal import RealmLayout

extension ByteView {
    /// The offset of the first byte at or after `offset` that is not JSON white space (RFC 8259).
    func skippingJSONSpace(from offset: Int) -> Int {
        var offset = offset
        while offset < count, [0x20, 0x09, 0x0A, 0x0D].contains(byte(unchecked: offset)) { offset += 1 }
        return offset
    }
}

/// Checks for input that json-c mishandles silently: it truncates names at a NUL and turns a lone surrogate into
/// U+FFFD.
enum JSONEscapes {
    /// Checks the escapes in the strings of a JSON text.
    ///
    /// - Returns: The text with `%00` for each NUL in a name, as BSON exports write it; nil if there is none.
    /// - Throws: `malformed`.
    static func withoutNul(_ text: ByteView) throws(DocumentError) -> [UInt8]? {
        // Few texts contain escapes at all.
        guard text.firstIndex(of: UInt8(ascii: "\\"), from: 0) != nil else { return nil }
        var offset = 0
        var changed: [UInt8] = []
        var copied = 0
        while let quote = text.firstIndex(of: UInt8(ascii: "\""), from: offset) {
            let (end, nuls) = try checkString(text, from: quote + 1)
            offset = end
            guard !nuls.isEmpty else { continue }
            offset = text.skippingJSONSpace(from: offset)
            guard offset < text.count, text.byte(unchecked: offset) == UInt8(ascii: ":") else { continue }
            for nul in nuls {
                changed += text.slice(unchecked: copied, count: nul - copied).bytes + Array("%00".utf8)
                copied = nul + escapeSize
            }
        }
        guard copied > 0 else { return nil }
        return changed + text.slice(unchecked: copied, count: text.count - copied).bytes
    }

    /// Size of an escape with four hexadecimal digits.
    private static let escapeSize = 6

    /// Scans a string past its closing quote.
    ///
    /// - Returns: The end of the string, and the offsets of NUL escapes in it.
    private static func checkString(
        _ text: ByteView, from start: Int
    ) throws(DocumentError) -> (end: Int, nuls: [Int]) {
        var offset = start
        var nuls: [Int] = []
        while offset < text.count {
            switch text.byte(unchecked: offset) {
            case UInt8(ascii: "\""): return (offset + 1, nuls)
            case UInt8(ascii: "\\"):
                guard let unit = unit(text, at: offset) else {
                    offset += 2
                    continue
                }
                if unit == 0 { nuls.append(offset) }
                let isPair =
                    unit & 0xFC00 == 0xD800 && self.unit(text, at: offset + escapeSize).map { $0 & 0xFC00 } == 0xDC00
                guard isPair || unit & 0xF800 != 0xD800 else {
                    throw DocumentError(.malformed, at: offset, "half of a surrogate pair")
                }
                offset += isPair ? 2 * escapeSize : escapeSize
            default: offset += 1
            }
        }
        return (text.count, nuls)
    }

    /// The number of an escape with four hexadecimal digits; nil for anything else.
    private static func unit(_ text: ByteView, at offset: Int) -> UInt32? {
        guard offset + escapeSize <= text.count, text.byte(unchecked: offset) == UInt8(ascii: "\\"),
            text.byte(unchecked: offset + 1) == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        for index in 2..<escapeSize {
            guard let digit = Hexadecimal.digit(text.byte(unchecked: offset + index)) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
