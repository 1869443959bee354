/// A query in SQL's spelling, rewritten in Realm Query Language. It serves messages only: the language stays Realm's.
package struct SQLSpelling: Equatable, Sendable {
    /// The predicate with SORT and LIMIT, in Realm Query Language.
    package private(set) var query: String
    /// The class after FROM.
    package private(set) var className: String?
    /// The columns between SELECT and FROM; nil for `*`.
    package private(set) var columns: String?
    /// The paths after GROUP BY.
    package private(set) var groups: String?

    /// Rewrites a query.
    ///
    /// - Returns: nil if there is nothing to rewrite, or if the result is no query.
    package init?(_ text: String) {
        guard var rewriting = SQLRewriting(text) else { return nil }
        query = rewriting.run()
        (className, columns, groups) = (rewriting.className, rewriting.columns, rewriting.groups)
        guard query != text, (try? ObjectQuery(entered: query)) != nil else { return nil }
    }
}

/// Rewrites SQL token by token. What it does not know stays as it is.
private struct SQLRewriting {
    private let text: String
    private let tokens: [Token]
    private var index = 0
    /// The rewritten tokens, each with whether a space precedes it.
    private var output: [(text: String, isApart: Bool)] = []
    private(set) var className: String?
    private(set) var columns: String?
    private(set) var groups: String?

    init?(_ text: String) {
        var lexer = Lexer(text, takesPrintedValues: true)
        guard let tokens = try? lexer.tokens() else { return nil }
        (self.text, self.tokens) = (text, tokens)
    }

    mutating func run() -> String {
        readSelection()
        while index < tokens.count, tokens[index].kind != .end {
            if !rewrite() { copy() }
        }
        return output.enumerated().map { ($0 > 0 && $1.isApart ? " " : "") + $1.text }.joined()
    }

    // MARK: Tokens

    private func kind(_ ahead: Int = 0) -> Token.Kind {
        index + ahead < tokens.count ? tokens[index + ahead].kind : .end
    }

    private func source(_ range: Range<Int>) -> String { String(decoding: Array(text.utf8)[range], as: UTF8.self) }

    private func spelled(_ ahead: Int = 0) -> String {
        index + ahead < tokens.count ? source(tokens[index + ahead].range) : ""
    }

    private func `is`(_ words: String..., ahead: Int = 0) -> Bool {
        words.enumerated().allSatisfy { spelled(ahead + $0).uppercased() == $1 }
    }

    private func isApart(_ place: Int) -> Bool {
        place > 0 && tokens[place].range.lowerBound > tokens[place - 1].range.upperBound
    }

    private mutating func copy() {
        output.append((spelled(), isApart(index)))
        index += 1
    }

    private mutating func emit(_ text: String, skipping count: Int) {
        output.append((text, true))
        index += count
    }

    /// The source of some tokens, which are skipped, up to one of some words.
    private mutating func take(until words: [String]) -> String {
        let start = index
        while kind() != .end, !words.contains(spelled().uppercased()) { index += 1 }
        guard start < index else { return "" }
        return source(tokens[start].range.lowerBound..<tokens[index - 1].range.upperBound)
    }

    // MARK: Clauses

    /// `SELECT columns FROM Class WHERE`
    private mutating func readSelection() {
        if self.is("SELECT") {
            index += 1
            let selected = take(until: ["FROM"])
            columns = selected == "*" ? nil : selected
        }
        if self.is("FROM"), index + 1 < tokens.count {
            className = spelled(1)
            index += 2
        }
        if self.is("WHERE") { index += 1 }
    }

    /// Rewrites what is here; false if it stays.
    private mutating func rewrite() -> Bool {
        let next = kind(1)
        if self.is("ORDER", "BY") || self.is("SORT", "BY") {
            index += 2
            let keys = take(until: ["LIMIT", "OFFSET", ")"])
            output.append(("SORT(\(Self.directed(keys)))", true))
        } else if self.is("SORT"), next == .symbol(.leftParenthesis) {
            index += 2
            output.append(("SORT(\(Self.directed(take(until: [")"]))))", true))
            index += kind() == .end ? 0 : 1
        } else if self.is("GROUP", "BY") {
            index += 2
            groups = take(until: ["HAVING", "ORDER", "LIMIT", "SORT"])
        } else if self.is("LIMIT"), case .natural(let count) = next {
            emit("LIMIT(\(count))", skipping: 2)
        } else {
            return endsOperand && rewriteComparison()
        }
        return true
    }

    private static func directed(_ keys: String) -> String {
        keys.split(separator: ",").map { key in
            let words = key.split(separator: " ")
            let hasDirection = ["ASC", "DESC", "ASCENDING", "DESCENDING"].contains(words.last?.uppercased() ?? "")
            return words.joined(separator: " ") + (hasDirection ? "" : " ASC")
        }.joined(separator: ", ")
    }

    // MARK: Comparisons

    /// Whether an operand ends before this token.
    private var endsOperand: Bool {
        guard index > 0 else { return false }
        switch tokens[index - 1].kind {
        case .identifier, .symbol(.rightParenthesis), .symbol(.rightBracket), .keyPathArgument: return true
        case .word(let word, _): return word.canBeName || word.endsPath
        default: return false
        }
    }

    private mutating func rewriteComparison() -> Bool {
        if self.is("IS", "NOT") {
            emit("!=", skipping: 2)
        } else if self.is("IS") {
            emit("==", skipping: 1)
        } else if self.is("NOT"), ["IN", "LIKE", "ILIKE", "BETWEEN", "CONTAINS"].contains(spelled(1).uppercased()) {
            guard let place = operandStart else { return false }
            output[place].isApart = true
            output.insert(("NOT", place > 0), at: place)
            index += 1
            if !rewriteComparison() { copy() }
        } else if self.is("IN"), let values = list(at: 1) {
            emit("IN {\(values.text)}", skipping: values.count + 1)
        } else if self.is("BETWEEN"), let values = list(at: 1) {
            emit("BETWEEN {\(values.text)}", skipping: values.count + 1)
        } else if self.is("BETWEEN"), self.is("AND", ahead: 2), kind(3) != .end {
            emit("BETWEEN {\(spelled(1)), \(spelled(3))}", skipping: 4)
        } else if self.is("ILIKE") || self.is("LIKE"), case .string(let pattern) = kind(1) {
            let folding = self.is("ILIKE") ? "[c]" : ""
            emit("LIKE\(folding) \(Self.quoted(Self.wildcards(pattern)))", skipping: 2)
        } else if self.is("STARTSWITH") {
            emit("BEGINSWITH", skipping: 1)
        } else {
            return false
        }
        return true
    }

    /// The place in the output where the operand before this token begins; nil after a bracket.
    private var operandStart: Int? {
        var place = output.count - 1
        guard place >= 0, output[place].text != ")" else { return nil }
        while place > 0, !output[place].isApart, output[place - 1].text != "(" { place -= 1 }
        return place
    }

    /// The values between round or square brackets, with the number of their tokens.
    private func list(at ahead: Int) -> (text: String, count: Int)? {
        let close: Token.Kind
        switch kind(ahead) {
        case .symbol(.leftParenthesis): close = .symbol(.rightParenthesis)
        case .symbol(.leftBracket): close = .symbol(.rightBracket)
        default: return nil
        }
        var end = ahead + 1
        while kind(end) != close {
            guard kind(end) != .end else { return nil }
            end += 1
        }
        let inner = tokens[index + ahead].range.upperBound..<tokens[index + end].range.lowerBound
        return (source(inner), end - ahead + 1)
    }

    /// A pattern of SQL as one of Realm.
    private static func wildcards(_ pattern: String) -> String {
        guard pattern.contains("%") else { return pattern }
        return String(pattern.map { $0 == "%" ? "*" : $0 == "_" ? "?" : $0 })
    }

    private static func quoted(_ text: String) -> String {
        if case let quoted = QueryConstant.string(text).description, text.contains("'") || text.contains("\\") {
            return quoted
        }
        return "'\(text)'"
    }
}

extension QueryPredicate {
    /// A pattern after LIKE that is one of SQL: it has a percent sign, and no wildcard of Realm.
    package var patternOfSQL: String? {
        switch self {
        case .and(let parts), .or(let parts): return parts.lazy.compactMap(\.patternOfSQL).first
        case .not(let part): return part.patternOfSQL
        case .comparison(_, .like, .constant(.string(let pattern)), _, _):
            return pattern.contains("%") && !pattern.contains { $0 == "*" || $0 == "?" } ? pattern : nil
        default: return nil
        }
    }
}
