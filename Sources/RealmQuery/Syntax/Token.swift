/// A token of a query's text.
struct Token: Equatable, Sendable {
    /// The kind of token, with its content.
    let kind: Kind
    /// Its range in the text, in bytes.
    let range: Range<Int>

    enum Kind: Equatable, Sendable {
        case end
        /// One of `( ) { } [ ] , . + - * /`, or a comparison.
        case symbol(Symbol)
        /// A keyword; some can also be names of properties.
        case word(Word, spelled: String)
        case identifier(String)
        /// Digits without a sign; an index, a limit, or a number.
        case natural(String)
        /// An integer with a sign, or hexadecimal.
        case integer(String)
        /// A number with a decimal point, an exponent, or a trailing `f`.
        case real(String)
        case infinity(negative: Bool)
        case notANumber
        case string(String)
        case base64(String)
        case timestamp(String)
        case uuid(String)
        case objectId(String)
        case objectKey(String)
        case typedLink(String)
        /// `$0`, or the next `%@`.
        case argument(Int)
        /// `$K0`, or the next `%K`.
        case keyPathArgument(Int)
        /// `[c]`, `[d]` or `[cd]` after an operator.
        case folding(TextFolding)
    }

    enum Symbol: String, Sendable {
        case leftParenthesis = "("
        case rightParenthesis = ")"
        case leftBrace = "{"
        case rightBrace = "}"
        case leftBracket = "["
        case rightBracket = "]"
        case comma = ","
        case point = "."
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divided = "/"
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case greater = ">"
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
    }

    enum Word: Sendable {
        // Never names.
        case and, or, not, any, all, none
        case `true`, `false`, null
        case truePredicate, falsePredicate
        case subquery, geobox, geocircle, geopolygon, geowithin, object
        case atMaximum, atMinimum, atSum, atAverage, atSize, atType
        // Also names, where a name is allowed.
        case beginsWith, endsWith, contains, text, like, between, `in`
        case sort, distinct, limit, binary, ascending, descending
        case first, last, size
        case atLinks, atKeys, atValues

        /// Whether it follows the last dot of a path.
        var endsPath: Bool {
            switch self {
            case .atMaximum, .atMinimum, .atSum, .atAverage, .atSize, .atType: true
            default: false
            }
        }

        /// Whether it can be an element of a path.
        var canBeName: Bool {
            switch self {
            case .beginsWith, .endsWith, .contains, .text, .like, .between, .in, .sort, .distinct, .limit, .binary,
                .ascending, .descending, .first, .last, .size, .atLinks, .atKeys, .atValues:
                true
            default: false
            }
        }
    }

    /// The token, worded for messages.
    var name: String {
        switch kind {
        case .end: "the end"
        case .symbol(let symbol): "'\(symbol.rawValue)'"
        case .word(_, let spelled): "'\(spelled)'"
        case .identifier(let name): "'\(name)'"
        case .natural(let text), .integer(let text), .real(let text): "the number \(text)"
        case .infinity: "infinity"
        case .notANumber: "NaN"
        case .string: "a string"
        case .base64: "base64 data"
        case .timestamp: "a timestamp"
        case .uuid: "a UUID"
        case .objectId: "an ObjectId"
        case .objectKey, .typedLink: "a link"
        case .argument(let index): "the argument $\(index)"
        case .keyPathArgument(let index): "the key path argument $K\(index)"
        case .folding(let folding): "'\(folding)'"
        }
    }
}
