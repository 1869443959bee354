package import RealmCore
internal import RealmLayout

extension ObjectQuery {
    /// The query with texts read as values of the properties that they are compared with: dates, UUIDs, ObjectIds, and
    /// objects by their primary key, all as they are printed. Texts that are none of these stay, as do those beside
    /// strings and mixed values.
    ///
    /// Realm compares such properties with values of their own type only, so no valid query changes its meaning.
    ///
    /// - Parameter arguments: the first is `$0`.
    /// - Throws: `QueryError`: an argument has no value, or a linked object is damaged.
    package func reading(textsFor table: Table, arguments: [QueryArgument]) throws(QueryError) -> ObjectQuery {
        let reading = TextReading(binder: QueryBinder(table, arguments: arguments))
        return ObjectQuery(try reading.predicate(predicate), steps: steps)
    }
}

/// Replaces texts in predicates by the values that they spell.
private struct TextReading {
    var binder: QueryBinder

    func predicate(_ predicate: QueryPredicate) throws(QueryError) -> QueryPredicate {
        switch predicate {
        case .constant, .within: return predicate
        case .and(let parts): return .and(try all(parts))
        case .or(let parts): return .or(try all(parts))
        case .not(let part): return .not(try self.predicate(part))
        case .comparison(let left, let operation, let right, let ignoresCase, let ignoresDiacritics):
            let sides = (try expression(left), try expression(right))
            let left = try read(sides.0, beside: sides.1, operation)
            let right = try read(sides.1, beside: sides.0, operation)
            return .comparison(
                left, operation, right, caseInsensitive: ignoresCase, diacriticInsensitive: ignoresDiacritics)
        case .between(let value, let limits):
            let value = try expression(value)
            guard let type = type(of: value) else { return predicate }
            var read: [QueryConstant] = []
            for limit in limits {
                if case .list(let values, nil) = try self.read(.constant(limit), type) { read += values; continue }
                read.append(try constant(limit, type) ?? limit)
            }
            return .between(value, read)
        }
    }

    private func all(_ parts: [QueryPredicate]) throws(QueryError) -> [QueryPredicate] {
        var read: [QueryPredicate] = []
        for part in parts { read.append(try predicate(part)) }
        return read
    }

    /// The expression with texts in subqueries read.
    private func expression(_ expression: QueryExpression) throws(QueryError) -> QueryExpression {
        switch expression {
        case .subquery(let path, let variable, let predicate):
            guard let bound = try? binder.path(path), let schema = binder.tableSchema(at: bound),
                binder.variables.count < QueryLimits.subqueries
            else { return expression }
            var inner = self
            inner.binder.table = schema
            inner.binder.variables.append((variable, schema))
            return .subquery(path, variable: variable, try inner.predicate(predicate))
        case .arithmetic(let left, let operation, let right):
            return .arithmetic(try self.expression(left), operation, try self.expression(right))
        default: return expression
        }
    }

    /// The type of an expression; nil if it is constant or does not fit the class.
    private func type(of expression: QueryExpression) -> ValueType? {
        guard !expression.isConstant, let bound = try? binder.expression(expression, hint: nil) else { return nil }
        return binder.type(of: bound)
    }

    private func read(
        _ expression: QueryExpression, beside other: QueryExpression, _ operation: ComparisonOperation
    ) throws(QueryError) -> QueryExpression {
        guard expression.isConstant, !operation.isText, let type = type(of: other) else { return expression }
        return try read(expression, type)
    }

    private func read(_ expression: QueryExpression, _ type: ValueType) throws(QueryError) -> QueryExpression {
        switch expression {
        case .constant(.argument(let number, let quantifier)):
            guard case .list(let values) = try argument(number) else {
                return try constant(.argument(number, quantifier), type).map { .constant($0) } ?? expression
            }
            let constants = values.map { QueryConstant($0) }
            let read = try self.constants(constants, type)
            return read == constants ? expression : .list(read, quantifier)
        case .constant(let value): return try constant(value, type).map { .constant($0) } ?? expression
        case .list(let values, let quantifier): return .list(try constants(values, type), quantifier)
        default: return expression
        }
    }

    private func argument(_ number: Int) throws(QueryError) -> QueryArgument {
        guard binder.arguments.indices.contains(number) else {
            throw .binding("the query has an argument $\(number): --args gives its value, as in --args '30, \"Rex\"'")
        }
        return binder.arguments[number]
    }

    private func constants(_ values: [QueryConstant], _ type: ValueType) throws(QueryError) -> [QueryConstant] {
        var read: [QueryConstant] = []
        for value in values { read.append(try constant(value, type) ?? value) }
        return read
    }

    /// The value that a constant spells; nil if it stays as it is.
    private func constant(_ constant: QueryConstant, _ type: ValueType) throws(QueryError) -> QueryConstant? {
        var constant = constant
        if case .argument(let number, nil) = constant, case .value(let value) = try argument(number) {
            constant = QueryConstant(value)
        }
        switch type {
        case .property(let type): return Self.value(constant, type)
        case .link(let target?): return try link(constant, target)
        default: return nil
        }
    }

    private static func value(_ constant: QueryConstant, _ type: StoredPropertyType) -> QueryConstant? {
        switch (type, constant) {
        case (.timestamp, .string(let text)):
            Timestamp(iso8601: text, assumesUTC: true).map {
                .timestamp(seconds: $0.seconds, nanoseconds: Int32($0.nanoseconds))
            }
        case (.uuid, .string(let text)): Hexadecimal.uuidBytes(text.utf8).map { .uuid($0) }
        case (.objectId, .string(let text)), (.objectId, .integer(let text)):
            text.utf8.count == 24 ? Hexadecimal.bytes(text.utf8).map { .objectId($0) } : nil
        default: nil
        }
    }

    /// The object with a primary key, as links are printed; without one, `object 5` is the object with that key.
    private func link(_ constant: QueryConstant, _ target: TableKey) throws(QueryError) -> QueryConstant? {
        guard let position = binder.snapshot.position(of: target) else { return nil }
        let table = binder.snapshot.table(at: position)
        guard let property = table.schema.primaryKey else {
            guard case .string(let text) = constant, text.hasPrefix("object ") else { return nil }
            return Int64(text.dropFirst(7)).map { .objectKey($0) }
        }
        let read = Self.value(constant, property.type) ?? constant
        switch (read, property.type) {
        case (.string, .string), (.integer, .int), (.uuid, .uuid), (.objectId, .objectId): break
        default: return nil
        }
        let bound = try binder.constantExpression(read, hint: .property(property.type))
        guard case .constants(let values, false, _) = bound, let key = values.first else { return nil }
        do throws(FormatError) {
            return try table.object(primaryKey: key).map { .objectKey($0.key.value) } ?? .noObject
        } catch {
            throw .damage(error)
        }
    }
}
