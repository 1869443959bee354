package import RealmCore
package import RealmLayout

extension Table {
    /// The objects of a damaged class that match a query, found object by object. An object that cannot be judged or
    /// ordered, because a value it needs cannot be read, is left out and reported.
    ///
    /// - Parameter report: receives each error.
    /// - Throws: `QueryError`: a name or type does not fit, the task was cancelled, or the query exceeds its budget;
    ///   `damage` only if the file changed meanwhile, or if there is no bound to the work.
    package func readableObjects(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions(),
        _ report: (FormatError) -> Void
    ) throws(QueryError) -> QueryResults {
        let (predicate, steps) = try bound(query, arguments)
        let meter = WorkMeter(options.budget)
        let search = ReadableSearch(table: self, evaluator: QueryEvaluator(snapshot: snapshot, meter: meter), meter)
        var found = try search.objects(report) { object throws(FormatError) in
            try search.evaluator.holds(predicate, for: object)
        }
        let order = ResultOrder(search.evaluator)
        for step in steps {
            found = try search.readable(found, for: step, report)
            do throws(FormatError) { found = try order.apply(step, to: found) } catch { throw meter.failure(error) }
        }
        return QueryResults(table: self, keys: found.map(\.key))
    }
}

/// A search that continues after damage.
private struct ReadableSearch {
    let table: Table
    let evaluator: QueryEvaluator
    private let meter: WorkMeter

    init(table: Table, evaluator: QueryEvaluator, _ meter: WorkMeter) {
        (self.table, self.evaluator, self.meter) = (table, evaluator, meter)
    }

    func objects(
        _ report: (FormatError) -> Void, where holds: (StoredObject) throws(FormatError) -> Bool
    ) throws(QueryError) -> [StoredObject] {
        var found: [StoredObject] = []
        var clusters = ClusterCursor(table.tree)
        while true {
            do throws(FormatError) {
                guard let objects = try next(&clusters) else { return found }
                for object in objects {
                    try meter.charge(1)
                    if try keeping(object, report, { object throws(FormatError) in try holds(object) }) {
                        found.append(object)
                    }
                }
            } catch {
                try skip(error, report)
            }
        }
    }

    /// The objects of the next cluster.
    private func next(_ clusters: inout ClusterCursor) throws(FormatError) -> [StoredObject]? {
        try table.snapshot.reading { () throws(FormatError) in
            guard let cluster = try clusters.next() else { return nil }
            let rows = ObjectsOfCluster(table, cluster)
            var objects: [StoredObject] = []
            for row in 0..<cluster.count { objects.append(try rows.object(inRow: row)) }
            return objects
        }
    }

    /// The objects whose values for a step can be read.
    func readable(
        _ objects: [StoredObject], for step: BoundStep, _ report: (FormatError) -> Void
    ) throws(QueryError) -> [StoredObject] {
        let paths: [BoundPath] =
            switch step {
            case .limit: []
            case .sort(let keys): keys.map(\.path)
            case .distinct(let paths): paths
            }
        var kept: [StoredObject] = []
        do throws(FormatError) {
            for object in objects {
                let isReadable = try keeping(object, report) { object throws(FormatError) in
                    for path in paths { _ = try evaluator.values(of: path, from: object) }
                    return true
                }
                if isReadable { kept.append(object) }
            }
        } catch {
            throw meter.failure(error)
        }
        return kept
    }

    /// The result of a test; false, with a report, if a value cannot be read.
    private func keeping(
        _ object: StoredObject, _ report: (FormatError) -> Void, _ test: (StoredObject) throws(FormatError) -> Bool
    ) throws(FormatError) -> Bool {
        do throws(FormatError) {
            return try test(object)
        } catch {
            guard case .damage = meter.failure(error), error.isSurvivable else { throw error }
            report(error.at(table: table.schema.tableName, objectKey: object.key))
            return false
        }
    }

    private func skip(_ error: FormatError, _ report: (FormatError) -> Void) throws(QueryError) {
        guard case .damage = meter.failure(error), error.isSurvivable else { throw meter.failure(error) }
        report(error.at(table: table.schema.tableName))
    }
}

extension FormatError {
    /// Whether what follows can be read. A file that changed is another one, and work without a bound has no end.
    var isSurvivable: Bool { code != .fileChanged && code != .sharedNodes }
}
