package import RealmLayout
package import RealmReader

extension Table {
    /// The objects among some for which a query holds, in its order, or in that of the keys. A key that comes twice is looked at twice.
    ///
    /// - Parameters:
    ///   - arguments: `$0` is the first.
    ///   - keys: objects that are gone do not count.
    /// - Throws: `QueryError`, as `objects(matching:arguments:)`.
    package func objects(
        matching query: Query, arguments: [QueryArgument] = [], among keys: [ObjectKey]
    ) throws(QueryError) -> [ObjectKey] {
        let binder = QueryBinder(self, arguments: arguments)
        let predicate = try binder.predicate(query.predicate)
        let steps = try binder.steps(query.steps)
        // Only to end with the task.
        let meter = WorkMeter(QueryBudget())
        do throws(FormatError) {
            let evaluator = QueryEvaluator(snapshot: snapshot, meter: meter)
            let finder = ObjectFinder(self)
            var found: [StoredObject] = []
            for key in keys {
                guard let object = try finder.object(key), try evaluator.holds(predicate, for: object) else { continue }
                found.append(object)
            }
            let order = ResultOrder(evaluator)
            for step in steps { found = try order.apply(step, to: found) }
            return found.map(\.key)
        } catch {
            throw meter.failure(error)
        }
    }
}
