package import RealmCore

/// A condition on a column of groups: `sum(total) >= 100`.
package struct GroupCondition: Sendable {
    /// The column, as written.
    package let column: String
    private let operation: ComparisonOperation
    private let value: Value

    /// The operators, those that others begin with last.
    private static let operators = ["==", "!=", "<>", "<=", ">=", "=", "<", ">"]

    /// Parses a condition: a column, an operator that compares, and a value.
    ///
    /// - Throws: `QueryError`.
    package init(_ text: String, of table: Table, arguments: [QueryArgument] = []) throws(QueryError) {
        guard let place = Self.place(in: text) else {
            throw .binding("a condition on groups compares a column with a value, as in sum(total) > 100")
        }
        let query: ObjectQuery
        do throws(QuerySyntaxError) {
            query = try ObjectQuery(entered: "column" + text[place...])
        } catch {
            throw .syntax(error)
        }
        guard case .comparison(_, let operation, .constant(let constant), false, false) = query.predicate,
            case .constants(let values, false, _) = try QueryBinder(table, arguments: arguments)
                .constantExpression(constant, hint: nil), let value = values.first
        else { throw .binding("a condition on groups compares a column with one value") }
        column = String(text[..<place].drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        (self.operation, self.value) = (operation, value)
    }

    /// Where the operator begins; brackets belong to the column.
    private static func place(in text: String) -> String.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0, operators.contains(where: { text[index...].hasPrefix($0) }) { return index }
        }
        return nil
    }

    /// Whether a value of the column satisfies the condition. Null equals null, and has no order.
    package func holds(_ other: Value) -> Bool {
        let comparison = QueryOrder.compare(other, value)
        switch operation {
        case .equal: return comparison == 0
        case .notEqual: return comparison != 0
        default: break
        }
        guard QueryOrder.areComparable(other, value) else { return false }
        return switch operation {
        case .less: comparison < 0
        case .lessOrEqual: comparison <= 0
        case .greater: comparison > 0
        case .greaterOrEqual: comparison >= 0
        default: false
        }
    }
}
