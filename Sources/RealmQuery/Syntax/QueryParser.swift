/// Recursive-descent parser for queries. Nesting is limited, so that the stack stays small for any text.
///
/// A bracket opens a predicate or an expression. The token after its closing bracket decides which, so nothing is
/// parsed twice.
struct QueryParser {
    private let text: String
    private let tokens: [Token]
    /// The index of the closing bracket for each opening one.
    private let closing: [Int: Int]
    var index = 0
    private var depth = 0

    init(_ text: String, takesPrintedValues: Bool = false) throws(QuerySyntaxError) {
        self.text = text
        var lexer = Lexer(text, takesPrintedValues: takesPrintedValues)
        tokens = try lexer.tokens()
        var closing: [Int: Int] = [:]
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            if token.kind == .symbol(.leftParenthesis) { open.append(index) }
            if token.kind == .symbol(.rightParenthesis), let start = open.popLast() { closing[start] = index }
        }
        self.closing = closing
    }

    /// Parses the whole text.
    mutating func query() throws(QuerySyntaxError) -> ObjectQuery {
        let predicate = try disjunction()
        var steps: [ResultStep] = []
        while kind != .end { steps.append(try step()) }
        return ObjectQuery(predicate, steps: steps)
    }

    // MARK: Tokens

    var token: Token { tokens[min(index, tokens.count - 1)] }
    var kind: Token.Kind { token.kind }
    /// The end of the previous token.
    var previousEnd: Int { index > 0 ? tokens[min(index, tokens.count) - 1].range.upperBound : 0 }

    func kind(_ ahead: Int) -> Token.Kind { tokens[min(index + ahead, tokens.count - 1)].kind }

    var word: Token.Word? {
        if case .word(let word, _) = kind { word } else { nil }
    }

    mutating func accept(_ symbol: Token.Symbol) -> Bool {
        guard kind == .symbol(symbol) else { return false }
        index += 1
        return true
    }

    mutating func accept(_ wanted: Token.Word) -> Bool {
        guard word == wanted else { return false }
        index += 1
        return true
    }

    mutating func expect(_ symbol: Token.Symbol) throws(QuerySyntaxError) {
        guard accept(symbol) else { throw unexpected("'\(symbol.rawValue)'") }
    }

    func unexpected(_ expected: String) -> QuerySyntaxError {
        error("expected \(expected), found \(token.name)\(hint)")
    }

    /// Explains how to write a property whose name is a keyword, either here or before a comparison.
    private var hint: String {
        // `2024-01-01` is lexed as three numbers.
        if index > 0, case .natural(let year) = tokens[index - 1].kind, year.utf8.count == 4,
            case .integer(let month) = kind, month.hasPrefix("-")
        {
            return "; a date is written as \(year)-01-01@00:00:00, in UTC"
        }
        var place = index
        if comparisonOperation != nil { place -= 1 }
        guard tokens.indices.contains(place), case .word(let word, let spelled) = tokens[place].kind, !word.canBeName,
            spelled.utf8.first.map({ $0 | 0x20 > 0x60 }) ?? false
        else { return "" }
        return "; a property with the name \(spelled) is written #\(spelled)"
    }

    /// A part of the text.
    func source(_ range: Range<Int>) -> String { String(decoding: Array(text.utf8)[range], as: UTF8.self) }

    func error(_ message: String) -> QuerySyntaxError {
        QuerySyntaxError(message, at: token.range.lowerBound, in: text)
    }

    private mutating func nested<Result>(
        _ read: (inout QueryParser) throws(QuerySyntaxError) -> Result
    ) throws(QuerySyntaxError) -> Result {
        guard depth < QueryLimits.depth else { throw error("a query has at most \(QueryLimits.depth) levels") }
        depth += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    // MARK: Predicates

    private mutating func disjunction() throws(QuerySyntaxError) -> QueryPredicate {
        let first = try conjunction()
        guard word == .or else { return first }
        var parts = [first]
        while accept(Token.Word.or) { parts.append(try conjunction()) }
        return .or(parts)
    }

    private mutating func conjunction() throws(QuerySyntaxError) -> QueryPredicate {
        let first = try negation()
        guard word == .and else { return first }
        var parts = [first]
        while accept(Token.Word.and) { parts.append(try negation()) }
        return .and(parts)
    }

    private mutating func negation() throws(QuerySyntaxError) -> QueryPredicate {
        if accept(Token.Word.not) {
            return .not(try nested { parser throws(QuerySyntaxError) in try parser.negation() })
        }
        if accept(Token.Word.truePredicate) { return .constant(true) }
        if accept(Token.Word.falsePredicate) { return .constant(false) }
        if kind == .symbol(.leftParenthesis), !opensExpression {
            index += 1
            let inner = try nested { parser throws(QuerySyntaxError) in try parser.disjunction() }
            try expect(.rightParenthesis)
            return inner
        }
        return try comparison()
    }

    /// Whether the bracket here encloses a value: then an operator follows it.
    private var opensExpression: Bool {
        guard let end = closing[index], end + 1 < tokens.count else { return false }
        switch tokens[end + 1].kind {
        case .symbol(let symbol):
            switch symbol {
            case .plus, .minus, .times, .divided, .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual:
                return true
            default: return false
            }
        case .word(let word, _):
            switch word {
            case .in, .beginsWith, .endsWith, .contains, .like, .text, .between: return true
            default: return false
            }
        default: return false
        }
    }

    private mutating func comparison() throws(QuerySyntaxError) -> QueryPredicate {
        let left = try sum()
        if accept(Token.Word.between) { return .between(left, try limits()) }
        if accept(Token.Word.geowithin) {
            guard case .property(let path) = left else { throw error("GEOWITHIN needs a property before it") }
            return .within(path, try shape())
        }
        guard let operation = comparisonOperation else {
            throw unexpected("a comparison such as ==, <, IN, BEGINSWITH, CONTAINS, LIKE or BETWEEN")
        }
        index += 1
        var folding: TextFolding = []
        if case .folding(let given) = kind {
            guard operation.takes(given) else { throw error("'\(given)' cannot follow \(operation.rawValue)") }
            index += 1
            folding = given
        }
        return .comparison(
            left, operation, try sum(), caseInsensitive: folding.contains(.case),
            diacriticInsensitive: folding.contains(.diacritics))
    }

    private var comparisonOperation: ComparisonOperation? {
        switch kind {
        case .symbol(let symbol): ComparisonOperation(rawValue: symbol.rawValue)
        case .word(let word, _):
            switch word {
            case .in: .isIn
            case .beginsWith: .beginsWith
            case .endsWith: .endsWith
            case .contains: .contains
            case .like: .like
            case .text: .text
            default: nil
            }
        default: nil
        }
    }

    private mutating func limits() throws(QuerySyntaxError) -> [QueryConstant] {
        let place = index
        if case .argument(let number) = kind {
            index += 1
            return [.argument(number, nil)]
        }
        let limits = try list()
        guard limits.count == 2 else {
            index = place
            throw error("BETWEEN needs two values, as {1, 9}")
        }
        return limits
    }

    // MARK: Expressions

    mutating func sum() throws(QuerySyntaxError) -> QueryExpression {
        try chain(of: [.plus, .minus]) { parser throws(QuerySyntaxError) in try parser.product() }
    }

    private mutating func product() throws(QuerySyntaxError) -> QueryExpression {
        try chain(of: [.times, .divided]) { parser throws(QuerySyntaxError) in try parser.operand() }
    }

    /// Parses operations of one precedence, from left to right. Each counts as a nesting level, like brackets.
    private mutating func chain(
        of operations: [ArithmeticOperation], _ part: (inout QueryParser) throws(QuerySyntaxError) -> QueryExpression
    ) throws(QuerySyntaxError) -> QueryExpression {
        var left = try part(&self)
        var levels = depth
        while let operation = accept(operations) {
            levels += 1
            guard levels < QueryLimits.depth else { throw error("a query has at most \(QueryLimits.depth) levels") }
            left = .arithmetic(left, operation, try part(&self))
        }
        return left
    }

    private mutating func accept(_ wanted: [ArithmeticOperation]) -> ArithmeticOperation? {
        guard case .symbol(let symbol) = kind, let operation = ArithmeticOperation(rawValue: symbol.rawValue),
            wanted.contains(operation)
        else { return nil }
        index += 1
        return operation
    }

    private mutating func operand() throws(QuerySyntaxError) -> QueryExpression {
        if accept(Token.Symbol.leftParenthesis) {
            let inner = try nested { parser throws(QuerySyntaxError) in try parser.sum() }
            try expect(.rightParenthesis)
            return inner
        }
        if kind == .symbol(.leftBrace) { return .list(try list(), nil) }
        if accept(Token.Word.subquery) { return try subquery() }
        if let quantifier = acceptQuantifier() {
            if kind == .symbol(.leftBrace) { return .list(try list(), quantifier) }
            if case .argument(let number) = kind {
                index += 1
                return .constant(.argument(number, quantifier))
            }
            return try property(quantifier)
        }
        if let truth { return .constant(.bool(truth)) }
        if startsPath { return try property(nil) }
        if let constant = try constant() { return .constant(constant) }
        if kind == .symbol(.leftBracket) { throw error("a list stands in braces, as in {1, 2}") }
        throw unexpected("a property or a value")
    }

    /// YES or NO of NSPredicate, after an operator. Before an operator, and in a path, they are names.
    private var truth: Bool? {
        mutating get {
            guard case .identifier(let name) = kind, let truth = ["YES": true, "NO": false][name], index > 0,
                case .symbol(let before) = tokens[index - 1].kind, before == .equal || before == .notEqual,
                kind(1) != .symbol(.point), kind(1) != .symbol(.leftBracket), token.range.count == name.utf8.count
            else { return nil }
            index += 1
            return truth
        }
    }

    private mutating func acceptQuantifier() -> Quantifier? {
        let quantifier: Quantifier
        switch word {
        case .any: quantifier = .any
        case .all: quantifier = .all
        case .none?: quantifier = .none
        default: return nil
        }
        index += 1
        return quantifier
    }

    private mutating func subquery() throws(QuerySyntaxError) -> QueryExpression {
        try expect(.leftParenthesis)
        let path = try self.path(nil)
        try expect(.comma)
        guard case .identifier(let variable) = kind, variable.hasPrefix("$") else {
            throw unexpected("the name of a variable, as $x")
        }
        index += 1
        try expect(.comma)
        let predicate = try nested { parser throws(QuerySyntaxError) in try parser.disjunction() }
        try expect(.rightParenthesis)
        guard accept(Token.Symbol.point), accept(Token.Word.atSize) else {
            throw unexpected("'.@count' after a subquery")
        }
        return .subquery(path, variable: variable, predicate)
    }

    private mutating func list() throws(QuerySyntaxError) -> [QueryConstant] {
        try expect(.leftBrace)
        var elements: [QueryConstant] = []
        if accept(Token.Symbol.rightBrace) { return elements }
        repeat {
            if case .identifier(let name) = kind, let truth = ["yes": true, "no": false][name.lowercased()] {
                index += 1
                elements.append(.bool(truth))
                continue
            }
            guard let constant = try constant() else { throw unexpected("a value") }
            elements.append(constant)
        } while accept(Token.Symbol.comma)
        try expect(.rightBrace)
        return elements
    }

    // MARK: Paths

    private var startsPath: Bool {
        switch kind {
        case .identifier, .keyPathArgument: true
        case .word(.binary, _): kind(1) != .symbol(.leftParenthesis)
        case .word(let word, _): word.canBeName
        default: false
        }
    }

    private mutating func property(_ quantifier: Quantifier?) throws(QuerySyntaxError) -> QueryExpression {
        var path = try self.path(quantifier)
        guard kind == .symbol(.point), case .word(let word, _) = kind(1) else { return .property(path) }
        let aggregate: QueryAggregate
        switch word {
        case .atSize, .atType:
            index += 2
            path.suffix = word == .atSize ? .size : .type
            return .property(path)
        case .atMinimum: aggregate = .minimum
        case .atMaximum: aggregate = .maximum
        case .atSum: aggregate = .sum
        case .atAverage: aggregate = .average
        default: return .property(path)
        }
        guard quantifier == nil else {
            throw error("an aggregate is one value: it takes no \(quantifier?.rawValue ?? "")")
        }
        index += 2
        guard accept(Token.Symbol.point) else { return .aggregate(path, aggregate, property: nil) }
        guard let name = acceptName() else { throw unexpected("the name of a property") }
        return .aggregate(path, aggregate, property: name)
    }

    private mutating func acceptName() -> String? {
        switch kind {
        case .identifier(let name):
            index += 1
            return name
        case .word(let word, let spelled) where word.canBeName:
            index += 1
            return spelled
        default: return nil
        }
    }

    mutating func path(_ quantifier: Quantifier?) throws(QuerySyntaxError) -> QueryPath {
        var path = QueryPath([], quantifier: quantifier)
        if case .keyPathArgument(let number) = kind {
            index += 1
            path.elements.append(.argument(number))
        } else if let name = acceptName() {
            path.elements.append(.name(name))
        } else {
            throw unexpected("a property")
        }
        while true {
            if kind == .symbol(.point) {
                if case .word(let word, _) = kind(1), word.endsPath { return path }
                index += 1
                if case .keyPathArgument(let number) = kind {
                    index += 1
                    path.elements.append(.argument(number))
                    continue
                }
                guard let name = acceptName() else { throw unexpected("the name of a property") }
                path.elements.append(.name(name))
            } else if accept(Token.Symbol.leftBracket) {
                if accept(Token.Word.size) {
                    try expect(.rightBracket)
                    path.suffix = .size
                    return path
                }
                path.elements.append(try position())
                try expect(.rightBracket)
            } else {
                return path
            }
        }
    }

    /// Parses the content of square brackets.
    private mutating func position() throws(QuerySyntaxError) -> QueryPath.Element {
        let element: QueryPath.Element
        switch kind {
        case .natural(let digits):
            guard let position = Int(digits) else { throw error("\(digits) is too large for an index") }
            element = .index(position)
        case .string(let key): element = .key(key)
        case .argument(let number): element = .keyArgument(number)
        case .symbol(.times): element = .all
        case .word(.first, _): element = .first
        case .word(.last, _): element = .last
        default: throw unexpected("an index, a key in quotes, FIRST, LAST, SIZE or *")
        }
        index += 1
        return element
    }

    // MARK: Constants

    private mutating func constant() throws(QuerySyntaxError) -> QueryConstant? {
        switch word {
        case .object: return try linkedObject()
        case .binary where kind(1) == .symbol(.leftParenthesis): return try binary()
        case .any, .all, .none?:
            guard case .argument(let number) = kind(1), let quantifier = acceptQuantifier() else { return nil }
            index += 1
            return .argument(number, quantifier)
        default: break
        }
        guard let constant = try ConstantReader(text).constant(token) else { return nil }
        index += 1
        return constant
    }

    /// `obj("Class", key)`
    private mutating func linkedObject() throws(QuerySyntaxError) -> QueryConstant {
        index += 1
        try expect(.leftParenthesis)
        guard case .string(let className) = kind else { throw unexpected("the name of a class in quotes") }
        index += 1
        try expect(.comma)
        switch kind {
        case .natural, .integer, .string, .uuid, .objectId, .argument: break
        default: throw unexpected("a primary key")
        }
        guard let primaryKey = try constant() else { throw unexpected("a primary key") }
        try expect(.rightParenthesis)
        return .object(className: className, primaryKey: primaryKey)
    }

    /// `binary("text")` or `binary(B64"…")`
    private mutating func binary() throws(QuerySyntaxError) -> QueryConstant {
        index += 2
        let bytes: [UInt8]
        switch try ConstantReader(text).constant(token) {
        case .string(let string): bytes = Array(string.utf8)
        case .base64(let content): bytes = content
        default: throw unexpected("a string or base64 data")
        }
        index += 1
        try expect(.rightParenthesis)
        return .binary(bytes)
    }
}

extension ComparisonOperation {
    /// Whether `[c]` or `[d]` may follow.
    func takes(_ folding: TextFolding) -> Bool {
        switch self {
        case .equal, .notEqual, .isIn, .beginsWith, .endsWith, .contains: true
        case .like: !folding.contains(.diacritics)
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .text: false
        }
    }
}
