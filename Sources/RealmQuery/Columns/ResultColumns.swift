package import RealmCore
package import RealmLayout

/// Columns to show for each object of a result: properties, or other expressions of the query language.
package struct ResultColumns: Sendable {
    /// A column.
    package struct Column: Sendable {
        /// The text that requested it.
        package let text: String
        /// The name that was given to it with AS.
        package fileprivate(set) var alias: String?
        /// The name above the column.
        package var name: String { alias ?? text }
        /// The property whose values are shown; nil for other expressions.
        package let property: StoredProperty?
        /// Whether all values are numbers or null.
        package let isNumber: Bool
        /// Whether all values, or elements of lists, are strings or null.
        package let isText: Bool
        fileprivate let source: Source
        /// The part of a point in time that is shown.
        fileprivate(set) var part: DatePart?
    }

    fileprivate enum Source: Sendable {
        case property(PropertyIndex)
        case expression(BoundExpression, isOfTypes: Bool)

        /// Whether values result from a calculation, which can overflow.
        var calculates: Bool {
            guard case .expression(let expression, _) = self, case .path = expression else { return true }
            return false
        }
    }

    /// The columns from left to right.
    package let columns: [Column]
    private let evaluator: QueryEvaluator

    /// No columns.
    init(noneOf table: Table) {
        evaluator = QueryEvaluator(snapshot: table.snapshot)
        columns = []
    }

    /// All properties of a class.
    package init(of table: Table) {
        evaluator = QueryEvaluator(snapshot: table.snapshot)
        columns = table.schema.properties.propertyIndexes.map { Self.column(ofProperty: $0, in: table) }
    }

    /// Parses a comma-separated list of properties, paths such as `owner.name` and `items.@count`, expressions, parts of
    /// dates such as `year(createdAt)`, and `*` for all properties; each may have a name: `total * 2 AS double`.
    ///
    /// - Throws: `QueryError` with the position, or with the name that does not fit.
    package init(_ text: String, of table: Table, arguments: [QueryArgument] = []) throws(QueryError) {
        evaluator = QueryEvaluator(snapshot: table.snapshot)
        let properties = table.schema.properties
        // Also accepts names that the query language cannot express.
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            let name = String(part.trimmingSpaces)
            return properties.propertyIndex(named: name)
        }
        if names.allSatisfy({ $0 != nil }) {
            columns = names.compactMap { $0 }.map { Self.column(ofProperty: $0, in: table) }
            return
        }
        let binder = QueryBinder(table, arguments: arguments)
        var columns: [Column] = []
        for written in try Self.written(text) {
            guard let expression = written.expression else {
                columns += properties.propertyIndexes.map { Self.column(ofProperty: $0, in: table) }
                continue
            }
            var column = Self.column(written.text, try binder.expression(expression, hint: nil), binder)
            if let part = written.part { column = try Self.column(column, part, binder) }
            column.alias = written.alias
            columns.append(column)
        }
        self.columns = columns
    }

    private static func written(_ text: String) throws(QueryError) -> [WrittenColumn] {
        do throws(QuerySyntaxError) {
            var parser = try QueryParser(text, takesPrintedValues: true)
            let found = try parser.columns()
            try parser.expectEnd("a comma or the end")
            return found
        } catch {
            throw .syntax(error)
        }
    }

    /// A column of parts of the dates of another.
    private static func column(_ dates: Column, _ part: DatePart, _ binder: QueryBinder) throws(QueryError) -> Column {
        guard case .expression(let bound, isOfTypes: false) = dates.source else { return dates }
        let type = binder.type(of: bound)
        guard type == .property(.timestamp) || type == .property(.mixed) else {
            throw .binding("'\(dates.text)': only a date has a \(part.rawValue), not \(type.words)")
        }
        return Column(
            text: dates.text, property: nil, isNumber: part != .date && !binder.isMany(bound), isText: part == .date,
            source: dates.source, part: part)
    }

    private static func column(ofProperty index: PropertyIndex, in table: Table) -> Column {
        let property = table.schema.properties[index]
        let isNumber = property.collection == nil && ValueType.property(property.type).isNumber
        return Column(
            text: property.name, property: property, isNumber: isNumber && property.type != .mixed,
            isText: property.type == .string, source: .property(index))
    }

    private static func column(_ text: String, _ bound: BoundExpression, _ binder: QueryBinder) -> Column {
        let type = binder.type(of: bound)
        let isNumber = type.isNumber && type != .property(.mixed) && (!binder.isMany(bound) || bound.isOneAtMost)
        guard case .path(let path) = bound else {
            return Column(
                text: text, property: nil, isNumber: isNumber, isText: type == .property(.string),
                source: .expression(bound, isOfTypes: false))
        }
        let isWhole = path.steps.isEmpty && path.suffix == nil
        return Column(
            text: text, property: isWhole ? path.property : nil, isNumber: isNumber || path.suffix == .size,
            isText: type == .typeName || type == .property(.string),
            source: .expression(bound, isOfTypes: path.suffix == .type))
    }

    /// The value of a column for an object of the class.
    ///
    /// - Parameter isBeyond: set to true when a calculated integer exceeds 64 bits.
    /// - Throws: `FormatError` with the object in its path when it is damaged.
    package func value(
        _ column: Int, of object: StoredObject, _ isBeyond: inout Bool
    ) throws(FormatError) -> Value {
        switch columns[column].source {
        case .property(let index): return try object.value(of: index)
        case .expression(let expression, let isOfTypes):
            var evaluator = evaluator
            let overflow = columns[column].source.calculates ? OverflowNote() : nil
            evaluator.overflow = overflow
            defer { if overflow?.isNoted ?? false { isBeyond = true } }
            do throws(FormatError) {
                let value = try evaluator.value(of: expression, isOfTypes: isOfTypes, for: object)
                return columns[column].part?.value(of: value) ?? value
            } catch {
                throw error.at(table: object.table.schema.tableName, objectKey: object.key)
            }
        }
    }
}

extension ResultColumns.Column {
    /// The expression of the values.
    func expression(_ binder: QueryBinder) throws(QueryError) -> BoundExpression {
        switch source {
        case .expression(let expression, _): expression
        case .property: try binder.expression(.property(QueryPath([.name(text)])), hint: nil)
        }
    }
}

extension QueryEvaluator {
    /// The value of an expression as a single value: a property unchanged, and a list where there can be several
    /// values.
    fileprivate func value(
        of expression: BoundExpression, isOfTypes: Bool, for object: StoredObject
    ) throws(FormatError) -> Value {
        if case .path(let path) = expression, path.steps.isEmpty, path.suffix == nil {
            if case .property(let index) = path.end {
                return try values(ofProperty: index, at: path.hops[...], from: object)
            }
            if case .object = path.end, let last = path.hops.last {
                let before = path.hops.dropLast()
                switch last {
                case .link(let index), .links(let index, nil):
                    return try values(ofProperty: index, at: before, from: object)
                default: break
                }
            }
        }
        let operand = try operand(expression, for: object)
        let values = isOfTypes ? operand.values.map { TypeName.named($0) } : operand.values
        return operand.isList && !expression.isOneAtMost ? .list(values) : values.first ?? .null
    }

    private func values(
        ofProperty index: PropertyIndex, at hops: ArraySlice<BoundPath.Hop>, from object: StoredObject
    ) throws(FormatError) -> Value {
        var values: [Value] = []
        for reached in try objects(at: hops, from: object) { values.append(try reached.value(of: index)) }
        return hops.allSatisfy(\.isOneAtMost) ? values.first ?? .null : .list(values)
    }
}

extension TypeName {
    /// Converts type bits to the name of the type.
    fileprivate static func named(_ value: Value) -> Value {
        guard case .int(let bits) = value else { return value }
        let names: [(TypeName, String)] = [
            (.null, "null"), (.int, "int"), (.bool, "bool"), (.string, "string"), (.binary, "binary"),
            (.timestamp, "date"), (.float, "float"), (.double, "double"), (.decimal128, "decimal128"),
            (.link, "link"), (.objectId, "objectId"), (.uuid, "uuid"), (.dictionary, "dictionary"), (.list, "list"),
        ]
        return names.first { $0.0.rawValue == bits }.map { .string($0.1) } ?? value
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var rest = drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}

extension [SortKey] {
    /// Parses sort keys: paths, which may end with `.@count`, each with an optional ASC or DESC, separated by commas.
    ///
    /// - Throws: `QuerySyntaxError` with the position.
    package init(sorting text: String) throws(QuerySyntaxError) {
        var parser = try QueryParser(text)
        self = try parser.sortKeys(needDirection: false, takesCounts: true)
        try parser.expectEnd("ASC, DESC, a comma or the end")
    }
}
