public import RealmCore
public import RealmLayout

extension Table {
    /// The objects that match a query, in the query's order, or else in key order.
    ///
    /// ```swift
    /// let people = try snapshot.table(named: "Person")
    /// for key in try people.objects(matching: "age > $0 SORT(name ASC)", 30).keys { print(key) }
    /// ```
    ///
    /// Compares columns in place, a cluster at a time. Conditions that only need columns create no objects.
    ///
    /// - Throws: `QueryError`: the text is not a valid query, a name or type in it does not fit, or a value is damaged.
    public func objects(matching text: String, _ arguments: QueryArgument...) throws(QueryError) -> QueryResults {
        let query: ObjectQuery
        do throws(QuerySyntaxError) {
            query = try ObjectQuery(text)
        } catch {
            throw .syntax(error)
        }
        return try objects(matching: query, arguments: arguments)
    }

    /// The objects that match a query, in the query's order, or else in key order.
    ///
    /// - Parameter arguments: the first is `$0`.
    /// - Throws: `QueryError`: a name or type does not fit, or a value is damaged; `cancelled` when the task was
    ///   cancelled, `exhausted` when the query exceeds its budget.
    public func objects(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions()
    ) throws(QueryError) -> QueryResults {
        let (predicate, steps) = try bound(query, arguments)
        let scan = QueryScan(predicate, in: self, options)
        return try results(scan.keys(limit: steps.firstLimit).keys, steps, scan.meter)
    }

    /// The objects that match a query, found, sorted and deduplicated by several tasks. The result is the same, in the
    /// same order.
    ///
    /// ```swift
    /// let adults = try await people.objects(matching: ObjectQuery("age >= 18"), jobs: 4)
    /// print(adults.count)
    /// ```
    ///
    /// - Parameter jobs: maximum number of tasks. One is used if an index leaves few candidates.
    /// - Throws: `QueryError`, as `objects(matching:arguments:options:)` does.
    public func objects(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions(), jobs: Int
    ) async throws(QueryError) -> QueryResults {
        let (predicate, steps) = try bound(query, arguments)
        let scan = QueryScan(predicate, in: self, options) { self.predicate(query, arguments) ?? predicate }
        let tasks = QueryTasks(jobs, partSize: options.partSize)
        // A few first matches are found sooner by one task.
        let found =
            if let limit = steps.firstLimit { [try scan.keys(limit: limit).keys] } else { try await scan.keys(tasks) }
        return QueryResults(table: self, keys: try await ResultSteps(self, scan.meter).apply(steps, to: found, tasks))
    }

    /// Counts the objects that match a query. Makes no list of them unless the query has DISTINCT, and stops at a
    /// LIMIT.
    ///
    /// - Parameter arguments: the first is `$0`.
    /// - Throws: `QueryError`, as `objects(matching:arguments:options:)` does.
    public func count(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions()
    ) throws(QueryError) -> Int {
        let (predicate, steps) = try bound(query, arguments)
        let scan = QueryScan(predicate, in: self, options)
        guard let most = steps.mostWithoutDistinct else {
            return try results(scan.keys(limit: steps.firstLimit).keys, steps, scan.meter).count
        }
        return try scan.count(limit: most)
    }

    /// Counts the objects that match a query, with several tasks.
    ///
    /// ```swift
    /// print(try await people.count(matching: ObjectQuery("name CONTAINS[c] 'ann'"), jobs: 4))
    /// ```
    ///
    /// - Parameter jobs: maximum number of tasks. One is used if an index leaves few candidates.
    /// - Throws: `QueryError`, as `objects(matching:arguments:options:)` does.
    public func count(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions(), jobs: Int
    ) async throws(QueryError) -> Int {
        let (predicate, steps) = try bound(query, arguments)
        guard let most = steps.mostWithoutDistinct else {
            return try await objects(matching: query, arguments: arguments, options: options, jobs: jobs).count
        }
        let scan = QueryScan(predicate, in: self, options) { self.predicate(query, arguments) ?? predicate }
        if most < .max { return try scan.count(limit: most) }
        return try await scan.count(QueryTasks(jobs, partSize: options.partSize))
    }

    /// Runs a query and reports how it was run.
    ///
    /// - Parameter arguments: the first is `$0`.
    /// - Throws: `QueryError`, as `objects(matching:arguments:options:)` does.
    public func explain(
        _ query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions()
    ) throws(QueryError) -> QueryExplanation {
        let clock = ContinuousClock()
        let start = clock.now
        let (predicate, steps) = try bound(query, arguments)
        let scan = QueryScan(predicate, in: self, options)
        let found = try scan.keys(limit: steps.firstLimit, looksAnew: true)
        let middle = clock.now
        let results = try results(found.keys, steps, scan.meter)
        let end = clock.now
        let count: Int
        do throws(FormatError) { count = try self.count } catch { throw .damage(error) }
        return QueryExplanation(
            objectCount: count, index: scan.choice.map { ($0.text, $0.keys.count) },
            steps: scan.plan.root.explained(0, found.counts, in: self),
            resultSteps: query.steps.map(\.description).joined(separator: " "), results: results,
            searchTime: start.duration(to: middle), stepsTime: middle.duration(to: end))
    }

    func bound(
        _ query: ObjectQuery, _ arguments: [QueryArgument]
    ) throws(QueryError) -> (BoundPredicate, [BoundStep]) {
        let binder = QueryBinder(self, arguments: arguments)
        return (try binder.predicate(query.predicate), try binder.steps(query.steps))
    }

    private func predicate(_ query: ObjectQuery, _ arguments: [QueryArgument]) -> BoundPredicate? {
        try? QueryBinder(self, arguments: arguments).predicate(query.predicate)
    }

    func results(
        _ keys: [ObjectKey], _ steps: [BoundStep], _ meter: WorkMeter
    ) throws(QueryError) -> QueryResults {
        do throws(FormatError) {
            return QueryResults(table: self, keys: try ResultSteps(self, meter).apply(steps, to: keys))
        } catch {
            throw meter.failure(error)
        }
    }

    /// Same result as `objects(matching:arguments:)`, evaluated object by object; serves as test oracle.
    ///
    /// - Parameter budget: limits for finding the objects; nil for none.
    package func objectsOneByOne(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], budget: QueryBudget? = nil
    ) throws -> QueryResults {
        let binder = QueryBinder(self, arguments: arguments)
        let predicate = try binder.predicate(query.predicate)
        let meter = budget.map { WorkMeter($0) }
        let evaluator = QueryEvaluator(snapshot: snapshot, meter: meter)
        var found: [StoredObject] = []
        var cursor = objects
        do throws(FormatError) {
            while let object = try cursor.next() {
                if try evaluator.holds(predicate, for: object) { found.append(object) }
            }
        } catch {
            throw meter?.failure(error) ?? .damage(error)
        }
        let order = ResultOrder(evaluator)
        for step in try binder.steps(query.steps) { found = try order.apply(step, to: found) }
        return QueryResults(table: self, keys: found.map(\.key))
    }
}

extension [BoundStep] {
    /// Maximum number of objects after these steps, for any input; nil if there is a DISTINCT.
    fileprivate var mostWithoutDistinct: Int? {
        var most = Int.max
        for step in self {
            switch step {
            case .sort: break
            case .limit(let count): most = Swift.min(most, count)
            case .distinct: return nil
            }
        }
        return most
    }

    /// The number of first matches needed; nil unless the first step is a LIMIT.
    var firstLimit: Int? { if case .limit(let count) = first { count } else { nil } }
}

/// Result of a query on a table of a snapshot: a list of keys, eight bytes each, without objects.
///
/// `Table.count(matching:)`, `Table.first(matching:)`, `Table.objects(matching:page:)` and the iterating
/// `Table.cursor(matching:)` read less than all results, and make no list where none is needed.
///
/// ```swift
/// let old = try people.objects(matching: "age > $0", 60)
/// print(old.count, old.keys)
/// ```
public struct QueryResults: Sendable {
    /// The table that contains the objects.
    public let table: Table
    /// The keys of the objects, in result order.
    public let keys: [ObjectKey]

    /// The number of objects.
    public var count: Int { keys.count }

    /// The object at a position.
    ///
    /// - Precondition: the index is within bounds.
    /// - Throws: `FormatError` when a node on the way to the object is damaged.
    public func object(at index: Int) throws(FormatError) -> StoredObject {
        guard let object = try table.object(keys[index]) else {
            throw FormatError(.noSuchObject, "the object \(keys[index]) is not there any more")
        }
        return object
    }
}
