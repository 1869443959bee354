internal import RealmLayout
internal import RealmReader
internal import RealmStorage
internal import RealmWriter

/// Which object key each document's object has: what links lead to, by the `_id` that they name.
///
/// Documents of a canonical export say their keys; those of others are numbered as they come. Maps in memory hold them until
/// they have become too large: the largest then goes to the disk, its documents are read again, and links to its objects are
/// noted in a rehearsal before they are looked up (`SpilledKeys`).
final class IdentityKeys {
    /// What a document claims.
    enum Claim {
        case key(ObjectKey)
        /// It has no usable identity.
        case missing
        /// Another document has the identity.
        case duplicate
    }

    let plan: ImportPlan
    let tables: UncheckedSpan<ImportTable>
    let fields: UncheckedSpan<ImportField>
    let hash = IdentityHash()
    /// The objects of each table by identity; nil for tables whose identities are keys themselves, or on the disk.
    private var maps: ByTable<KeyMap?>
    /// The tables whose identities are on the disk.
    private var spilled: ByTable<SpilledKeys?>
    /// Those of them whose documents have to be read for it.
    private(set) var isUnread: ByTable<Bool>
    private let file: SpillFile
    /// Bytes that all maps may take together, and those that they take.
    private let mostMemory: Int
    private var memory = 0
    /// Whether links are noted and not looked up.
    private var isRehearsal = false
    /// What links are looked up in.
    private let lookups: UncheckedArray<Lookup>
    private let lookup: UncheckedSpan<Lookup>
    /// Tables that links can lead to, and so have to be known before any link is read.
    let areCollected: ByTable<Bool>
    /// Those of them that only Mixed values can lead to: mostly none does, and the first that does lets them be collected.
    private(set) var areAwaited: ByTable<Bool>
    /// Collects the identities of an awaited table.
    var collectAwaited: (TablePosition) throws(ImportError) -> Void = { _ in }
    /// The number of the next document of each table.
    private var nextKeys: ByTable<Int64>

    /// What the identities of a table's objects are.
    private struct Lookup: BitwiseCopyable {
        enum Kind: UInt8 {
            /// The keys themselves.
            case keys
            /// In `view`.
            case known
            /// Not collected so far.
            case awaited
            /// On the disk.
            case spilled
        }
        var kind = Kind.keys
        /// Whether identities are integers, and nothing else.
        var hasIntegers = false
        var view: KeyMap.View?
    }

    /// - Parameters:
    ///   - mostMemory: bytes that all maps may take together.
    ///   - path: where the new file is to be; what memory has no room for goes beside it.
    init(_ plan: ImportPlan, mostMemory: Int, beside path: String) {
        self.plan = plan
        self.mostMemory = mostMemory
        file = SpillFile(in: ScratchFolder(beside: path))
        tables = UncheckedSpan(plan.tables)
        fields = UncheckedSpan(plan.fields)
        let definitions = plan.schema.tables
        let hasMixed = definitions.contains { $0.properties.contains { $0.type == .mixed } }
        let targets = Set(definitions.flatMap { $0.properties.compactMap(\.target) })
        let areCollected = ByTable(definitions).mapped { table in
            table.kind != .embedded && (hasMixed || targets.contains(table.tableName))
                && (!plan.isCanonical || table.primaryKey != nil)
        }
        self.areCollected = areCollected
        maps = areCollected.mapped { $0 ? KeyMap() : nil }
        memory = maps.reduce(0) { $0 + ($1?.size ?? 0) }
        spilled = areCollected.mapped { _ in nil }
        isUnread = areCollected.mapped { _ in false }
        areAwaited = ByTable(
            zip(areCollected, definitions).map { isCollected, table in
                isCollected && plan.isCanonical && !targets.contains(table.tableName)
            })
        lookups = UncheckedArray([Lookup](repeating: Lookup(), count: definitions.count))
        lookup = UncheckedSpan(lookups)
        nextKeys = ByTable(repeating: 0, count: definitions.count)
    }

    // MARK: The first pass

    /// Begins to read the documents of some tables for their identities.
    func beginCollecting(_ wanted: ByTable<Bool>) {
        for position in wanted.indices where wanted[position] {
            nextKeys[position] = 0
            isUnread[position] = false
        }
    }

    /// Notes what identifies the objects of all documents of a source.
    ///
    /// - Parameter wanted: whether a table is one of those.
    func collect(
        _ source: any DocumentSource, _ cursor: BSONCursor, _ wanted: ByTable<Bool>
    ) throws(ImportError) {
        while let document = try source.next() {
            let position = source.position
            // A table whose map has become too large is read anew.
            guard wanted[position], !isUnread[position] else { continue }
            do throws(ImportError) {
                try collect(document, position, cursor, isText: source.isText)
            } catch {
                guard case .document(let error) = error else { throw error }
                throw .document(source.located(error))
            }
        }
    }

    @inline(__always)
    private func collect(
        _ document: ByteView, _ position: TablePosition, _ cursor: BSONCursor, isText: Bool
    ) throws(ImportError) {
        let fingerprint = try importing { () throws(DocumentError) in
            try identity(of: document, position, cursor, isText: isText)
        }
        if plan.isCanonical {
            guard let fingerprint else { return }
            let key = try importing { () throws(DocumentError) in try Self.objectKey(of: document, cursor) }
            if let key { _ = try remember(fingerprint, key, position) }
            return
        }
        let isNumbered = tables[unchecked: position].primaryField >= 0
        if isNumbered, let spilled = spilled[position] {
            if let fingerprint { try importing { () throws(StorageError) in try spilled.note(fingerprint) } }
            return
        }
        let isNew = try fingerprint.map { fingerprint throws(ImportError) in
            try remember(fingerprint, ObjectKey(nextKeys[position]), position)
        }
        // Without a primary key every document becomes an object.
        if isNew ?? false || !isNumbered { nextKeys[position] += 1 }
    }

    /// Notes a tombstone.
    func note(_ key: ObjectKey, _ primaryKey: BSONElement, _ position: TablePosition) throws(ImportError) {
        guard !isUnread[position], let fingerprint = fingerprint(of: primaryKey, position, isText: false) else {
            return
        }
        _ = try remember(fingerprint, key, position)
    }

    /// Ends reading the documents of some tables.
    func endCollecting(_ wanted: ByTable<Bool>) throws(ImportError) {
        for position in wanted.indices where wanted[position] && !isUnread[position] {
            guard let spilled = spilled[position] else { continue }
            try importing { () throws(StorageError) in try spilled.endIdentities() }
        }
    }

    /// Remembers the key of an identity.
    ///
    /// - Returns: whether it is the first that is known of; of those on the disk it is not known.
    private func remember(_ fingerprint: Fingerprint, _ key: ObjectKey, _ position: TablePosition) throws(ImportError)
        -> Bool
    {
        if let map = maps[position] {
            let size = map.size
            let isNew = map.insert(fingerprint, key)
            memory += map.size - size
            // A map that grows has its old memory until it has the new.
            if map.nextSize > map.size || mostMemory == 0, memory + map.nextSize > mostMemory { giveUpLargest() }
            return isNew
        }
        if let spilled = spilled[position] {
            try importing { () throws(StorageError) in try spilled.note(fingerprint, key) }
        }
        return true
    }

    /// Gives up the largest map, unless even that is so small that the buffers for the disk would take more.
    private func giveUpLargest() {
        let sizes = maps.mapped { $0?.size ?? 0 }
        guard let largest = sizes.indices.max(by: { sizes[$0] < sizes[$1] }), sizes[largest] > mostMemory / 64 else {
            return
        }
        memory -= sizes[largest]
        maps[largest] = nil
        spilled[largest] = SpilledKeys(file)
        isUnread[largest] = true
    }

    /// Whether documents of some tables have to be read for their identities, before objects can be written.
    var hasUnread: Bool { isUnread.contains(true) }

    /// Whether what links lead to has to be noted before objects can be written.
    var needsRehearsal: Bool { spilled.indices.contains { spilled[$0] != nil && areCollected[$0] } }

    /// Begins the second pass, again or for the first time.
    ///
    /// - Parameter isRehearsal: whether what links lead to is noted only.
    func begin(isRehearsal: Bool) {
        self.isRehearsal = isRehearsal
        for position in maps.indices {
            nextKeys[position] = 0
            if let spilled = spilled[position] {
                if isRehearsal { spilled.beginRequests() }
                spilled.rewind()
                lookup[unchecked: position] = Lookup(kind: .spilled)
                continue
            }
            // What is noted while objects are written has to be noted again.
            if !areCollected[position] {
                memory -= maps[position]?.size ?? 0
                maps[position] = nil
            }
            layInRow(position)
            setLookup(position, areAwaited[position] ? .awaited : maps[position] == nil ? .keys : .known)
        }
    }

    private func layInRow(_ position: TablePosition) {
        maps[position]?.layInRow(in: mostMemory - memory)
    }

    /// Ends a rehearsal: finds out what the links lead to that were noted.
    func endRehearsal() throws(ImportError) {
        for case let spilled? in spilled { try importing { () throws(StorageError) in try spilled.answer() } }
    }

    // MARK: The second pass

    /// The key of a document's object, for documents that do not say it.
    func claim(
        _ document: ByteView, _ position: TablePosition, _ cursor: BSONCursor, isText: Bool
    ) throws(ImportError) -> Claim {
        let fingerprint = try importing { () throws(DocumentError) in
            try identity(of: document, position, cursor, isText: isText)
        }
        let key = ObjectKey(nextKeys[position])
        // Without a primary key nothing has to identify an object.
        guard tables[unchecked: position].primaryField >= 0 else { return take(key, position) }
        guard let fingerprint else { return .missing }
        if let spilled = spilled[position] {
            guard let key = try spilled.claim(fingerprint) else { return .duplicate }
            return take(key, position)
        }
        let map = maps[position] ?? newMap(position)
        if !areCollected[position] {
            _ = try remember(fingerprint, key, position)
            try checkUnread()
        }
        return map.view.key(of: fingerprint) == key ? take(key, position) : .duplicate
    }

    private func newMap(_ position: TablePosition) -> KeyMap {
        let map = KeyMap()
        maps[position] = map
        memory += map.size
        return map
    }

    private func take(_ key: ObjectKey, _ position: TablePosition) -> Claim {
        nextKeys[position] += 1
        return .key(key)
    }

    /// The key of the object that an identity names; nil when there is none.
    func key(of element: BSONElement, in position: TablePosition, isText: Bool) throws(ImportError) -> ObjectKey? {
        switch lookup[unchecked: position].kind {
        case .awaited: try collectNow(position)
        case .spilled:
            if let fingerprint = fingerprint(of: element, position, isText: isText),
                let key = try spilledKey(fingerprint, position)
            {
                return key
            }
            return tombstone(element)
        case .keys, .known: break
        }
        guard let view = lookup[unchecked: position].view else {
            // The identity is the key.
            guard plan.isCanonical, let number = element.integer, number != -1 else { return nil }
            return ObjectKey(number)
        }
        if let fingerprint = fingerprint(of: element, position, isText: isText), let key = view.key(of: fingerprint) {
            return key
        }
        return tombstone(element)
    }

    /// The key of a tombstone without a primary key's value.
    private func tombstone(_ element: BSONElement) -> ObjectKey? {
        guard plan.isCanonical, let number = element.integer, number < -1 else { return nil }
        return ObjectKey(number)
    }

    @inline(never)
    private func spilledKey(_ fingerprint: Fingerprint, _ position: TablePosition) throws(ImportError) -> ObjectKey? {
        guard let spilled = spilled[position] else { return nil }
        guard isRehearsal else { return try spilled.nextTarget(fingerprint) }
        try importing { () throws(StorageError) in try spilled.request(fingerprint) }
        // What a link leads to changes nothing for the links behind it.
        return ObjectKey(0)
    }

    /// The key of the object that an integer names, where it is found without a search; nil where that is not known.
    @inline(__always)
    func quickKey(of element: BSONElement, in position: TablePosition) -> ObjectKey? {
        guard position != .none, let number = element.integer, lookup[unchecked: position].kind == .known,
            lookup[unchecked: position].hasIntegers, let view = lookup[unchecked: position].view
        else { return nil }
        return view.keyInRow(of: number)
    }

    /// What `key(of:in:)` finds an identity by, whose memory is sent for; nil when identities are keys, or none is there.
    @inline(__always)
    func prepareLookup(of element: BSONElement, in position: TablePosition, isText: Bool) -> Fingerprint? {
        guard lookup[unchecked: position].kind == .known, let view = lookup[unchecked: position].view,
            let fingerprint = fingerprint(of: element, position, isText: isText)
        else { return nil }
        view.prefetch(fingerprint)
        return fingerprint
    }

    /// The key of the object that has an identity; nil when there is none.
    @inline(__always)
    func key(of fingerprint: Fingerprint, in position: TablePosition) -> ObjectKey? {
        lookup[unchecked: position].view?.key(of: fingerprint)
    }

    @inline(never)
    private func collectNow(_ position: TablePosition) throws(ImportError) {
        areAwaited[position] = false
        try collectAwaited(position)
        try checkUnread()
        layInRow(position)
        setLookup(position, .known)
    }

    private func setLookup(_ position: TablePosition, _ kind: Lookup.Kind) {
        lookup[unchecked: position] = Lookup(
            kind: kind, hasIntegers: primaryForm(position) == .int, view: maps[position]?.view)
    }

    /// Ends a pass in which a map has become too large: who began it begins again when `hasUnread`.
    private func checkUnread() throws(ImportError) {
        if hasUnread { throw .document(DocumentError(.tooLarge, "more identities than memory has room for")) }
    }

    /// The key of the object of a table whose primary key is null; nil where there is none. Canonical exports do not name
    /// objects by null.
    func keyOfNull(in position: TablePosition) throws(ImportError) -> ObjectKey? {
        guard position != .none, canBeNull(position) else { return nil }
        if lookup[unchecked: position].kind == .awaited { try collectNow(position) }
        if lookup[unchecked: position].kind == .spilled { return try spilledKey(.null, position) }
        return lookup[unchecked: position].view?.key(of: .null)
    }
}
