internal import RealmCore
internal import RealmLayout
internal import RealmQuery

/// Order of objects by their own values, then by key: the order of sorted results over all objects of a class.
struct ObjectOrder {
    private let columns: [(column: PropertyIndex, ascending: Bool)]

    /// The sort values of an object, and its key.
    typealias Place = (values: [Value], key: ObjectKey)

    /// - Parameter keys: the sort keys, the most significant first.
    /// - Returns: nil if the order depends on other objects, or on more than the two objects compared.
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
            // Links are not ordered by their own values; the order of decimals among other numbers is not transitive.
            case .decimal128, .mixed, .link: return nil
            }
            columns.append((column, key.ascending))
        }
        self.columns = columns
    }

    /// Returns the sort values of an object; nil if it does not exist.
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

    /// Returns the index at which an object belongs in a list with this order.
    func index(of place: Place, in keys: KeyList, of table: Table) throws -> Int {
        if columns.isEmpty { return keys.firstIndex { $0 < place.key } }
        return try keys.firstIndex { key in
            guard let other = try self.place(of: key, in: table) else { return false }
            return comesBefore(other, place)
        }
    }
}
