public import RealmLayout
public import RealmReader

extension Table {
    /// The objects for which a query holds, in its order; without one in the order of their keys.
    ///
    /// ```swift
    /// let people = try snapshot.table(named: "Person")
    /// for key in try people.objects(matching: "age > $0 SORT(name ASC)", 30).keys { print(key) }
    /// ```
    ///
    /// Compares columns where they lie, a cluster at a time, and makes no objects where a condition is on columns alone.
    ///
    /// - Throws: `QueryError`: the text is no query, a name or type in it does not fit, or a value is damaged.
    public func objects(matching text: String, _ arguments: QueryArgument...) throws(QueryError) -> QueryResults {
        let query: Query
        do throws(QuerySyntaxError) {
            query = try Query(text)
        } catch {
            throw .syntax(error)
        }
        return try objects(matching: query, arguments: arguments)
    }

    /// The objects for which a query holds, in its order; without one in the order of their keys.
    ///
    /// - Parameter arguments: `$0` is the first.
    /// - Throws: `QueryError`: a name or type does not fit, or a value is damaged; `cancelled` when the task was.
    public func objects(
        matching query: Query, arguments: [QueryArgument] = []
    ) throws(QueryError) -> QueryResults {
        let binder = QueryBinder(self, arguments: arguments)
        let predicate = try binder.predicate(query.predicate)
        let steps = try binder.steps(query.steps)
        let keys = try QueryScan(predicate, in: self).keys(limit: steps.firstLimit)
        do {
            return QueryResults(table: self, keys: try ordered(keys, by: steps))
        } catch {
            throw .damage(error)
        }
    }

    /// How many objects there are for which a query holds. Makes no list of them, unless the query has DISTINCT or LIMIT.
    ///
    /// - Parameter arguments: `$0` is the first.
    /// - Throws: `QueryError`, as `objects(matching:arguments:)` does.
    public func count(matching query: Query, arguments: [QueryArgument] = []) throws(QueryError) -> Int {
        let binder = QueryBinder(self, arguments: arguments)
        let predicate = try binder.predicate(query.predicate)
        let steps = try binder.steps(query.steps)
        let isSorted = steps.allSatisfy { if case .sort = $0 { true } else { false } }
        guard isSorted else { return try objects(matching: query, arguments: arguments).count }
        return try QueryScan(predicate, in: self).count()
    }

    private func ordered(_ keys: [ObjectKey], by steps: [BoundStep]) throws(FormatError) -> [ObjectKey] {
        guard steps.needObjects else { return steps.isEmpty ? keys : Array(keys.prefix(steps.limit)) }
        var found: [StoredObject] = []
        for key in keys { if let object = try object(key) { found.append(object) } }
        let order = ResultOrder(QueryEvaluator(snapshot: snapshot))
        for step in steps { found = try order.apply(step, to: found) }
        return found.map(\.key)
    }

    /// What `objects(matching:arguments:)` finds, by looking at each object for itself: what it is tested with.
    package func objectsOneByOne(matching query: Query, arguments: [QueryArgument] = []) throws -> QueryResults {
        let binder = QueryBinder(self, arguments: arguments)
        let predicate = try binder.predicate(query.predicate)
        let evaluator = QueryEvaluator(snapshot: snapshot)
        var found: [StoredObject] = []
        var cursor = objects
        while let object = try cursor.next() {
            if try evaluator.holds(predicate, for: object) { found.append(object) }
        }
        let order = ResultOrder(evaluator)
        for step in try binder.steps(query.steps) { found = try order.apply(step, to: found) }
        return QueryResults(table: self, keys: found.map(\.key))
    }
}

extension [BoundStep] {
    /// How many objects are wanted of those that are found first.
    fileprivate var firstLimit: Int? { if case .limit(let count) = first { count } else { nil } }

    /// The lowest limit.
    fileprivate var limit: Int { reduce(.max) { if case .limit(let count) = $1 { Swift.min($0, count) } else { $0 } } }

    fileprivate var needObjects: Bool { contains { if case .limit = $0 { false } else { true } } }
}

/// What a query found in a table of a snapshot.
public struct QueryResults: Sendable {
    /// Where the objects are.
    public let table: Table
    /// Their keys, in the order of the result.
    public let keys: [ObjectKey]

    /// How many there are.
    public var count: Int { keys.count }

    /// The object at a position.
    ///
    /// - Precondition: there is such a position.
    /// - Throws: `FormatError` when the way to it is damaged.
    public func object(at index: Int) throws(FormatError) -> StoredObject {
        guard let object = try table.object(keys[index]) else {
            throw FormatError(.noSuchObject, "the object \(keys[index]) is not there any more")
        }
        return object
    }
}
