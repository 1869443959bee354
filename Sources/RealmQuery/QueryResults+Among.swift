package import RealmCore
package import RealmLayout

extension Table {
    /// The given objects that match a query, in the query's order, or else in that of the keys. Duplicate keys are
    /// evaluated twice.
    ///
    /// - Parameters:
    ///   - arguments: the first is `$0`.
    ///   - keys: keys of deleted objects are ignored.
    /// - Throws: `QueryError`, as `objects(matching:arguments:)` does.
    package func objects(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], among keys: [ObjectKey]
    ) throws(QueryError) -> [ObjectKey] {
        let binder = QueryBinder(self, arguments: arguments)
        let predicate = try binder.predicate(query.predicate)
        let steps = try binder.steps(query.steps)
        // Visits each cluster once, whatever the order of the keys.
        let isInOrder = keys.isStrictlyAscending
        let ascending = isInOrder ? keys : KeySet(keys).ascending
        // The default budget only serves cancellation.
        let scan = QueryScan(predicate, in: self)
        let found = try scan.keys(among: ascending)
        var kept = found
        if !isInOrder {
            let holds = KeySet(found)
            kept = keys.filter { holds.contains($0) }
        }
        do throws(FormatError) {
            return try ResultSteps(self, scan.meter).apply(steps, to: kept)
        } catch {
            throw scan.meter.failure(error)
        }
    }

    /// Same result as `objects(matching:arguments:among:)`, evaluated object by object; serves as test oracle.
    package func objectsOneByOne(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], among keys: [ObjectKey]
    ) throws -> [ObjectKey] {
        let binder = QueryBinder(self, arguments: arguments)
        let predicate = try binder.predicate(query.predicate)
        let evaluator = QueryEvaluator(snapshot: snapshot)
        var found: [StoredObject] = []
        for key in keys {
            guard let object = try object(key), try evaluator.holds(predicate, for: object) else { continue }
            found.append(object)
        }
        let order = ResultOrder(evaluator)
        for step in try binder.steps(query.steps) { found = try order.apply(step, to: found) }
        return found.map(\.key)
    }
}

extension [ObjectKey] {
    fileprivate var isStrictlyAscending: Bool {
        var index = 1
        while index < count {
            if self[index - 1] >= self[index] { return false }
            index += 1
        }
        return true
    }

    /// The keys that both lists contain; both must be ascending.
    func common(with other: [ObjectKey]) -> [ObjectKey] {
        var common: [ObjectKey] = []
        var (index, place) = (0, 0)
        while index < count, place < other.count {
            if self[index] == other[place] { common.append(self[index]) }
            if self[index] <= other[place] { index += 1 } else { place += 1 }
        }
        return common
    }
}
