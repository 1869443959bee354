/// Matches strings and binary data, on bytes.
enum TextMatch {
    /// Folds letters for `[c]`: those of ASCII and Latin-1, as in Realm Core. All other bytes must be equal.
    ///
    /// - Returns: nil if the bytes are not structured like UTF-8; Core does not fold these.
    static func folded(_ bytes: [UInt8], upper: Bool) -> [UInt8]? {
        var result = bytes
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let length =
                byte < 0x80 ? 1 : byte & 0xE0 == 0xC0 ? 2 : byte & 0xF0 == 0xE0 ? 3 : byte & 0xF8 == 0xF0 ? 4 : 0
            guard length > 0, index + length <= bytes.count,
                bytes[(index + 1)..<(index + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
            else { return nil }
            if length == 1 {
                let isLetter = (upper ? UInt8(ascii: "a")...UInt8(ascii: "z") : UInt8(ascii: "A")...UInt8(ascii: "Z"))
                    .contains(byte)
                if isLetter { result[index] = byte ^ 0x20 }
            } else if length == 2 {
                var scalar = (UInt32(byte) << 6 + UInt32(bytes[index + 1] & 0x3F)) & 0x7FF
                if upper, 0xE0...0xFE ~= scalar, scalar != 0xF7 { scalar -= 0x20 }
                if !upper, 0xC0...0xDE ~= scalar, scalar != 0xD7 { scalar += 0x20 }
                result[index] = UInt8(truncatingIfNeeded: scalar >> 6) | 0xC0
                result[index + 1] = UInt8(truncatingIfNeeded: scalar & 0x3F) | 0x80
            }
            index += length
        }
        return result
    }

    /// A needle in upper and lower case; both are the same if case matters.
    struct Needle {
        let upper: [UInt8]
        let lower: [UInt8]
        /// False for text that cannot be folded, which matches nothing.
        private var canMatch = true

        init(_ bytes: [UInt8], caseInsensitive: Bool) {
            guard caseInsensitive else {
                (upper, lower) = (bytes, bytes)
                return
            }
            upper = TextMatch.folded(bytes, upper: true) ?? bytes
            lower = TextMatch.folded(bytes, upper: false) ?? bytes
            canMatch = TextMatch.folded(bytes, upper: true) != nil
        }

        var count: Int { upper.count }

        func matches(_ text: ArraySlice<UInt8>) -> Bool {
            guard canMatch else { return false }
            var index = 0
            for byte in text {
                guard byte == upper[index] || byte == lower[index] else { return false }
                index += 1
            }
            return true
        }
    }

    static func equal(_ text: [UInt8], _ needle: Needle) -> Bool {
        text.count == needle.count && needle.matches(text[...])
    }

    static func begins(_ text: [UInt8], _ needle: Needle) -> Bool {
        text.count >= needle.count && needle.matches(text.prefix(needle.count))
    }

    static func ends(_ text: [UInt8], _ needle: Needle) -> Bool {
        text.count >= needle.count && needle.matches(text.suffix(needle.count))
    }

    static func contains(_ text: [UInt8], _ needle: Needle) -> Bool {
        guard text.count >= needle.count else { return false }
        return (0...(text.count - needle.count)).contains { needle.matches(text[$0..<($0 + needle.count)]) }
    }

    /// Matches a pattern: `?` stands for one character, `*` for any number of them. Only the last star needs
    /// backtracking.
    static func like(_ text: [UInt8], _ pattern: Needle) -> Bool {
        var (place, sign) = (0, 0)
        var retry: (place: Int, sign: Int)?
        while place < text.count {
            if sign < pattern.count, pattern.upper[sign] == UInt8(ascii: "*") {
                sign += 1
                retry = (place, sign)
            } else if sign < pattern.count, pattern.upper[sign] == UInt8(ascii: "?") {
                place += 1
                while place < text.count, text[place] & 0xC0 == 0x80, text[place - 1] & 0x80 != 0 { place += 1 }
                sign += 1
            } else if sign < pattern.count, pattern.upper[sign] == text[place] || pattern.lower[sign] == text[place] {
                place += 1
                sign += 1
            } else if let last = retry {
                retry = (last.place + 1, last.sign)
                (place, sign) = (last.place + 1, last.sign)
            } else {
                return false
            }
        }
        while sign < pattern.count, pattern.upper[sign] == UInt8(ascii: "*") { sign += 1 }
        return sign == pattern.count
    }
}
