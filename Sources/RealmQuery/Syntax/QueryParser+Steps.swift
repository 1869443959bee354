extension QueryParser {
    /// SORT, DISTINCT or LIMIT behind a predicate.
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
            var keys: [SortKey] = []
            repeat {
                let path = try self.path(nil)
                guard word == .ascending || word == .descending else { throw unexpected("ASC or DESC") }
                keys.append(SortKey(path: path, ascending: word == .ascending))
                index += 1
            } while accept(Token.Symbol.comma)
            result = .sort(keys)
        }
        try expect(.rightParenthesis)
        return result
    }
}
