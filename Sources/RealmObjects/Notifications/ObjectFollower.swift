internal import RealmCore
internal import RealmLayout
internal import RealmQuery
internal import RealmStore

/// Updates results over all objects of a class from the changes, for queries that read only the object itself. Only
/// changed objects are matched against the query and sorted in again.
struct ObjectFollower {
    private let className: String
    private let filters: [(query: ObjectQuery, arguments: [QueryArgument])]
    private let order: ObjectOrder
    /// Properties that decide whether an object matches, and where it is sorted.
    private let properties: Set<String>
    private let schema: TableSchema

    /// - Parameter reach: what the queries read.
    /// - Returns: nil for results that cannot be updated from changes.
    init?(_ set: ResultSet, _ reach: QueryReach) {
        guard case .table(let binding) = set.source, reach.isWithinObject else { return nil }
        var filters: [(ObjectQuery, [QueryArgument])] = []
        var sorting: [SortKey] = []
        for stage in set.stages {
            guard case .query(let query, let arguments) = stage else { return nil }
            if query.predicate != .constant(true) {
                filters.append((ObjectQuery(query.predicate), arguments))
            }
            for step in query.steps {
                // Objects that compare equal in the last order keep the order before it.
                guard case .sort(let keys) = step else { return nil }
                sorting = keys + sorting
            }
        }
        guard let order = ObjectOrder(sorting, of: binding.table.schema) else { return nil }
        (className, self.filters, self.order) = (binding.model.className, filters, order)
        properties = reach.properties[className] ?? []
        schema = binding.table.schema
    }

    /// Maximum number of changed objects: for more, running the query is faster.
    private static func mostChanges(_ count: Int) -> Int { max(100, count / 128) }

    /// - Parameters:
    ///   - keys: the previous results.
    ///   - paths: the properties that the observer watches; nil for all.
    /// - Returns: nil if so much has changed that the query has to run again.
    func follow(_ keys: KeyList, _ affected: AffectedObjects, along paths: [[String]]?) throws -> (
        KeyList, ChangedIndexes
    )? {
        guard let before = try? affected.before.table(named: className),
            let table = try? affected.after.table(named: className), before.schema == schema, table.schema == schema
        else { return nil }
        let changed = affected.table(className)
        let most = Self.mostChanges(keys.count)
        let (inserted, deleted) = (changed?.inserted ?? [], changed?.deleted ?? [])
        let moving = (changed?.modified ?? []).filter { $0.properties.contains { properties.contains($0.name) } }
            .map(\.key)
        guard inserted.count + deleted.count + moving.count <= most else { return nil }
        let modified = try affected.keys(of: className, along: paths)
        guard modified.count <= most else { return nil }
        let edit = try edit(keys, gone: moving + deleted, come: (moving + inserted).sorted(), before, table)
        var modifiedAt: [Int] = []
        for key in modified { if let index = try index(of: key, in: keys, of: before) { modifiedAt.append(index) } }
        return (keys.edited(edit), ChangedIndexes(edit, of: keys.count, modified: modifiedAt.sorted()))
    }

    private func index(of key: ObjectKey, in keys: KeyList, of table: Table) throws -> Int? {
        guard let place = try order.place(of: key, in: table) else { return nil }
        let index = try order.index(of: place, in: keys, of: table)
        return index < keys.count && keys[index] == key ? index : nil
    }

    private func edit(
        _ keys: KeyList, gone: [ObjectKey], come: [ObjectKey], _ before: Table, _ table: Table
    ) throws -> KeyListEdit {
        var edit = KeyListEdit()
        for key in gone {
            if let index = try index(of: key, in: keys, of: before) { edit.removals.append((index, key)) }
        }
        edit.removals.sort { $0.index < $1.index }
        var found = come
        for (query, arguments) in filters where !found.isEmpty {
            found = try table.objects(matching: query, arguments: arguments, among: found)
        }
        var places = try found.compactMap { try order.place(of: $0, in: table) }
        places.sort { order.comesBefore($0, $1) }
        for place in places {
            // Keys in the list are still sorted by their values in the previous version.
            let index = try order.index(of: place, in: keys, of: before)
            let staying = index - edit.removals.partitioningIndex { $0.index >= index }
            edit.insertions.append((staying + edit.insertions.count, place.key))
        }
        return edit
    }
}
