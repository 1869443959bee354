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
    /// Looks at every object of the table; nothing is kept of those that do not belong to the result.
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
        do {
            var found = try matches(
                predicate, limit: steps.first.flatMap { if case .limit(let count) = $0 { count } else { nil } })
            let order = ResultOrder(QueryEvaluator(snapshot: snapshot))
            for step in steps { found = try order.apply(step, to: found) }
            return QueryResults(table: self, keys: found.map(\.key))
        } catch let error as FormatError {
            throw .damage(error)
        } catch {
            throw .cancelled
        }
    }

    private func matches(_ predicate: BoundPredicate, limit: Int?) throws -> [StoredObject] {
        let evaluator = QueryEvaluator(snapshot: snapshot)
        var found: [StoredObject] = []
        var cursor = objects
        while found.count < limit ?? .max, let object = try cursor.next() {
            try Task.checkCancellation()
            if try evaluator.holds(predicate, for: object) { found.append(object) }
        }
        return found
    }
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
