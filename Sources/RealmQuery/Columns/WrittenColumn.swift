/// A column as it is written: `total * 2 AS double`, `year(createdAt)`.
struct WrittenColumn {
    /// The value; nil for `*`, all properties.
    let expression: QueryExpression?
    /// The part of it, if it is a point in time.
    let part: DatePart?
    /// The text of the value.
    let text: String
    /// The name after AS.
    let alias: String?
}

extension QueryParser {
    /// Parses comma-separated columns.
    mutating func columns() throws(QuerySyntaxError) -> [WrittenColumn] {
        var found: [WrittenColumn] = []
        repeat {
            let start = token.range.lowerBound
            if kind == .symbol(.times) {
                index += 1
                found.append(WrittenColumn(expression: nil, part: nil, text: "*", alias: nil))
                continue
            }
            let part = acceptDatePart()
            let expression = try sum()
            if part != nil { try expect(.rightParenthesis) }
            let text = source(start..<max(start, previousEnd))
            found.append(WrittenColumn(expression: expression, part: part, text: text, alias: try acceptAlias()))
        } while accept(Token.Symbol.comma)
        return found
    }

    /// The name of a function and the bracket after it.
    private mutating func acceptDatePart() -> DatePart? {
        guard case .identifier(let name) = kind, kind(1) == .symbol(.leftParenthesis),
            let part = DatePart(rawValue: name.lowercased())
        else { return nil }
        index += 2
        return part
    }

    /// `AS name`
    private mutating func acceptAlias() throws(QuerySyntaxError) -> String? {
        guard case .identifier(let word) = kind, word.lowercased() == "as" else { return nil }
        index += 1
        switch kind {
        case .identifier(let name), .word(_, spelled: let name), .string(let name):
            index += 1
            return name
        default: throw unexpected("a name after AS")
        }
    }
}
