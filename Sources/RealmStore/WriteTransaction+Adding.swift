public import RealmCore
public import RealmLayout

// Adding top-level objects.
extension WriteTransaction {
    /// Adds an object.
    ///
    /// ```swift
    /// try await store.write { transaction in
    ///     let rex = try transaction.add("Dog", ["_id": 5, "name": "Rex"])
    ///     try transaction.set(rex, "age", 4)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - className: the name of the class, or the full name of another table.
    ///   - values: the values of its properties by name; omitted ones are null or empty. A literal does not create a
    ///     dictionary.
    ///   - key: its object key; nil for the next one.
    /// - Returns: a reference for links to it.
    /// - Throws: `WriteError`: `misfit` if a value does not fit, a name occurs twice, or there is an object with that
    ///   primary key or object key. After an error in the middle of a change, such as in a link, a collection or an
    ///   embedded object, the transaction cannot be committed.
    public func add(
        _ className: String, _ values: KeyValuePairs<String, NewValue>, key: ObjectKey? = nil
    ) throws(WriteError) -> ObjectReference {
        try guarded {
            let table = try standingTable(className)
            var given = try given(values, table)
            return ObjectReference(className, try add(to: table, &given, key: key, depth: 0))
        }
    }

    /// Adds an object with the values of a dictionary, as the overload for literals does.
    ///
    /// - Parameters:
    ///   - className: the name of the class, or the full name of another table.
    ///   - values: the values of its properties by name; nil for none.
    ///   - key: its object key; nil for the next one.
    /// - Returns: a reference for links to it.
    /// - Throws: as that overload.
    @_disfavoredOverload  // Also optional: literals must select the overload without a dictionary.
    public func add(
        _ className: String, _ values: [String: NewValue]?, key: ObjectKey? = nil
    ) throws(WriteError) -> ObjectReference {
        try guarded {
            let table = try standingTable(className)
            var given = try given(values ?? [:], table)
            return ObjectReference(className, try add(to: table, &given, key: key, depth: 0))
        }
    }

    /// Adds an object as `add(_:_:)` does, with values in the order of names. Faster for many objects of a class: the
    /// names are looked up once, and no dictionaries are created.
    ///
    /// ```swift
    /// let names = ["_id", "name"]
    /// try await store.write { transaction in
    ///     for id in 10..<20 { _ = try transaction.add("Dog", properties: names, values: [.int(Int64(id)), "Rex"]) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - className: the name of the class, or the full name of another table.
    ///   - names: the names of properties, preferably the same array each time. Omitted properties are null or empty.
    ///   - values: a value for each name.
    /// - Returns: a reference for links to it.
    /// - Throws: as `add(_:_:)`; also if a name occurs twice, or the counts differ.
    public func add(
        _ className: String, properties names: [String], values: [NewValue]
    ) throws(WriteError) -> ObjectReference {
        try guarded {
            let table = try standingTable(className)
            guard names.count == values.count else {
                throw InvalidValue(.missingValue, "there are \(values.count) values for \(names.count) properties").at(
                    table: table.core.schema.tableName)
            }
            var given = table.takeValues()
            if !table.place(values, inOrderOf: names, in: &given) {
                given = try self.given(zip(names, values).lazy.map { (key: $0, value: $1) }, table)
            }
            return ObjectReference(className, try add(to: table, &given, depth: 0))
        }
    }

    private func standingTable(_ className: String) throws -> MutableTable {
        let table = try table(named: className)
        guard !table.isEmbedded else {
            throw InvalidValue(.badSchema, "objects of the class live inside others").at(
                table: table.core.schema.tableName)
        }
        return table
    }
}
