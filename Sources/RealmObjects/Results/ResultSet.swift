internal import RealmLayout
internal import RealmQuery
internal import RealmReader

/// What results are of, which queries narrow them, and what was found in the realm's version.
final class ResultSet {
    let realm: RealmInstance
    /// When it was made.
    private let moment: ObjectEpoch
    let source: Source
    private(set) var stages: [Stage]
    /// The class of the objects; nil for other values.
    let binding: ClassBinding?
    private var known: Found?
    /// The version in which something was asked that was answered without a list of the elements, and how many there are, if that was it.
    private var asked: (stamp: UInt64, count: Int?)?

    /// What was found in a version.
    private final class Found: VersionCache {
        private(set) var content: Content?
        let stamp: UInt64
        /// Where objects were found last by their index among all.
        var seeker: PositionSeeker?

        init(_ content: Content, _ stamp: UInt64) { (self.content, self.stamp) = (content, stamp) }

        override func letGo() { (content, seeker) = (nil, nil) }
    }

    enum Source {
        /// All objects of a class.
        case table(ClassBinding)
        case collection(ManagedCollection)
        /// The objects that link to one.
        case linking(PropertyPlace, ClassBinding, String)
    }

    enum Stage {
        case query(ObjectQuery, [QueryArgument])
        /// The order of values that are no objects.
        case sorted(ascending: Bool)
        case distinct

        private var steps: [ResultStep] { if case .query(let query, _) = self { query.steps } else { [] } }

        /// Whether it takes not more than so many.
        var limits: Bool { steps.contains { if case .limit = $0 { true } else { false } } }

        /// Whether it takes the first of the objects that are the same in something.
        var tellsApart: Bool { steps.contains { if case .distinct = $0 { true } else { false } } }

        /// Whether objects stay in the order in which they come.
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

    /// - Parameter content: what was found already in the realm's version.
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
        // Threads share what is frozen: there must be nothing left to be found.
        if let content { take(content) } else if realm.isFrozen { _ = self.content }
    }

    /// What was found, where another realm shows the same version.
    func found(in state: RealmInstance) -> Content? {
        guard !realm.hasChanges, state.snapshot === realm.snapshot, let known, known.stamp == realm.stamp else {
            return nil
        }
        return known.content
    }

    /// Whether the realm was invalidated since. Where what it is of was deleted, it is empty.
    var isInvalidated: Bool { moment.isInvalidated(realm) }

    func adding(_ stage: Stage) -> ResultSet {
        ResultSet(realm, source, Any.self, stages + [stage])
    }

    /// The objects for which a query holds. As in RealmSwift it is asked before objects are told apart: of those that are the same in
    /// something the first one for which it holds is there.
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

    /// Whether the keys of the objects ascend, whatever is found.
    var isInOrderOfKeys: Bool {
        if case .table = source { stages.allSatisfy(\.keepsOrder) } else { false }
    }

    // MARK: What was found

    var content: Content {
        realm.settle()
        if let known, known.stamp == realm.stamp, let content = known.content { return content }
        let found = find()
        take(found)
        return found
    }

    /// Takes what was found in the realm's version.
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

    /// What `body` makes of an object and of the links to it; nil where there is no such object.
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

    /// The query that finds the elements in a table, while they have not been looked for in this version. Whoever asks for a second thing gets a
    /// list, which answers the third at once.
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

    /// The first element; nil where there is none.
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

    /// The element at an index, as it is stored.
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
        var seeker = known?.stamp == realm.stamp ? known?.seeker : nil
        let found = Failure.unlessStopped { () throws(FormatError) in
            if seeker == nil { seeker = PositionSeeker(table) }
            return try seeker?.object(at: index)
        }
        // Nothing is kept in what other threads may read at the same time.
        if !realm.isFrozen, known?.stamp == realm.stamp { known?.seeker = seeker }
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

    /// The keys of all objects; none of other values.
    var keys: [ObjectKey] {
        switch content {
        case .all(let table): allKeys(table)
        case .keys(let keys, _): keys.array
        case .values: []
        }
    }

    /// The index of an object of the class; nil where it is not there.
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

    /// Gives the elements one after the other, as they are now.
    func makeNext() -> () -> Value? {
        guard var objects = storedObjects, let binding else {
            guard case .values(let values) = content else { return { nil } }
            var iterator = values.makeIterator()
            return { iterator.next() }
        }
        return { [realm] in objects.next(realm, binding).map { .embedded($0) } }
    }

    /// The same for objects of a class of the program; nil for others.
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
