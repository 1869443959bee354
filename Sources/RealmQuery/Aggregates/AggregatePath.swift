internal import RealmCore
internal import RealmLayout

/// A path whose values can be added up, or compared.
struct AggregatePath {
    let path: BoundPath
    let type: StoredPropertyType

    /// - Throws: `syntax` and `binding`: there is no such property, or its values are not numbers.
    init(_ text: String, _ table: Table) throws(QueryError) {
        let path = try QueryBinder(table, arguments: []).singlePath(text, for: "an aggregate")
        guard let bound = AggregatePath(path) else {
            throw .binding("'\(text)' is \(path.type.words): it has no sum, average, minimum or maximum")
        }
        self = bound
    }

    /// - Parameter path: must have one value for each object, or be the number of elements of one collection.
    /// - Returns: nil unless the values are numbers or points in time.
    init?(_ path: BoundPath) {
        self.path = path
        if path.isNumberOfElements {
            type = .int
            return
        }
        guard let property = path.property, path.suffix == nil,
            [.int, .float, .double, .decimal128, .mixed, .timestamp].contains(property.type)
        else { return nil }
        type = path.steps.isEmpty ? property.type : .mixed
    }

    /// Creates the path of a property of numbers or points in time.
    init(_ index: PropertyIndex, of table: Table) {
        let property = table.schema.properties[index]
        var path = BoundPath()
        (path.end, path.property, path.type) = (.property(index), property, .property(property.type))
        (self.path, type) = (path, property.type)
    }

    /// Passes the values of some objects to accumulators, in the order of the keys.
    ///
    /// - Parameter body: receives for each object its position and a closure that adds its value to an accumulator.
    func forEach(
        _ keys: [ObjectKey], _ table: Table, _ body: (_ place: Int, _ add: (inout Accumulator) -> Void) -> Void
    ) throws(FormatError) {
        let reader = SortKeyReader(table.snapshot)
        try reader.found(path, of: keys, in: table).forEach(body)
        withExtendedLifetime(reader) {}
    }

    /// Aggregates the values of some objects.
    ///
    /// - Throws: `damage`.
    func summary(_ keys: [ObjectKey], _ table: Table) throws(QueryError) -> ValueSummary {
        var accumulator = Accumulator(type)
        do throws(FormatError) {
            try forEach(keys, table) { _, add in add(&accumulator) }
        } catch {
            throw .damage(error)
        }
        return accumulator.summary
    }
}

extension QueryBinder {
    /// Parses and binds a path with one value for each object, which may be the number of elements of one collection.
    ///
    /// - Parameter use: the purpose of the path, for error messages.
    func singlePath(_ text: String, for use: String) throws(QueryError) -> BoundPath {
        let path: QueryPath
        do throws(QuerySyntaxError) {
            var parser = try QueryParser(text)
            path = try parser.countedPath()
        } catch {
            throw .syntax(error)
        }
        let bound = try self.path(path)
        return bound.isCount ? bound : try single(path, for: use)
    }
}

extension BoundPath {
    /// Whether its value is a number of elements, links to an object, or bytes.
    fileprivate var isNumberOfElements: Bool {
        if case .backlinkCount = end { return true }
        return suffix == .size
    }
}
