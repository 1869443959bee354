package import RealmCore

/// Properties that decide which objects queries find, and in which order. The results stay the same while none of these
/// values changes, and no object of their classes is created or deleted.
package final class QueryReach {
    /// Names of properties by class name. The set is empty for a class of which only the number of objects matters.
    package private(set) var properties: [String: Set<String>] = [:]
    /// Whether an object's own values alone decide if and where it is found.
    package private(set) var isWithinObject = true

    package init() {}

    package func add(_ property: String, of className: String) {
        properties[className, default: []].insert(property)
    }

    package func add(_ className: String) {
        if properties[className] == nil { properties[className] = [] }
    }

    /// Adds the properties that a query reads.
    ///
    /// - Parameter arguments: the first is `$0`.
    /// - Throws: `QueryError.binding`: a name or type does not fit.
    package func add(_ query: ObjectQuery, _ arguments: [QueryArgument], of table: Table) throws(QueryError) {
        var binder = QueryBinder(table, arguments: arguments)
        binder.reach = self
        _ = try binder.predicate(query.predicate)
        _ = try binder.steps(query.steps)
    }

    /// Records that values of other objects matter as well.
    func leaveObject() { isWithinObject = false }
}
