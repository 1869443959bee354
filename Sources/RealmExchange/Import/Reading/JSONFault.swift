internal import RealmLayout

/// The first place where a text is not JSON (RFC 8259), in words for the person who wrote it.
///
/// Parsers report errors in their own terms, and not all of them with the place. A text that a parser refused is
/// therefore examined again.
struct JSONFault {
    /// The offset of the fault in the text.
    let offset: Int
    /// A description of what is there.
    let words: String

    /// Far more levels than any document has.
    private static let levels = 1000

    /// Finds the first fault of a text that begins with an object or array; nil if there is none.
    ///
    /// - Parameter isCutOff: Whether the end of the text may be missing.
    static func first(in text: ByteView, isCutOff: Bool = false) -> JSONFault? {
        var scan = Scan(text)
        let fault = scan.run()
        guard isCutOff, let fault, fault.offset >= text.count else { return fault }
        return nil
    }

    /// A byte as messages show it: the character, or its number.
    static func shown(_ byte: UInt8) -> String {
        (0x21..<0x7F).contains(byte) ? String(UnicodeScalar(byte)) : "the byte 0x\(String(byte, radix: 16))"
    }
}

extension JSONFault {
    /// A pass over a text.
    private struct Scan {
        private enum Expected {
            case value
            case valueOrEnd
            case name
            case nameOrEnd
            case commaOrEnd
        }

        private let text: ByteView
        private var offset = 0
        /// The closing brackets of the open objects and arrays, the innermost last.
        private var open: [UInt8] = []

        init(_ text: ByteView) { self.text = text }

        mutating func run() -> JSONFault? {
            var expected = Expected.value
            while true {
                skipSpace()
                guard offset < text.count else {
                    return open.isEmpty && expected == .commaOrEnd ? nil : fault("it ends early")
                }
                if expected == .commaOrEnd, open.isEmpty { return nil }
                let byte = text.byte(unchecked: offset)
                let found: JSONFault?
                switch expected {
                case .value, .valueOrEnd: found = value(byte, &expected)
                case .name, .nameOrEnd: found = name(byte, &expected)
                case .commaOrEnd: found = separator(byte, &expected)
                }
                if let found { return found }
                if open.count > JSONFault.levels {
                    return fault("more than \(JSONFault.levels) levels of objects and arrays")
                }
            }
        }

        private func fault(_ words: String) -> JSONFault { JSONFault(offset: offset, words: words) }

        private mutating func skipSpace() {
            while offset < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text.byte(unchecked: offset)) { offset += 1 }
        }

        private mutating func value(_ byte: UInt8, _ expected: inout Expected) -> JSONFault? {
            switch byte {
            case UInt8(ascii: "{"):
                open.append(UInt8(ascii: "}"))
                offset += 1
                expected = .nameOrEnd
                return nil
            case UInt8(ascii: "["):
                open.append(UInt8(ascii: "]"))
                offset += 1
                expected = .valueOrEnd
                return nil
            case UInt8(ascii: "]") where expected == .valueOrEnd:
                open.removeLast()
                offset += 1
                expected = .commaOrEnd
                return nil
            case UInt8(ascii: "\""):
                expected = .commaOrEnd
                return string()
            case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
                expected = .commaOrEnd
                return number()
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                return fault("a value is missing before this \(JSONFault.shown(byte)) (a comma too many?)")
            case UInt8(ascii: "'"): return fault("strings have double quotes in JSON, not single ones")
            case UInt8(ascii: "/"): return fault("JSON has no comments")
            default:
                guard let word = word() else { return fault("expected a value, found \(JSONFault.shown(byte))") }
                expected = .commaOrEnd
                return literal(word)
            }
        }

        private mutating func name(_ byte: UInt8, _ expected: inout Expected) -> JSONFault? {
            switch byte {
            case UInt8(ascii: "\""):
                if let fault = string() { return fault }
                skipSpace()
                guard offset < text.count else { return fault("it ends early") }
                guard text.byte(unchecked: offset) == UInt8(ascii: ":") else {
                    return fault(
                        "expected a colon after the name, found \(JSONFault.shown(text.byte(unchecked: offset)))")
                }
                offset += 1
                expected = .value
                return nil
            case UInt8(ascii: "}") where expected == .nameOrEnd:
                open.removeLast()
                offset += 1
                expected = .commaOrEnd
                return nil
            case UInt8(ascii: "}"): return fault("a comma too many before this }")
            case UInt8(ascii: "'"): return fault("names have double quotes in JSON, not single ones")
            case UInt8(ascii: "/"): return fault("JSON has no comments")
            default:
                if let word = word() { return fault("the name \(word) needs double quotes") }
                return fault("expected a name in double quotes, found \(JSONFault.shown(byte))")
            }
        }

        private mutating func separator(_ byte: UInt8, _ expected: inout Expected) -> JSONFault? {
            guard let closing = open.last else { return nil }
            switch byte {
            case UInt8(ascii: ","):
                offset += 1
                expected = closing == UInt8(ascii: "}") ? .name : .value
                return nil
            case closing:
                open.removeLast()
                offset += 1
                return nil
            case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ":"):
                return fault("expected a comma or \(JSONFault.shown(closing)), found \(JSONFault.shown(byte))")
            case UInt8(ascii: "/"): return fault("JSON has no comments")
            default:
                return fault("a comma or \(JSONFault.shown(closing)) is missing before this \(JSONFault.shown(byte))")
            }
        }

        /// The word at the current place, shortened; nil if there is none.
        private func word() -> String? {
            var end = offset
            while end < text.count, end < offset + 40, Self.isWord(text.byte(unchecked: end)) { end += 1 }
            return end == offset ? nil : text.slice(unchecked: offset, count: end - offset).repairedString.singleLine
        }

        private static func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
                true
            default: false
            }
        }

        private mutating func literal(_ word: String) -> JSONFault? {
            switch word {
            case "true", "false", "null":
                offset += word.utf8.count
                return nil
            case "True", "TRUE", "False", "FALSE": return fault("\(word) is not JSON: write \(word.lowercased())")
            case "None", "nil", "NULL", "Null", "undefined": return fault("\(word) is not JSON: write null")
            // libbson takes these.
            case "NaN", "Infinity":
                offset += word.utf8.count
                return nil
            default:
                let end = offset + word.utf8.count
                if end < text.count, text.byte(unchecked: end) == UInt8(ascii: "(") {
                    return fault(
                        "\(word)(…) is a notation of the MongoDB shell; mongoexport and EJSON.stringify write Extended JSON"
                    )
                }
                return fault("expected a value, found \(word)")
            }
        }

        private mutating func string() -> JSONFault? {
            let start = offset
            offset += 1
            while offset < text.count {
                switch text.byte(unchecked: offset) {
                case UInt8(ascii: "\""):
                    let content = text.slice(unchecked: start + 1, count: offset - start - 1)
                    guard content.isValidUTF8 else {
                        return JSONFault(offset: start, words: "a string that is not UTF-8")
                    }
                    offset += 1
                    return nil
                case UInt8(ascii: "\\"):
                    if let fault = escape() { return fault }
                case 0x0A, 0x0D:
                    return fault("a string ends in another line: a quotation mark is missing, or \\n is meant")
                case let byte where byte < 0x20:
                    return fault("a control character in a string, \(JSONFault.shown(byte)): write it as an escape")
                default: offset += 1
                }
            }
            return fault("it ends early")
        }

        private mutating func escape() -> JSONFault? {
            guard offset + 1 < text.count else {
                offset = text.count
                return fault("it ends early")
            }
            let byte = text.byte(unchecked: offset + 1)
            guard byte == UInt8(ascii: "u") else {
                guard "\"\\/bfnrt".utf8.contains(byte) else {
                    return fault("\\\(JSONFault.shown(byte)) is no escape of JSON (a backslash itself is \\\\)")
                }
                offset += 2
                return nil
            }
            for place in offset + 2..<offset + 6 where place < text.count {
                guard Hexadecimal.digit(text.byte(unchecked: place)) != nil else {
                    return fault("\\u needs four hexadecimal digits")
                }
            }
            offset = min(offset + 6, text.count)
            return nil
        }

        private mutating func number() -> JSONFault? {
            let start = offset
            func digits() -> Int {
                let first = offset
                while offset < text.count,
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text.byte(unchecked: offset))
                { offset += 1 }
                return offset - first
            }
            func skip(_ bytes: String) -> Bool {
                guard offset < text.count, bytes.utf8.contains(text.byte(unchecked: offset)) else { return false }
                offset += 1
                return true
            }
            _ = skip("-")
            let first = offset
            let count = digits()
            var isNumber = count == 1 || count > 1 && text.byte(unchecked: first) != UInt8(ascii: "0")
            if isNumber, skip(".") { isNumber = digits() > 0 }
            if isNumber, skip("eE") {
                _ = skip("+-")
                isNumber = digits() > 0
            }
            if offset < text.count,
                Self.isWord(text.byte(unchecked: offset)) || text.byte(unchecked: offset) == UInt8(ascii: ".")
            {
                isNumber = false
            }
            guard !isNumber else { return nil }
            if offset >= text.count { return fault("it ends early") }
            var end = start
            while end < text.count, end < start + 40,
                Self.isWord(text.byte(unchecked: end)) || "+-.".utf8.contains(text.byte(unchecked: end))
            {
                end += 1
            }
            let word = text.slice(unchecked: start, count: end - start).repairedString.singleLine
            return JSONFault(offset: start, words: "\(word) is not a number in JSON")
        }
    }
}
