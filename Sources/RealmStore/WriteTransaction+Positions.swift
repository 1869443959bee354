package import RealmCore
package import RealmLayout

// Changes by position, for callers that already know the table and the property. Functions with names look these up,
// and do the same.
extension WriteTransaction {
    /// Adds an object.
    ///
    /// - Parameters:
    ///   - position: the table of a top-level class.
    ///   - fill: sets values, in the order of the table's properties. Values left nil are null or empty.
    /// - Throws: as `add`.
    package func add(
        inTableAt position: TablePosition, _ fill: (inout ByProperty<NewValue?>) -> Void
    ) throws(WriteError) -> ObjectKey {
        try guarded {
            let table = try table(at: position)
            var given = table.takeValues()
            fill(&given)
            return try add(to: table, &given, depth: 0)
        }
    }

    /// Sets a property of an object.
    ///
    /// - Parameters:
    ///   - position: the table.
    ///   - index: the property in the table's schema.
    /// - Throws: as `set`; `noSuchProperty` if the table has no property at the index.
    package func setValue(
        _ value: NewValue, of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex
    ) throws(WriteError) {
        try guarded {
            let (place, table) = try resolve(.at(CollectionPlace(table: position, object: key, property: index)))
            try set(key, of: table, place.property, value, depth: 0)
        }
    }

    /// Deletes an object.
    ///
    /// - Throws: as `delete`.
    package func delete(_ key: ObjectKey, inTableAt position: TablePosition) throws(WriteError) {
        try guarded { try delete(key, of: try table(at: position)) }
    }

    /// Returns the key of the object with a primary key; nil if there is none.
    ///
    /// - Throws: as `object(_:primaryKey:)`.
    package func object(
        inTableAt position: TablePosition, primaryKey value: NewValue
    ) throws(WriteError) -> ObjectKey? {
        try guarded { try find(primaryKey: value, in: table(at: position)) }
    }

    // MARK: Collections

    /// Returns the list of an object, or one inside its Mixed value.
    package func mutableList(
        of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex,
        inside path: [NestedStep<String>]
    ) -> TransactionList {
        TransactionList(handle: handle(key, position, index, path))
    }

    /// Returns the set of an object.
    package func mutableSet(
        of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex
    ) -> TransactionSet {
        TransactionSet(handle: handle(key, position, index, []))
    }

    /// Returns the dictionary of an object, or one inside its Mixed value, as `mutableList`.
    package func mutableDictionary(
        of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex,
        inside path: [NestedStep<String>]
    ) -> TransactionDictionary {
        TransactionDictionary(handle: handle(key, position, index, path))
    }

    private func handle(
        _ key: ObjectKey, _ position: TablePosition, _ index: PropertyIndex, _ path: [NestedStep<String>]
    ) -> CollectionHandle {
        let place = CollectionPlace(table: position, object: key, property: index)
        return CollectionHandle(transaction: self, property: .at(place), steps: path.map { $0.mapKey { .string($0) } })
    }
}
