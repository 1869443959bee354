internal import RealmLayout
internal import RealmQuery
internal import RealmReader
internal import RealmTransactions

/// Keeps results up with changes. While nothing changes that their queries look at, the same is found; where that is nothing but the object
/// itself, it is asked of those alone that changed.
struct ResultFollower {
    private let reach: QueryReach
    private let objects: ObjectFollower?
    private let isInOrderOfKeys: Bool

    /// Nil for results that are found anew each time.
    init?(_ set: ResultSet) {
        let reach = QueryReach()
        switch set.source {
        case .table(let binding):
            reach.add(binding.model.className)
        case .collection(let collection):
            // What leads to objects would keep their version.
            guard set.binding != nil || collection.place.property.type != .any else { return nil }
            reach.add(collection.place.column, of: collection.place.binding.model.className)
        case .linking(let place, let origin, let property):
            reach.add(place.binding.model.className)
            reach.add(origin.model.columnName(of: property), of: origin.model.className)
        }
        for stage in set.stages {
            guard case .query(let query, let arguments) = stage else { continue }
            guard let binding = set.binding, (try? reach.add(query, arguments, of: binding.table)) != nil else {
                return nil
            }
        }
        self.reach = reach
        objects = ObjectFollower(set, reach)
        isInOrderOfKeys = set.isInOrderOfKeys
    }

    /// What became of results.
    struct Followed {
        let elements: ElementChanges
        let changes: IndexChanges
    }

    /// Whether changes are made to the keys that were found.
    var changesKeys: Bool { objects != nil }

    /// - Parameters:
    ///   - told: what was found before.
    ///   - className: the class of the objects; nil for other values.
    ///   - paths: the properties that count for whoever is told; nil for all.
    /// - Returns: nil where the results are to be found anew.
    func follow(
        _ told: ElementChanges, of className: String?, _ affected: AffectedObjects, along paths: [[String]]?
    ) throws -> Followed? {
        switch told {
        // What happened to all objects of a class is known.
        case .all: return nil
        case .values: return isUntouched(affected) ? Followed(elements: told, changes: IndexChanges()) : nil
        case .keys(let keys):
            if let (keys, changes) = try objects?.follow(keys, affected, along: paths) {
                return Followed(elements: .keys(keys), changes: changes)
            }
            guard isUntouched(affected), let className else { return nil }
            let modified = try affected.keys(of: className, along: paths)
            guard !modified.isEmpty else { return Followed(elements: told, changes: IndexChanges()) }
            let indexes = keys.indexes(of: modified, areAscending: isInOrderOfKeys)
            return Followed(elements: told, changes: IndexChanges(modifications: indexes))
        }
    }

    /// Whether the same is found as before.
    private func isUntouched(_ affected: AffectedObjects) -> Bool {
        reach.properties.allSatisfy { !affected.touches($0.key, $0.value) }
    }
}
