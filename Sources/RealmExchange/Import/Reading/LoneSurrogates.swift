internal import RealmLayout

/// Lone surrogates in JSON: programs that cut a text at any place write `\ud83d` without the matching `\ude00`.
enum LoneSurrogates {
    /// Finds the lone surrogates in a JSON text whose strings are terminated.
    ///
    /// - Returns: The offset of each escape, and that of the quotation mark that begins its string.
    static func found(in text: ByteView) -> [(offset: Int, string: Int)] {
        var found: [(offset: Int, string: Int)] = []
        var (offset, string) = (0, -1)
        while offset < text.count {
            switch text.byte(unchecked: offset) {
            case UInt8(ascii: "\""):
                string = string < 0 ? offset : -1
                offset += 1
            case UInt8(ascii: "\\") where string >= 0:
                guard let unit = unit(text, offset) else {
                    offset += 2
                    continue
                }
                if isHigh(unit), let next = self.unit(text, offset + 6), isLow(next) {
                    offset += 12
                    continue
                }
                if isHigh(unit) || isLow(unit) { found.append((offset, string)) }
                offset += 6
            default: offset += 1
            }
        }
        return found
    }

    /// The text with the escapes replaced by that of U+FFFD, which has the same length.
    static func repaired(_ text: [UInt8]) -> [UInt8] {
        var repaired = text
        for half in ByteView.with(text, { found(in: $0) }) {
            repaired.replaceSubrange(half.offset..<half.offset + 6, with: Array("\\ufffd".utf8))
        }
        return repaired
    }

    private static func isHigh(_ unit: UInt32) -> Bool { (0xD800...0xDBFF).contains(unit) }
    private static func isLow(_ unit: UInt32) -> Bool { (0xDC00...0xDFFF).contains(unit) }

    /// The number of an escape like `\u0000`; nil for anything else.
    private static func unit(_ text: ByteView, _ offset: Int) -> UInt32? {
        guard offset + 6 <= text.count, text.byte(unchecked: offset) == UInt8(ascii: "\\"),
            text.byte(unchecked: offset + 1) == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        for place in offset + 2..<offset + 6 {
            guard let digit = Hexadecimal.digit(text.byte(unchecked: place)) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
