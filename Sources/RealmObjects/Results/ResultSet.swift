internal import RealmCore
internal import RealmLayout
internal import RealmQuery

/// The source of results, the queries that narrow them, and the matches in the realm's version.
final class ResultSet {
    let realm: RealmInstance
    /// The time of creation.
    private let moment: ObjectEpoch
    let source: Source
    private(set) var stages: [Stage]
    /// The class of the objects; nil for other values.
    let binding: ClassBinding?
    private var known: Found?
    /// The version in which a request was answered without listing the elements, and their number if it was requested.
    private var asked: (stamp: UInt64, count: Int?)?

    /// Cached matches for one version.
    private final class Found: VersionCache {
        private(set) var content: Content?
        let stamp: UInt64
        /// Finds objects by their index among all, starting from the last one found.
        var lookup: PositionLookup?

        init(_ content: Content, _ stamp: UInt64) { (self.content, self.stamp) = (content, stamp) }

        override func letGo() { (content, lookup) = (nil, nil) }
    }

    enum Source {
        /// All objects of a class.
        case table(ClassBinding)
        case collection(ManagedCollection)
        /// The objects that link to an object.
        case linking(PropertyPlace, ClassBinding, String)
    }

    enum Stage {
        case query(ObjectQuery, [QueryArgument])
        /// The order of values other than objects.
        case sorted(ascending: Bool)
        case distinct

        private var steps: [ResultStep] { if case .query(let query, _) = self { query.steps } else { [] } }

        /// Whether it limits the number of elements.
        var limits: Bool { steps.contains { if case .limit = $0 { true } else { false } } }

        /// Whether it keeps only the first of objects with equal values.
        var tellsApart: Bool { steps.contains { if case .distinct = $0 { true } else { false } } }

        /// Whether objects keep their order.
        var keepsOrder: Bool {
            guard case .query = self else { return false }
            return steps.allSatisfy { if case .limit = $0 { true } else { false } }
        }
    }

    enum Content {
        /// All objects of a table, in the order of their keys.
        case all(Table)
        case keys(KeyList, Table)
        case values([Value])
    }

    /// - Parameter content: matches already known for the realm's version.
    init(
        _ realm: RealmInstance, _ source: Source, _ element: Any.Type, _ stages: [Stage] = [], _ content: Content? = nil
    ) {
        (self.realm, self.source, self.stages) = (realm, source, stages)
        moment = ObjectEpoch(realm)
        binding =
            switch source {
            case .table(let binding), .linking(_, let binding, _): binding
            case .collection(let collection): collection.elementBinding
            }
        // Threads share frozen results, so everything is found now.
        if let content { take(content) } else if realm.isFrozen { _ = self.content }
    }

    /// Returns the matches if another realm shows the same version.
    func found(in state: RealmInstance) -> Content? {
        guard !realm.hasChanges, state.snapshot === realm.snapshot, let known, known.stamp == realm.stamp else {
            return nil
        }
        return known.content
    }

    /// Whether the realm was invalidated since. If the source was deleted, the results are empty instead.
    var isInvalidated: Bool { moment.isInvalidated(realm) }

    func adding(_ stage: Stage) -> ResultSet {
        ResultSet(realm, source, Any.self, stages + [stage])
    }

    /// Returns the objects that match a query. As in RealmSwift the query applies before duplicates are removed: of
    /// objects with equal values, the first one that matches remains.
    func filtered(_ query: ObjectQuery, _ arguments: [QueryArgument]) -> ResultSet {
        let (lasting, rest) = query.withoutVersions(arguments)
        guard let apart = stages.firstIndex(where: \.tellsApart), !stages.contains(where: \.limits) else {
            return adding(.query(lasting, rest))
        }
        var stages = stages
        stages.insert(.query(ObjectQuery(lasting.predicate), rest), at: apart)
        if !lasting.steps.isEmpty {
            stages.append(.query(ObjectQuery(.constant(true), steps: lasting.steps), rest))
        }
        return ResultSet(realm, source, Any.self, stages)
    }

    /// Whether the keys of the objects ascend, whatever the matches are.
    var isInOrderOfKeys: Bool {
        if case .table = source { stages.allSatisfy(\.keepsOrder) } else { false }
    }

    // MARK: Matches

    var content: Content {
        realm.settle()
        if let known, known.stamp == realm.stamp, let content = known.content { return content }
        let found = find()
        take(found)
        return found
    }

    /// Stores matches for the realm's version.
    func take(_ content: Content) {
        let new = Found(content, realm.stamp)
        known = new
        if !realm.isFrozen { realm.caches.add(new) }
    }

    private func find() -> Content {
        var content = start()
        for stage in stages {
            do { content = try apply(stage, to: content) } catch { Failure.stop("\(error)") }
        }
        return content
    }

    private func start() -> Content {
        switch source {
        case .table(let binding): return .all(binding.table)
        case .collection(let collection):
            guard let binding else { return .values(collection.elements) }
            return .keys(KeyList(collection.linkedKeys), binding.table)
        case .linking(let place, let origin, let property):
            return .keys(KeyList(linkingKeys(place, origin, property)), origin.table)
        }
    }

    private func linkingKeys(_ place: PropertyPlace, _ origin: ClassBinding, _ property: String) -> [ObjectKey] {
        links(to: place, origin, property) { object, incoming throws(FormatError) in try object.backlinks(incoming) }
            ?? []
    }

    /// Returns the result of `body` for an object and the links to it; nil if the object does not exist.
    private func links<R>(
        to place: PropertyPlace, _ origin: ClassBinding, _ property: String,
        _ body: (StoredObject, IncomingLinks) throws(FormatError) -> R
    ) -> R? {
        let table = place.binding.table
        let column = origin.model.columnName(of: property)
        let incoming = table.schema.incoming.first {
            $0.tableName == origin.table.schema.tableName && $0.propertyName == column
        }
        guard let incoming, !moment.isUndone(place.key, place.binding) else { return nil }
        return Failure.unlessStopped { () throws(FormatError) in
            guard let object = try table.object(place.key) else { return nil }
            return try body(object, incoming)
        }
    }

    private func apply(_ stage: Stage, to content: Content) throws -> Content {
        switch (stage, content) {
        case (.query(let query, let arguments), .all(let table)):
            return .keys(KeyList(try table.objects(matching: query, arguments: arguments).keys), table)
        case (.query(let query, let arguments), .keys(let keys, let table)):
            let found = try table.objects(matching: query, arguments: arguments, among: keys.array)
            return .keys(KeyList(found), table)
        case (.sorted(let ascending), .values(let values)): return .values(ValueOrder.sorted(values, ascending))
        case (.distinct, .values(let values)): return .values(ValueOrder.distinct(values))
        case (.query, .values):
            throw Realm.Error(.fail, "This method may only be called on RLMArray instances storing RLMObjects.")
        default: throw Realm.Error(.fail, "objects are sorted and told apart by their properties")
        }
    }

    /// The query that finds the elements in a table, as long as nothing was requested in this version. A second request
    /// builds a list, which answers further ones at once.
    private var unlistedQuery: (query: ObjectQuery, arguments: [QueryArgument], table: Table)? {
        realm.settle()
        if asked?.stamp == realm.stamp || known?.stamp == realm.stamp && known?.content != nil { return nil }
        guard !realm.isFrozen, case .table(let binding) = source, case .query(var query, let arguments)? = stages.first
        else { return nil }
        for stage in stages.dropFirst() {
            guard case .query(let next, let others) = stage, others.isEmpty, next.predicate == .constant(true) else {
                return nil
            }
            query.steps += next.steps
        }
        return (query, arguments, binding.table)
    }

    /// The first element; nil if there is none.
    var first: Value? {
        if let (query, arguments, table) = unlistedQuery {
            asked = (realm.stamp, nil)
            return Failure.unlessStopped { () throws(QueryError) in
                try table.first(matching: query, arguments: arguments)
            }.map { .embedded($0) }
        }
        return count > 0 ? value(at: 0) : nil
    }

    var count: Int {
        if let asked, asked.stamp == realm.stamp, let count = asked.count { return count }
        if let (query, arguments, table) = unlistedQuery {
            let count = Failure.unlessStopped { () throws(QueryError) in
                try table.count(matching: query, arguments: arguments)
            }
            asked = (realm.stamp, count)
            return count
        }
        if stages.isEmpty, known?.stamp != realm.stamp, case .linking(let place, let origin, let property) = source {
            return links(to: place, origin, property) { object, incoming throws(FormatError) in
                try object.backlinkCount(incoming)
            } ?? 0
        }
        return switch content {
        case .all(let table): Failure.unlessStopped { () throws(FormatError) in try table.count }
        case .keys(let keys, _): keys.count
        case .values(let values): values.count
        }
    }

    /// Returns the stored element at an index.
    func value(at index: Int) -> Value {
        switch content {
        case .all(let table): return object(index, of: table)
        case .keys(let keys, let table): return object(keys, index, table)
        case .values(let values):
            guard values.indices.contains(index) else { Self.stop(index, values.count) }
            return values[index]
        }
    }

    private func object(_ index: Int, of table: Table) -> Value {
        var lookup = known?.stamp == realm.stamp ? known?.lookup : nil
        let found = Failure.unlessStopped { () throws(FormatError) in
            if lookup == nil { lookup = PositionLookup(table) }
            return try lookup?.object(at: index)
        }
        // Nothing is cached in frozen results, which other threads may read at the same time.
        if !realm.isFrozen, known?.stamp == realm.stamp { known?.lookup = lookup }
        guard let found else { Self.stop(index, count) }
        return .embedded(found)
    }

    private func object(_ keys: KeyList, _ index: Int, _ table: Table) -> Value {
        guard index >= 0, index < keys.count else { Self.stop(index, keys.count) }
        let found = Failure.unlessStopped { () throws(FormatError) in try table.object(keys[index]) }
        return found.map { .embedded($0) } ?? .null
    }

    private func allKeys(_ table: Table) -> [ObjectKey] {
        Failure.unlessStopped { () throws(FormatError) in try table.keys }
    }

    /// The keys of all objects; none for other values.
    var keys: [ObjectKey] {
        switch content {
        case .all(let table): allKeys(table)
        case .keys(let keys, _): keys.array
        case .values: []
        }
    }

    /// Returns the index of an object of the class; nil if it is missing.
    func index(of key: ObjectKey) -> Int? {
        if stages.isEmpty, case .collection(let collection) = source {
            return collection.linkedKeys.firstIndex(of: key)
        }
        switch content {
        case .all(let table):
            let index = (0..<count).partitioningIndex { (object($0, of: table).linkedKey ?? key) >= key }
            return index < count && object(index, of: table).linkedKey == key ? index : nil
        case .keys(let keys, _): return keys.firstIndex(of: key, areAscending: isInOrderOfKeys)
        case .values: return nil
        }
    }

    private static func stop(_ index: Int, _ count: Int) -> Never {
        Failure.stop("Index \(index) is out of bounds (must be less than \(count)).")
    }

    /// Returns a closure that iterates over the elements as they are now.
    func makeNext() -> () -> Value? {
        guard var objects = storedObjects, let binding else {
            guard case .values(let values) = content else { return { nil } }
            var iterator = values.makeIterator()
            return { iterator.next() }
        }
        return { [realm] in objects.next(realm, binding).map { .embedded($0) } }
    }

    /// Returns an iteration over objects of a class of the program; nil for other elements.
    func iteration(_ element: Any.Type) -> ObjectIteration? {
        guard let binding, binding.model.type == element, let objects = storedObjects else { return nil }
        return ObjectIteration(binding, objects)
    }

    private var storedObjects: StoredObjects? {
        switch content {
        case .all(let table): StoredObjects(of: table, realm)
        case .keys(let keys, let table): StoredObjects(keys.array, of: table, realm)
        case .values: nil
        }
    }
}

extension Value {
    /// The key of the object that a link leads to.
    var linkedKey: ObjectKey? {
        switch self {
        case .link(let link): link.isUnresolved ? nil : link.objectKey
        case .embedded(let object): object.key
        default: nil
        }
    }
}
