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
        let query: ObjectQuery
        do throws(QuerySyntaxError) {
            query = try ObjectQuery(text)
        } catch {
            throw .syntax(error)
        }
        return try objects(matching: query, arguments: arguments)
    }

    /// The objects for which a query holds, in its order; without one in the order of their keys.
    ///
    /// - Parameter arguments: `$0` is the first.
    /// - Throws: `QueryError`: a name or type does not fit, or a value is damaged; `cancelled` when the task was, `exhausted` when it takes
    ///   more than its budget.
    public func objects(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions()
    ) throws(QueryError) -> QueryResults {
        let (predicate, steps) = try bound(query, arguments)
        let scan = QueryScan(predicate, in: self, options)
        return try results(scan.keys(limit: steps.firstLimit).keys, steps, scan.meter)
    }

    /// The objects for which a query holds, looked for, sorted and told apart by several tasks at once; they are the same, in the same order.
    ///
    /// ```swift
    /// let adults = try await people.objects(matching: Query("age >= 18"), jobs: 4)
    /// print(adults.count)
    /// ```
    ///
    /// - Parameter jobs: how many tasks there are at most. An index that leaves few objects needs one.
    /// - Throws: `QueryError`, as `objects(matching:arguments:options:)` does.
    public func objects(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions(), jobs: Int
    ) async throws(QueryError) -> QueryResults {
        let (predicate, steps) = try bound(query, arguments)
        let scan = QueryScan(predicate, in: self, options) { self.predicate(query, arguments) ?? predicate }
        let tasks = QueryTasks(jobs, partSize: options.partSize)
        // Few of the first are found sooner than what other tasks find can be used.
        let found =
            if let limit = steps.firstLimit { [try scan.keys(limit: limit).keys] } else { try await scan.keys(tasks) }
        return QueryResults(table: self, keys: try await ResultSteps(self, scan.meter).apply(steps, to: found, tasks))
    }

    /// How many objects there are for which a query holds. Makes no list of them, unless the query has DISTINCT, and looks for no more than a
    /// LIMIT wants.
    ///
    /// - Parameter arguments: `$0` is the first.
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

    /// How many objects there are for which a query holds, counted by several tasks at once.
    ///
    /// ```swift
    /// print(try await people.count(matching: Query("name CONTAINS[c] 'ann'"), jobs: 4))
    /// ```
    ///
    /// - Parameter jobs: how many tasks there are at most. An index that leaves few objects needs one.
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

    /// Runs a query and says how that was done.
    ///
    /// - Parameter arguments: `$0` is the first.
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

    /// What `objects(matching:arguments:)` finds, by looking at each object for itself: what it is tested with.
    ///
    /// - Parameter budget: what finding the objects may take; nil for all that it takes.
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
    /// How many objects they leave at most, whichever these are; nil where some are told apart.
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

    /// How many objects are wanted of those that are found first.
    var firstLimit: Int? { if case .limit(let count) = first { count } else { nil } }
}

/// What a query found in a table of a snapshot: a list of keys, eight bytes each, with no objects made.
///
/// Whoever wants less than all of them asks for that, and no list is made where none is needed: `Table.count(matching:)`,
/// `Table.first(matching:)`, `Table.objects(matching:page:)`, and `Table.cursor(matching:)` for one after the other.
///
/// ```swift
/// let old = try people.objects(matching: "age > $0", 60)
/// print(old.count, old.keys)
/// ```
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
