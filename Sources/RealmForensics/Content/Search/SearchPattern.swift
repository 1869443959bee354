internal import RealmCore
internal import RealmLayout

/// A pattern, prepared for every type of value. Values match as they are printed.
package struct SearchPattern {
    /// For strings, binary as UTF-8, free space and names.
    let text: TextPattern
    /// For UUIDs and ObjectIds, whose hexadecimal digits match in upper and lower case; nil when none can match.
    let digits: TextPattern?
    /// For binary as hexadecimal digits; nil when none can match.
    let hexadecimal: BinaryPattern?
    /// The kinds of values that can match.
    private let kinds: [Bool]
    /// The form in which dates match.
    let dateForms: DateForms

    /// A pattern for binary as hexadecimal digits.
    enum BinaryPattern {
        /// The bytes that the digits stand for.
        case bytes(PatternBytes)
        /// A pattern for `0x` and digits.
        case digits(TextPattern)
    }

    /// The forms in which dates are printed: `2020-09-13 12:38:39.312 UTC` in tables, `2020-09-13T12:38:39.312Z` in
    /// documents.
    struct DateForms: OptionSet {
        let rawValue: UInt8
        static let table = DateForms(rawValue: 1)
        static let document = DateForms(rawValue: 2)
    }

    /// Makes a pattern for values that contain a text.
    ///
    /// - Parameters:
    ///   - text: at least one byte.
    ///   - matcher: finds the text regardless of case; nil if case matters.
    package init(text: String, regardlessOfCase matcher: (any TextMatcher)? = nil) {
        let bytes = Array(text.utf8)
        self.text = matcher.map { .matcher($0) } ?? .bytes(PatternBytes(bytes))
        let hasDigit = bytes.contains { ByteSet.digits.contains($0) }
        // Many words are hexadecimal digits; short ones occur in many identifiers by chance.
        let isLong = hasDigit || bytes.count >= Self.longWord
        let lowercase = Array(text.lowercased().utf8)
        let areDigits = lowercase.allSatisfy { Hexadecimal.digit($0) != nil || $0 == UInt8(ascii: "-") }
        digits = areDigits && isLong ? .bytes(PatternBytes(lowercase)) : nil
        hexadecimal = isLong ? Self.bytes(writtenAs: text).map { .bytes(PatternBytes($0)) } : nil
        let isDocument = text.contains("T") || text.contains("Z")
        dateForms = isDocument && !text.contains("UTC") ? .document : .table
        let forms = matcher == nil ? [text] : [text, text.lowercased(), text.uppercased()]
        kinds = ScalarKind.answers { kind in
            switch kind {
            case .bool: forms.contains { Alphabet.truths.contains($0) }
            case _ where !hasDigit && Self.hasWords(kind): forms.contains { Alphabet.words.contains($0) }
            default:
                (hasDigit || kind == .objectId || kind == .uuid) && forms.contains { Alphabet.of(kind).contains($0) }
            }
        }
    }

    private static var longWord: Int { 8 }

    private static func hasWords(_ kind: ScalarKind) -> Bool {
        kind == .float || kind == .double || kind == .decimal128
    }

    /// Makes a pattern of another rule.
    ///
    /// - Parameter binaryDigits: whether binary is also matched as `0x` and hexadecimal digits.
    package init(_ matcher: any TextMatcher, binaryDigits: Bool) {
        let pattern = TextPattern.matcher(matcher)
        text = pattern
        digits = pattern
        hexadecimal = binaryDigits ? .digits(pattern) : nil
        dateForms = [.table, .document]
        kinds = ScalarKind.answers { matcher.canMatch(onlyOf: Alphabet.of($0)) }
    }

    /// Whether values of a kind can match.
    func canMatch(_ kind: ScalarKind) -> Bool {
        switch kind {
        case .string, .binary, .mixed: true
        case .link, .embedded: false
        case .objectId, .uuid: digits != nil && kinds[Int(kind.rawValue)]
        default: kinds[Int(kind.rawValue)]
        }
    }

    /// The pattern for the text of values of a kind.
    func values(of kind: ScalarKind) -> TextPattern {
        switch kind {
        case .objectId, .uuid: digits ?? text
        default: text
        }
    }

    /// The bytes that hexadecimal digits stand for: marked with `0x`, or at least six digits, so that numbers are not
    /// found in every image.
    private static func bytes(writtenAs text: String) -> [UInt8]? {
        let isMarked = text.lowercased().hasPrefix("0x")
        let digits = isMarked ? text.utf8.dropFirst(2) : text.utf8[...]
        guard digits.count >= (isMarked ? 2 : 6) else { return nil }
        return Hexadecimal.bytes(digits)
    }
}

/// The bytes in the printed form of values, by kind.
private enum Alphabet {
    static let truths: Set<String> = ["true", "false"]
    /// Numbers that are printed as words.
    static let words: Set<String> = ["NaN", "inf", "-inf", "Infinity", "-Infinity"]

    static func of(_ kind: ScalarKind) -> ByteSet {
        switch kind {
        case .int, .nullableInt: ByteSet("-0123456789")
        case .bool: ByteSet("truefalse")
        case .float, .double: ByteSet("-+.0123456789einfNaN")
        case .decimal128: ByteSet("-+.0123456789EInfinityNaN")
        case .timestamp: ByteSet("-0123456789:. UTCZ")
        case .objectId: ByteSet("0123456789abcdefABCDEF")
        case .uuid: ByteSet("-0123456789abcdefABCDEF")
        case .string, .binary, .mixed, .link, .embedded: ByteSet(0...255)
        }
    }
}

extension ByteSet {
    fileprivate func contains(_ text: String) -> Bool { text.utf8.allSatisfy { contains($0) } }
}

extension ScalarKind {
    /// The answer to a question about each kind, by its number.
    fileprivate static func answers(_ canMatch: (ScalarKind) -> Bool) -> [Bool] {
        (0...ScalarKind.embedded.rawValue).map { ScalarKind(rawValue: $0).map(canMatch) ?? false }
    }
}
