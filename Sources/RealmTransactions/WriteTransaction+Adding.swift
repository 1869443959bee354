public import RealmLayout
internal import RealmReader
public import RealmWriter

// Objects that stand on their own.
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
    ///   - values: the values of its properties by name; what is left out is null, or empty. No dictionary is made of a literal.
    ///   - key: its object key; nil for the next one.
    /// - Returns: what links to it can be made of.
    /// - Throws: `WriteError`: `misfit` where a value does not fit, a name is there twice, or there is an object with that primary key, or
    ///   object key. After an error in the middle of a change, as in a link, a collection or an object inside this one, the transaction
    ///   cannot be committed.
    public func add(
        _ className: String, _ values: KeyValuePairs<String, NewValue>, key: ObjectKey? = nil
    ) throws(WriteError) -> ObjectReference {
        try guarded { () throws(WriteError) in
            let table = try standingTable(className)
            var given = try given(values, table)
            return ObjectReference(className, try add(to: table, &given, key: key, depth: 0))
        }
    }

    /// Adds an object with the values of a dictionary, as the function for literals does.
    ///
    /// - Parameters:
    ///   - className: the name of the class, or the full name of another table.
    ///   - values: the values of its properties by name; nil for none.
    ///   - key: its object key; nil for the next one.
    /// - Returns: what links to it can be made of.
    /// - Throws: as that one.
    @_disfavoredOverload  // With the optional: a literal is to come without a dictionary.
    public func add(
        _ className: String, _ values: [String: NewValue]?, key: ObjectKey? = nil
    ) throws(WriteError) -> ObjectReference {
        try guarded { () throws(WriteError) in
            let table = try standingTable(className)
            var given = try given(values ?? [:], table)
            return ObjectReference(className, try add(to: table, &given, key: key, depth: 0))
        }
    }

    /// Adds an object as `add(_:_:)` does, with values in the order of names: for many objects of a class, whose names are then looked
    /// up once, and no dictionary is made of them.
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
    ///   - names: the names of properties, best the same array each time. What is left out is null, or empty.
    ///   - values: as many values.
    /// - Returns: what links to it can be made of.
    /// - Throws: as `add(_:_:)`; also where a name is there twice, or there is not a value for each.
    public func add(
        _ className: String, properties names: [String], values: [NewValue]
    ) throws(WriteError) -> ObjectReference {
        try guarded { () throws(WriteError) in
            let table = try standingTable(className)
            let places = try table.places(of: names)
            guard places.count == values.count else {
                throw .misfit(
                    InvalidValue(.missingValue, "there are \(values.count) values for \(places.count) properties").at(
                        table: table.core.schema.tableName))
            }
            var given = table.takeValues()
            for index in places.indices { given[places[index]] = values[index] }
            return ObjectReference(className, try add(to: table, &given, depth: 0))
        }
    }

    private func standingTable(_ className: String) throws(WriteError) -> MutableTable {
        let table = try table(named: className)
        guard !table.isEmbedded else {
            throw .misfit(
                InvalidValue(.badSchema, "objects of the class live inside others").at(
                    table: table.core.schema.tableName))
        }
        return table
    }

    /// Adds an object, whose properties are told by their places: no name is looked up.
    ///
    /// - Parameters:
    ///   - position: the table; of a class whose objects stand on their own.
    ///   - fill: sets values, in the order of the table's properties. What it leaves nil is null, or empty.
    /// - Throws: as `add`.
    package func add(
        inTableAt position: TablePosition, _ fill: (inout ByProperty<NewValue?>) -> Void
    ) throws(WriteError) -> ObjectKey {
        try guarded { () throws(WriteError) in
            let table = try table(at: position)
            var given = table.takeValues()
            fill(&given)
            return try add(to: table, &given, depth: 0)
        }
    }
}
