extension QueryParser {
    /// Parses a SORT, DISTINCT or LIMIT after the predicate.
    mutating func step() throws(QuerySyntaxError) -> ResultStep {
        let step = word
        guard step == .sort || step == .distinct || step == .limit else {
            throw unexpected("AND, OR, SORT, DISTINCT, LIMIT or the end")
        }
        index += 1
        try expect(.leftParenthesis)
        let result: ResultStep
        switch step {
        case .limit:
            guard case .natural(let digits) = kind, let count = Int(digits) else { throw unexpected("a number") }
            index += 1
            result = .limit(count)
        case .distinct:
            var paths: [QueryPath] = []
            repeat { paths.append(try path(nil)) } while accept(Token.Symbol.comma)
            result = .distinct(paths)
        default:
            result = .sort(try sortKeys(needDirection: true))
        }
        try expect(.rightParenthesis)
        return result
    }

    /// Parses paths, each followed by ASC or DESC.
    ///
    /// - Parameters:
    ///   - needDirection: whether ASC or DESC is required; ascending otherwise.
    ///   - takesCounts: whether a path may end with the number of elements of a collection.
    mutating func sortKeys(needDirection: Bool, takesCounts: Bool = false) throws(QuerySyntaxError) -> [SortKey] {
        var keys: [SortKey] = []
        repeat {
            var path = try self.path(nil)
            if takesCounts { acceptCount(&path) }
            let direction = word
            if direction == .ascending || direction == .descending {
                index += 1
            } else if needDirection {
                throw unexpected("ASC or DESC")
            }
            keys.append(SortKey(path: path, ascending: direction != .descending))
        } while accept(Token.Symbol.comma)
        return keys
    }

    /// Parses a path to the end of the text, optionally the number of elements of a collection.
    mutating func countedPath() throws(QuerySyntaxError) -> QueryPath {
        var path = try self.path(nil)
        acceptCount(&path)
        try expectEnd("the end")
        return path
    }

    /// `.@count`
    private mutating func acceptCount(_ path: inout QueryPath) {
        guard kind == .symbol(.point), case .word(.atSize, _) = kind(1) else { return }
        index += 2
        path.suffix = .size
    }

    /// Checks that the text ends here.
    func expectEnd(_ expected: String) throws(QuerySyntaxError) {
        guard kind == .end else { throw unexpected(expected) }
    }
}

extension QueryPath {
    /// Parses a path in query syntax: `owner.age`.
    ///
    /// - Throws: `QuerySyntaxError` with the position.
    public init(_ text: String) throws(QuerySyntaxError) {
        var parser = try QueryParser(text)
        self = try parser.path(nil)
        guard parser.kind == .end else { throw parser.unexpected("the end") }
    }
}
