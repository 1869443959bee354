internal import RealmLayout

/// A key with something around it, as it comes out of programs and settings.
extension KeyText {
    /// The longest text between two equal quotation marks: `"0b30…"`, `Optional("CzBV…")`, `{"key": "0b30…"}`; nil if
    /// there is none.
    var quoted: KeyText? {
        var best: Range<Int>?
        for mark in [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`")] {
            var start: Int?
            for offset in 0..<bytes.count where bytes[offset] == mark {
                if let first = start, offset - first > best?.count ?? 0 { best = first..<offset }
                start = offset + 1
            }
        }
        return best.flatMap { slice($0) }
    }

    /// The text after a name and an equals sign: `REALMFILE_KEY=0b30…`, `export KEY=CzBV…`; nil without them, and for
    /// the signs at the end of base64.
    var assigned: KeyText? {
        guard let sign = (0..<bytes.count).first(where: { bytes[$0] == UInt8(ascii: "=") }), sign > 0,
            sign + 1 < bytes.count, bytes[sign + 1] > 0x20, bytes[sign + 1] != UInt8(ascii: "=")
        else { return nil }
        return slice(sign + 1..<bytes.count)
    }

    /// Whether it is a hex dump, whose lines begin with offsets: those of `xxd`, `hexdump` and `od`.
    var hasOffsets: Bool {
        let zeros = (0..<bytes.count).prefix { bytes[$0] == UInt8(ascii: "0") }.count
        guard zeros >= 7, let end = (0..<bytes.count).first(where: { bytes[$0] == 0x0A }) else { return false }
        return bytes.slice(at: end + 1, count: zeros - 2)?.bytes.allSatisfy { $0 == UInt8(ascii: "0") } ?? false
    }

    /// Whether it is a string with escapes, some of which are hexadecimal.
    var hasEscapes: Bool {
        (0..<bytes.count).contains { offset in
            bytes[offset] == UInt8(ascii: "\\") && offset + 1 < bytes.count
                && (bytes[offset + 1] == UInt8(ascii: "x") || bytes[offset + 1] == UInt8(ascii: "u"))
        }
    }

    private func slice(_ range: Range<Int>) -> KeyText? {
        bytes.slice(at: range.lowerBound, count: range.count).map { KeyText($0) }
    }
}
