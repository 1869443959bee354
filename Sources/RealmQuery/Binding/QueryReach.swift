package import RealmReader

/// What queries look at: the properties that say which objects they find, and in which order. While none of their values changes, and no
/// object of their classes comes or goes, the same objects are found.
package final class QueryReach {
    /// Names of properties, by the names of the classes that have them. A class of which only the number of objects counts has none.
    package private(set) var properties: [String: Set<String>] = [:]
    /// Whether an object is found, and where, is said by its own values alone.
    package private(set) var isWithinObject = true

    package init() {}

    package func add(_ property: String, of className: String) {
        properties[className, default: []].insert(property)
    }

    package func add(_ className: String) {
        if properties[className] == nil { properties[className] = [] }
    }

    /// Adds what a query looks at.
    ///
    /// - Parameter arguments: `$0` is the first.
    /// - Throws: `QueryError.binding`: a name or type does not fit.
    package func add(_ query: ObjectQuery, _ arguments: [QueryArgument], of table: Table) throws(QueryError) {
        var binder = QueryBinder(table, arguments: arguments)
        binder.reach = self
        _ = try binder.predicate(query.predicate)
        _ = try binder.steps(query.steps)
    }

    /// Notes that other objects count as well.
    func leaveObject() { isWithinObject = false }
}
