internal import RealmLayout

/// Splits the text of a query into tokens. As in Realm's own lexer, the longest match wins, and a sign belongs to the
/// number that follows: `a -1` is a name and a number, `a - 1` a difference.
struct Lexer {
    private let text: String
    private let bytes: [UInt8]
    var position = 0
    /// NSPredicate placeholders are numbered in order of appearance.
    private var argumentCount = 0
    /// Whether values are also accepted as they are printed; see `ObjectQuery.init(entered:)`.
    let takesPrintedValues: Bool

    init(_ text: String, takesPrintedValues: Bool = false) {
        self.text = text
        self.takesPrintedValues = takesPrintedValues
        bytes = Array(text.utf8)
    }

    /// All tokens, the last of them `end`.
    mutating func tokens() throws(QuerySyntaxError) -> [Token] {
        guard bytes.count <= QueryLimits.textBytes else {
            throw QuerySyntaxError(
                "a query has at most \(QueryLimits.textBytes) bytes; this one has \(bytes.count)", at: 0, in: "")
        }
        var tokens: [Token] = []
        while true {
            skipBlanks()
            let start = position
            guard start < bytes.count else {
                tokens.append(Token(kind: .end, range: start..<start))
                return tokens
            }
            let kind = try next()
            tokens.append(Token(kind: kind, range: start..<position))
        }
    }

    func error(_ message: String, at offset: Int? = nil) -> QuerySyntaxError {
        QuerySyntaxError(message, at: offset ?? position, in: text)
    }

    private mutating func skipBlanks() {
        while let byte = byte(0), byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { position += 1 }
    }

    func byte(_ ahead: Int) -> UInt8? {
        let index = position + ahead
        return bytes.indices.contains(index) ? bytes[index] : nil
    }

    func spelled(_ length: Int) -> String {
        String(decoding: bytes[position..<min(position + length, bytes.count)], as: UTF8.self)
    }

    private mutating func next() throws(QuerySyntaxError) -> Token.Kind {
        guard let first = byte(0) else { return .end }
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try quoted())
        case UInt8(ascii: "@"): return try atWord()
        case UInt8(ascii: "%"): return try placeholder()
        case UInt8(ascii: "#"):
            // As in NSPredicate, `#` makes the following word a name.
            guard let next = byte(1), isNameStart(next) else { break }
            position += 1
            return .identifier(name())
        case UInt8(ascii: "["):
            for (text, folding) in TextFolding.spellings where spelled(text.utf8.count) == text {
                position += text.utf8.count
                return .folding(folding)
            }
            if ["[n]", "[l]"].contains(where: { spelled($0.utf8.count) == $0 }) {
                throw error("of the options of an operator Realm has [c] and [d] only")
            }
        default: break
        }
        if takesPrintedValues, let kind = printedIdentifier() { return kind }
        if let kind = try timestamp() ?? number() ?? special() ?? symbol() ?? wordOrName() { return kind }
        let length = bytes[position...].dropFirst().firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.endIndex
        throw error("'\(spelled(length - position))' has no meaning in a query")
    }

    // MARK: Symbols and words

    private mutating func symbol() -> Token.Kind? {
        let two: [(String, Token.Kind)] = [
            ("==", .symbol(.equal)), ("!=", .symbol(.notEqual)), ("<>", .symbol(.notEqual)),
            ("<=", .symbol(.lessOrEqual)), ("=<", .symbol(.lessOrEqual)), (">=", .symbol(.greaterOrEqual)),
            ("=>", .symbol(.greaterOrEqual)), ("&&", .word(.and, spelled: "&&")), ("||", .word(.or, spelled: "||")),
        ]
        let pair = spelled(2)
        if let found = two.first(where: { $0.0 == pair }) {
            position += 2
            return found.1
        }
        guard let first = byte(0) else { return nil }
        let character = String(UnicodeScalar(first))
        let kind: Token.Kind
        switch character {
        case "=": kind = .symbol(.equal)
        case "!": kind = .word(.not, spelled: "!")
        default:
            guard let symbol = Token.Symbol(rawValue: character) else { return nil }
            kind = .symbol(symbol)
        }
        position += 1
        return kind
    }

    private mutating func atWord() throws(QuerySyntaxError) -> Token.Kind {
        if byte(1) == UInt8(ascii: "\"") || byte(1) == UInt8(ascii: "'") {
            // A string in Objective-C notation.
            position += 1
            return .string(try quoted())
        }
        var length = 1
        while let next = byte(length), isNameByte(next) { length += 1 }
        // NSPredicate uses other names for two of them.
        let entered = spelled(length)
        let word = ["@allKeys": "@keys", "@allValues": "@values"][entered] ?? entered
        let words: [String: Token.Word] = [
            "@size": .atSize, "@count": .atSize, "@max": .atMaximum, "@min": .atMinimum, "@sum": .atSum,
            "@avg": .atAverage, "@links": .atLinks, "@type": .atType, "@keys": .atKeys, "@values": .atValues,
        ]
        guard let found = words[word] else {
            throw error("'\(word)' is unknown; there are \(words.keys.inOrder().joined(separator: ", "))")
        }
        position += length
        return .word(found, spelled: word)
    }

    /// Reads `%@` and `%K`, and the number formats that NSPredicate accepts.
    private mutating func placeholder() throws(QuerySyntaxError) -> Token.Kind {
        if spelled(2) == "%K" {
            position += 2
            argumentCount += 1
            return .keyPathArgument(argumentCount - 1)
        }
        guard let length = placeholderLength else {
            throw error("'%' is followed by @ for a value or K for a key path")
        }
        position += length
        argumentCount += 1
        return .argument(argumentCount - 1)
    }

    /// The length of a placeholder for a value: `%@`, or a `printf` format, whose size modifiers are ignored. Nil if
    /// there is none.
    private var placeholderLength: Int? {
        if spelled(2) == "%@" { return 2 }
        let sizes = ["hh", "ll", "h", "l", "q", "j", "z", "t", "L"]
        let size = sizes.first { spelled(1 + $0.utf8.count).dropFirst() == $0 } ?? ""
        guard let kind = byte(1 + size.utf8.count), "diouxXaAeEfFgG".utf8.contains(kind) else { return nil }
        return 2 + size.utf8.count
    }

    /// Reads a name.
    private mutating func name() -> String {
        var length = 0
        var name: [UInt8] = []
        while let next = byte(length) {
            if isNameByte(next) {
                name.append(next)
                length += 1
            } else if next == UInt8(ascii: "\\"), let escaped = byte(length + 1), let blank = Self.blanks[escaped] {
                name.append(blank)
                length += 2
            } else {
                break
            }
        }
        position += length
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func wordOrName() -> Token.Kind? {
        guard let first = byte(0), isNameStart(first) else { return nil }
        let spelled = name()
        if let word = Self.words[spelled] { return .word(word, spelled: spelled) }
        if let word = Self.wordsInAnyCase[spelled.lowercased()] { return .word(word, spelled: spelled) }
        switch spelled.lowercased() {
        case "inf", "infinity": return .infinity(negative: false)
        case "nan": return .notANumber
        default: break
        }
        if let index = Int(spelled.dropFirst(2)), spelled.hasPrefix("$K"), index >= 0 { return .keyPathArgument(index) }
        if let index = Int(spelled.dropFirst()), spelled.hasPrefix("$"), index >= 0 { return .argument(index) }
        return .identifier(spelled)
    }

    /// Whether a text is read as a name, rather than a keyword or a number.
    static func isName(_ text: String) -> Bool {
        guard text != "YES", text != "NO" else { return false }
        var lexer = Lexer(text)
        return switch try? lexer.next() {
        case .identifier: true
        case .word(let word, _): word.canBeName
        default: false
        }
    }

    private static let blanks: [UInt8: UInt8] = [
        UInt8(ascii: " "): 0x20, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    private static let words: [String: Token.Word] = [
        "in": .in, "IN": .in, "not": .not, "NOT": .not, "any": .any, "ANY": .any, "some": .any, "SOME": .any,
        "all": .all, "ALL": .all, "none": .none, "NONE": .none, "FIRST": .first, "first": .first, "LAST": .last,
        "last": .last, "SIZE": .size, "size": .size, "true": .true, "TRUE": .true, "false": .false, "FALSE": .false,
    ]

    private static let wordsInAnyCase: [String: Token.Word] = [
        "and": .and, "or": .or, "beginswith": .beginsWith, "endswith": .endsWith, "contains": .contains, "text": .text,
        "like": .like, "between": .between, "geowithin": .geowithin, "truepredicate": .truePredicate,
        "falsepredicate": .falsePredicate, "sort": .sort, "distinct": .distinct, "limit": .limit, "bin": .binary,
        "binary": .binary, "obj": .object, "ascending": .ascending, "asc": .ascending, "descending": .descending,
        "desc": .descending, "subquery": .subquery, "geobox": .geobox, "geopolygon": .geopolygon,
        "geocircle": .geocircle, "null": .null, "nil": .null,
    ]

    private func isNameStart(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
    }

    func isNameByte(_ byte: UInt8) -> Bool {
        isNameStart(byte) || isDigit(byte) || byte == UInt8(ascii: "-")
    }

    func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    func isDigit(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    func isHex(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    // MARK: Numbers

    /// The number of digits from `start` on.
    func digits(from start: Int) -> Int {
        var count = 0
        while isDigit(byte(start + count)) { count += 1 }
        return count
    }

    private mutating func number() -> Token.Kind? {
        let sign = byte(0) == UInt8(ascii: "-") || byte(0) == UInt8(ascii: "+") ? 1 : 0
        if sign == 1 {
            for (word, length) in [("infinity", 8), ("inf", 3), ("nan", 3)] {
                let found = String(
                    decoding: bytes[(position + 1)..<min(position + 1 + length, bytes.count)], as: UTF8.self)
                guard found.lowercased() == word else { continue }
                let negative = byte(0) == UInt8(ascii: "-")
                position += 1 + length
                return word == "nan" ? .notANumber : .infinity(negative: negative)
            }
        }
        if sign == 0, byte(0) == UInt8(ascii: "0"), let mark = byte(1), mark | 0x20 == UInt8(ascii: "x"), isHex(byte(2))
        {
            var length = 3
            while isHex(byte(length)) { length += 1 }
            defer { position += length }
            return .integer(spelled(length))
        }
        let whole = digits(from: sign)
        var length = sign + whole
        var isReal = false
        if byte(length) == UInt8(ascii: "."), whole > 0 || isDigit(byte(length + 1)) {
            length += 1 + digits(from: length + 1)
            isReal = true
        }
        guard whole > 0 || isReal else { return nil }
        if let mark = byte(length), mark | 0x20 == UInt8(ascii: "e") {
            let exponentSign = byte(length + 1) == UInt8(ascii: "-") || byte(length + 1) == UInt8(ascii: "+") ? 1 : 0
            let exponent = digits(from: length + 1 + exponentSign)
            if exponent > 0 {
                length += 1 + exponentSign + exponent
                isReal = true
            }
        }
        if byte(length) == UInt8(ascii: "f") {
            length += 1
            isReal = true
        }
        defer { position += length }
        let text = spelled(length)
        if isReal { return .real(text) }
        return sign == 0 ? .natural(text) : .integer(text)
    }

    // MARK: Strings

    private mutating func quoted() throws(QuerySyntaxError) -> String {
        let start = position
        let quote = bytes[position]
        position += 1
        var content: [UInt8] = []
        while let next = byte(0) {
            position += 1
            if next == quote { return String(decoding: content, as: UTF8.self) }
            guard next == UInt8(ascii: "\\") else {
                content.append(next)
                continue
            }
            content += try escaped()
        }
        throw error("the string has no end", at: start)
    }

    private mutating func escaped() throws(QuerySyntaxError) -> [UInt8] {
        guard let mark = byte(0) else { throw error("the string has no end") }
        position += 1
        switch mark {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"), UInt8(ascii: "\\"): return [mark]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "0"): return [0x00]
        case UInt8(ascii: "u"):
            var unit = try unicodeUnit()
            if 0xD800..<0xDC00 ~= unit, spelled(2) == "\\u" {
                let place = position
                position += 2
                let low = try unicodeUnit()
                guard 0xDC00..<0xE000 ~= low else { throw error("half of a surrogate pair", at: place) }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = UnicodeScalar(unit) else { throw error("half of a surrogate pair", at: position - 6) }
            return Array(String(Character(scalar)).utf8)
        default:
            throw error("'\\\(UnicodeScalar(mark))' is no escape of a string", at: position - 2)
        }
    }

    private mutating func unicodeUnit() throws(QuerySyntaxError) -> UInt32 {
        guard let unit = UInt32(spelled(4), radix: 16), isHex(byte(0)), isHex(byte(3)) else {
            throw error("\\u is followed by four hexadecimal digits")
        }
        position += 4
        return unit
    }
}
