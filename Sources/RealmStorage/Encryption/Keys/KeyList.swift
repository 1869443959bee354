internal import RealmLayout

/// Text that may be a key as programs print one: a list of numbers, `[11, 48, -97, …]` of Swift, Java or JavaScript, an
/// array in C (`{0x0b, 0x30, …}`), the members of a JSON object (`{"0":11,"1":48,…}`), or the description of a buffer
/// (`<0b30557a 9fc4e90e …>`).
///
/// Stores only the positions of the numbers; no part of the key is copied.
struct KeyList {
    /// The base of the numbers.
    private enum Form {
        case decimal
        case hexadecimal
    }

    private let bytes: ByteView
    private let numbers: [Range<Int>]
    private let form: Form

    /// Finds the numbers; nil if the text is not a list, and may be another form.
    ///
    /// - Throws: `KeyError` for a list that is not a key.
    init?(_ bytes: ByteView) throws(KeyError) {
        self.bytes = bytes
        let inner = Self.insideOfBrackets(bytes)
        let content = inner ?? 0..<bytes.count
        let members = inner.flatMap { _ in Self.members(bytes, content) }
        let (words, separatedByCommas) = Self.words(bytes, content)
        let hasCommas = separatedByCommas || members != nil
        numbers = members ?? words
        guard !numbers.isEmpty else { return nil }
        if inner != nil, numbers.contains(where: { Self.isEllipsis(bytes, $0) }) { throw KeyError(.abbreviated) }
        let isDecimal = numbers.allSatisfy { Self.decimal(bytes, $0) != nil }
        guard inner != nil || hasCommas else {
            // One number a line, as `od -tu1` and loops print them. 128 digits are hexadecimal.
            guard isDecimal, numbers.count == EncryptionKey.byteCount, numbers.contains(where: { $0.count != 2 }) else {
                return nil
            }
            form = .decimal
            return
        }
        if hasCommas, !isDecimal, numbers.allSatisfy({ Self.isDecimal(bytes, $0) }) {
            throw KeyError(.numbers(numbers.count))
        }
        // Numbers of two digits fit both bases. But no key consists of 128 hexadecimal digits without a letter between
        // commas, and brackets without commas hold the groups of a buffer.
        if isDecimal, hasCommas || numbers.contains(where: { $0.count != 2 }) {
            form = .decimal
            guard numbers.count == EncryptionKey.byteCount else { throw KeyError(.numbers(numbers.count)) }
        } else {
            guard inner != nil else { return nil }
            form = .hexadecimal
            var digits = 0
            for number in numbers {
                // Something else in brackets.
                guard let count = Self.hexadecimalDigits(bytes, number) else { return nil }
                // Arrays in C have one or two digits per byte; groups hold whole bytes.
                guard count % 2 == 0 || hasCommas && count == 1 else { throw KeyError(.digits(digits + count)) }
                digits += count + count % 2
            }
            guard digits == 2 * EncryptionKey.byteCount else { throw KeyError(.digits(digits)) }
        }
    }

    /// Passes the 64 bytes of the key to `take`.
    func decode(_ take: (_ index: Int, _ byte: UInt8) -> Void) {
        var index = 0
        for number in numbers {
            switch form {
            case .decimal:
                take(index, Self.decimal(bytes, number) ?? 0)
                index += 1
            case .hexadecimal:
                var offset = number.lowerBound + (Self.hasPrefix(bytes, number) ? 2 : 0)
                while offset < number.upperBound {
                    let high = Hexadecimal.digit(bytes[offset]) ?? 0
                    let low = offset + 1 < number.upperBound ? Hexadecimal.digit(bytes[offset + 1]) : nil
                    take(index, low.map { high << 4 | $0 } ?? high)
                    index += 1
                    offset += 2
                }
            }
        }
    }

    /// The words between separators, and whether some of these are commas.
    private static func words(_ bytes: ByteView, _ content: Range<Int>) -> ([Range<Int>], hasCommas: Bool) {
        var words: [Range<Int>] = []
        var (start, hasCommas): (Int?, Bool) = (nil, false)
        var offset = content.lowerBound
        while offset < content.upperBound {
            let cast = castLength(bytes, offset)
            if cast > 0 || isSeparator(bytes[offset]) {
                hasCommas = hasCommas || bytes[offset] == UInt8(ascii: ",")
                if let first = start { words.append(first..<offset) }
                start = nil
            } else if start == nil {
                start = offset
            }
            offset += max(1, cast)
        }
        if let first = start { words.append(first..<content.upperBound) }
        return (words, hasCommas)
    }

    /// The values of the members of a JSON object whose names are the numbers 0, 1, 2, …; nil for anything else.
    private static func members(_ bytes: ByteView, _ content: Range<Int>) -> [Range<Int>]? {
        var values: [Range<Int>] = []
        var offset = content.lowerBound
        func skip(_ isSkipped: (UInt8) -> Bool) {
            while offset < content.upperBound, isSkipped(bytes[offset]) { offset += 1 }
        }
        func word() -> Range<Int> {
            let start = offset
            skip { !isSeparator($0) && $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
            return start..<offset
        }
        skip(isSeparator)
        while offset < content.upperBound {
            guard values.count <= EncryptionKey.byteCount else { return nil }
            skip { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
            let name = word()
            guard bytes.slice(at: name.lowerBound, count: name.count)?.bytes == Array(String(values.count).utf8) else {
                return nil
            }
            skip { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") || $0 == 0x20 }
            guard offset < content.upperBound, bytes[offset] == UInt8(ascii: ":") else { return nil }
            offset += 1
            skip { $0 == 0x20 }
            let value = word()
            guard !value.isEmpty else { return nil }
            values.append(value)
            skip(isSeparator)
        }
        return values.isEmpty ? nil : values
    }

    /// The length of a conversion to a byte at an offset, which Java and Kotlin need for numbers above 127; 0 for none.
    private static func castLength(_ bytes: ByteView, _ offset: Int) -> Int {
        for cast in ["(byte)", ".toByte()"]
        where bytes.slice(at: offset, count: cast.utf8.count)?.bytes == Array(cast.utf8) {
            return cast.utf8.count
        }
        return 0
    }

    /// The longest range between brackets in which no other brackets are nested; nil without brackets.
    private static func insideOfBrackets(_ bytes: ByteView) -> Range<Int>? {
        var best: Range<Int>?
        var open: (offset: Int, isRound: Bool)?
        var offset = 0
        while offset < bytes.count {
            let cast = castLength(bytes, offset)
            switch bytes[offset] {
            case _ where cast > 0: break
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"): open = (offset + 1, false)
            case UInt8(ascii: "(") where open == nil: open = (offset + 1, true)
            case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ">"), UInt8(ascii: ")"):
                guard bytes[offset] != UInt8(ascii: ")") || open?.isRound ?? false else { break }
                if let first = open?.offset, offset - first > best?.count ?? 0 { best = first..<offset }
                open = nil
            default: break
            }
            offset += max(1, cast)
        }
        guard let best else { return nil }
        // `<Buffer 0b 30 …>`, `{length = 64, bytes = 0x0b30557a …}`: names precede the numbers.
        var start = best.lowerBound
        offset = start
        while offset < best.upperBound {
            let cast = castLength(bytes, offset)
            if cast == 0, isNameEnd(bytes, offset) { start = offset + 1 }
            offset += max(1, cast)
        }
        return start..<best.upperBound
    }

    /// Whether a name, or the equals sign after it, ends at an offset.
    private static func isNameEnd(_ bytes: ByteView, _ offset: Int) -> Bool {
        if bytes[offset] == UInt8(ascii: "=") { return true }
        let isLetter = UInt8(ascii: "g")...UInt8(ascii: "z") ~= bytes[offset] | 0x20
        return isLetter && bytes[offset] | 0x20 != UInt8(ascii: "x")
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
    }

    private static func isEllipsis(_ bytes: ByteView, _ range: Range<Int>) -> Bool {
        range.allSatisfy { bytes[$0] == UInt8(ascii: ".") }
            || bytes.slice(at: range.lowerBound, count: 3)?.bytes == [0xE2, 0x80, 0xA6]
    }

    /// Whether a word is a decimal number of any size.
    private static func isDecimal(_ bytes: ByteView, _ range: Range<Int>) -> Bool {
        let digits = range.dropFirst(bytes[range.lowerBound] == UInt8(ascii: "-") ? 1 : 0)
        return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }
    }

    /// Parses a number from -128 to 255 as a byte.
    private static func decimal(_ bytes: ByteView, _ range: Range<Int>) -> UInt8? {
        let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        let digits = range.dropFirst(isNegative ? 1 : 0)
        guard (1...3).contains(digits.count) else { return nil }
        var number = 0
        for offset in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) else { return nil }
            number = number * 10 + Int(bytes[offset] - UInt8(ascii: "0"))
        }
        guard number <= (isNegative ? 128 : 255) else { return nil }
        return UInt8(truncatingIfNeeded: isNegative ? -number : number)
    }

    /// The number of digits; nil if there are other characters.
    private static func hexadecimalDigits(_ bytes: ByteView, _ range: Range<Int>) -> Int? {
        let digits = range.dropFirst(hasPrefix(bytes, range) ? 2 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ Hexadecimal.digit(bytes[$0]) != nil }) else { return nil }
        return digits.count
    }

    private static func hasPrefix(_ bytes: ByteView, _ range: Range<Int>) -> Bool {
        range.count > 2 && bytes[range.lowerBound] == UInt8(ascii: "0")
            && bytes[range.lowerBound + 1] | 0x20 == UInt8(ascii: "x")
    }
}
