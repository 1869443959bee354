internal import RealmCore
internal import RealmLayout
internal import RealmQuery
internal import RealmStore

/// Updates results from the changes between versions. While nothing changes that their queries read, the results stay
/// the same. Queries that read only the object itself are evaluated for changed objects alone.
struct ResultFollower {
    private let reach: QueryReach
    private let objects: ObjectFollower?
    private let isInOrderOfKeys: Bool

    /// Returns nil for results whose queries have to run again each time.
    init?(_ set: ResultSet) {
        let reach = QueryReach()
        switch set.source {
        case .table(let binding):
            reach.add(binding.model.className)
        case .collection(let collection):
            // Links among mixed values would keep their version alive.
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

    /// Updated results, and their changes.
    struct Followed {
        let elements: ElementChanges
        let changes: ChangedIndexes
    }

    /// Whether changes are applied to the keys of the results.
    var changesKeys: Bool { objects != nil }

    /// - Parameters:
    ///   - told: the previous results.
    ///   - className: the class of the objects; nil for other values.
    ///   - paths: the properties that the observer watches; nil for all.
    /// - Returns: nil if the query has to run again.
    func follow(
        _ told: ElementChanges, of className: String?, _ affected: AffectedObjects, along paths: [[String]]?
    ) throws -> Followed? {
        switch told {
        // The changes of all objects of a class are known without a query.
        case .all: return nil
        case .values: return isUntouched(affected) ? Followed(elements: told, changes: ChangedIndexes()) : nil
        case .keys(let keys):
            if let (keys, changes) = try objects?.follow(keys, affected, along: paths) {
                return Followed(elements: .keys(keys), changes: changes)
            }
            guard isUntouched(affected), let className else { return nil }
            let modified = try affected.keys(of: className, along: paths)
            guard !modified.isEmpty else { return Followed(elements: told, changes: ChangedIndexes()) }
            let indexes = keys.indexes(of: modified, areAscending: isInOrderOfKeys)
            return Followed(elements: told, changes: ChangedIndexes(modifications: indexes))
        }
    }

    /// Whether the queries find the same as before.
    private func isUntouched(_ affected: AffectedObjects) -> Bool {
        reach.properties.allSatisfy { !affected.touches($0.key, $0.value) }
    }
}
