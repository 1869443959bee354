public import RealmCore
package import RealmLayout

extension Table {
    /// Aggregates the values of a property of all objects: count, sum, average, lowest and highest, in one pass over
    /// the column.
    ///
    /// ```swift
    /// let summary = try snapshot.table(named: "Person").summary(of: "age")
    /// print(summary.count, summary.sum, summary.average, summary.min, summary.max)
    /// ```
    ///
    /// - Parameter path: a property of numbers or points in time, possibly reached through links: `owner.age`, or the
    ///   number of elements of a collection: `dogs.@count`.
    /// - Throws: `QueryError`: there is no such property, its values are of another type, or one is damaged.
    public func summary(of path: String) throws(QueryError) -> ValueSummary {
        let aggregate = try AggregatePath(path, self)
        let bound = aggregate.path
        guard bound.hops.isEmpty, bound.steps.isEmpty, bound.suffix == nil, case .property(let index) = bound.end,
            [.int, .float, .double].contains(aggregate.type)
        else { return try objects(matching: ObjectQuery(.constant(true))).summary(of: path) }
        return try columnSum(index)
    }

    private func columnSum(_ index: PropertyIndex) throws(QueryError) -> ValueSummary {
        let property = schema.properties[index]
        do throws(FormatError) {
            return try ColumnSum(index, of: self).summary(property.type)
        } catch {
            throw .damage(error.at(table: schema.tableName, property: property.name))
        }
    }

    /// Aggregates a property given by its index.
    ///
    /// - Parameter keys: the objects to include; nil for all.
    /// - Precondition: the property has numbers or points in time, and is not a collection.
    package func summary(of index: PropertyIndex, among keys: [ObjectKey]? = nil) throws(QueryError) -> ValueSummary {
        let type = schema.properties[index].type
        if keys == nil, [.int, .float, .double].contains(type) { return try columnSum(index) }
        let path = AggregatePath(index, of: self)
        if let keys { return try path.summary(keys, self) }
        return try path.summary(objects(matching: ObjectQuery(.constant(true))).keys, self)
    }

    /// The sum of the values of a property; see `summary(of:)`.
    ///
    /// - Throws: as `summary(of:)` does; also `binding` for points in time.
    public func sum(_ path: String) throws(QueryError) -> Value { try summary(of: path).number(\.sum, path, self) }

    /// The average of the values of a property; null without values. See `summary(of:)`.
    ///
    /// - Throws: as `sum(_:)` does.
    public func average(_ path: String) throws(QueryError) -> Value {
        try summary(of: path).number(\.average, path, self)
    }

    /// The lowest value of a property; null without values. See `summary(of:)`.
    ///
    /// - Throws: as `summary(of:)` does.
    public func min(_ path: String) throws(QueryError) -> Value { try summary(of: path).min }

    /// The highest value of a property; null without values. See `summary(of:)`.
    ///
    /// - Throws: as `summary(of:)` does.
    public func max(_ path: String) throws(QueryError) -> Value { try summary(of: path).max }
}
