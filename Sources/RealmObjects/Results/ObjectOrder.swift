internal import RealmLayout
internal import RealmQuery
internal import RealmReader

/// The order of objects by their own values, then by their keys: that of sorted results of all objects of a class.
struct ObjectOrder {
    private let columns: [(column: PropertyIndex, ascending: Bool)]

    /// The values that count of an object.
    typealias Place = (values: [Value], key: ObjectKey)

    /// - Parameter keys: the first counts most.
    /// - Returns: nil where the order depends on other objects, or cannot be told of two of them alone.
    init?(_ keys: [SortKey], of schema: TableSchema) {
        var columns: [(PropertyIndex, Bool)] = []
        for key in keys {
            guard key.path.elements.count == 1, key.path.suffix == nil, case .name(let name) = key.path.elements[0],
                let column = schema.properties.propertyIndex(named: name)
            else { return nil }
            let property = schema.properties[column]
            guard property.collection == nil else { return nil }
            switch property.type {
            case .int, .bool, .float, .double, .string, .binary, .timestamp, .objectId, .uuid: break
            // The order of links is not theirs alone, that of decimals beside others not transitive.
            case .decimal128, .mixed, .link: return nil
            }
            columns.append((column, key.ascending))
        }
        self.columns = columns
    }

    /// What counts of an object; nil where it is not there.
    func place(of key: ObjectKey, in table: Table) throws -> Place? {
        if columns.isEmpty { return ([], key) }
        guard let object = try table.object(key) else { return nil }
        return (try columns.map { try object.value(of: $0.column) }, key)
    }

    func comesBefore(_ left: Place, _ right: Place) -> Bool {
        for (index, column) in columns.enumerated() {
            let order = QueryOrder.compare(left.values[index], right.values[index])
            if order != 0 { return (order < 0) == column.ascending }
        }
        return left.key < right.key
    }

    /// Where an object belongs in a list that is in this order.
    func index(of place: Place, in keys: KeyList, of table: Table) throws -> Int {
        if columns.isEmpty { return keys.firstIndex { $0 < place.key } }
        return try keys.firstIndex { key in
            guard let other = try self.place(of: key, in: table) else { return false }
            return comesBefore(other, place)
        }
    }
}
