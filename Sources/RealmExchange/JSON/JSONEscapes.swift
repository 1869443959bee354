internal import RealmLayout

/// Checks what json-c takes without a word: it ends names at a NUL, and gives U+FFFD for half of a surrogate pair.
enum JSONEscapes {
    /// Checks the escapes in the strings of a JSON text.
    ///
    /// - Throws: `malformed`.
    static func check(_ text: ByteView) throws(DocumentError) {
        // Few texts have escapes of this kind.
        guard var offset = text.firstIndex(of: UInt8(ascii: "\\"), from: 0) else { return }
        offset = 0
        while let quote = text.firstIndex(of: UInt8(ascii: "\""), from: offset) {
            let (end, hasNul) = try checkString(text, from: quote + 1)
            offset = end
            guard hasNul else { continue }
            while offset < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text.byte(unchecked: offset)) { offset += 1 }
            if offset < text.count, text.byte(unchecked: offset) == UInt8(ascii: ":") {
                throw DocumentError(.malformed, at: quote, "a name with NUL")
            }
        }
    }

    /// Goes through a string to behind its last quote.
    private static func checkString(
        _ text: ByteView, from start: Int
    ) throws(DocumentError) -> (end: Int, hasNul: Bool) {
        var offset = start
        var hasNul = false
        while offset < text.count {
            switch text.byte(unchecked: offset) {
            case UInt8(ascii: "\""): return (offset + 1, hasNul)
            case UInt8(ascii: "\\"):
                guard let unit = unit(text, at: offset) else {
                    offset += 2
                    continue
                }
                if unit == 0 { hasNul = true }
                let isPair = unit & 0xFC00 == 0xD800 && self.unit(text, at: offset + 6).map { $0 & 0xFC00 } == 0xDC00
                guard isPair || unit & 0xF800 != 0xD800 else {
                    throw DocumentError(.malformed, at: offset, "half of a surrogate pair")
                }
                offset += isPair ? 12 : 6
            default: offset += 1
            }
        }
        return (text.count, hasNul)
    }

    /// The number of an escape with four hexadecimal digits; nil for something else.
    private static func unit(_ text: ByteView, at offset: Int) -> UInt32? {
        guard offset + 6 <= text.count, text.byte(unchecked: offset) == UInt8(ascii: "\\"),
            text.byte(unchecked: offset + 1) == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        for index in 2..<6 {
            guard let digit = KeyEscape.digit(text.byte(unchecked: offset + index)) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
