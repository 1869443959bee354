internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The object keys of documents, used to resolve links by `_id`.
///
/// Documents of a canonical export contain their keys; other documents are numbered in order. Maps in memory hold the
/// keys until they grow too large. The largest map then moves to disk: its documents are read again, and the links to
/// its objects are recorded in a rehearsal before they are resolved (`SpilledKeys`).
final class IdentityKeys {
    /// The result of claiming an identity for a document.
    enum Claim {
        case key(ObjectKey)
        /// The document has no usable identity.
        case missing
        /// Another document has the identity.
        case duplicate
    }

    let plan: ImportPlan
    let tables: UncheckedSpan<ImportTable>
    let fields: UncheckedSpan<ImportField>
    let hash = IdentityHash()
    /// The objects of each table by identity; nil for tables whose identities are keys themselves, or on disk.
    private var maps: ByTable<KeyMap?>
    /// The tables whose identities are on disk.
    private var spilled: ByTable<SpilledKeys?>
    /// The tables whose documents must be read again for that purpose.
    private(set) var isUnread: ByTable<Bool>
    private let file: SpillFile
    /// Memory limit for all maps together in bytes; `memory` is the current size.
    private let mostMemory: Int
    private var memory = 0
    /// Whether links are recorded instead of looked up.
    private var isRehearsal = false
    /// The lookup data of each table.
    private let lookups: UncheckedArray<Lookup>
    private let lookup: UncheckedSpan<Lookup>
    /// Tables that can be link targets, and so must be known before any link is read.
    let areCollected: ByTable<Bool>
    /// Tables that only Mixed values can link to. Such links are rare, so these tables are collected when the first one
    /// occurs.
    private(set) var areAwaited: ByTable<Bool>
    /// Collects the identities of an awaited table.
    var collectAwaited: (TablePosition) throws(ImportError) -> Void = { _ in }
    /// The number of the next document of each table.
    private var nextKeys: ByTable<Int64>

    /// The lookup method for the identities of a table's objects.
    private struct Lookup: BitwiseCopyable {
        enum Kind: UInt8 {
            /// Identities are the keys themselves.
            case keys
            /// Identities are in `view`.
            case known
            /// Identities have not been collected yet.
            case awaited
            /// Identities are on disk.
            case spilled
        }
        var kind = Kind.keys
        /// Whether all identities are integers.
        var hasIntegers = false
        var view: KeyMap.View?
    }

    /// - Parameters:
    ///   - mostMemory: Memory limit for all maps together in bytes.
    ///   - path: The path of the new file; spilled data is stored next to it.
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

    /// Begins reading the documents of some tables for their identities.
    func beginCollecting(_ wanted: ByTable<Bool>) {
        for position in wanted.indices where wanted[position] {
            nextKeys[position] = 0
            isUnread[position] = false
        }
    }

    /// Records the identities of all documents of a source.
    ///
    /// - Parameter wanted: Whether a table is being collected.
    func collect(
        _ source: any DocumentSource, _ cursor: BSONCursor, _ wanted: ByTable<Bool>
    ) throws(ImportError) {
        while let document = try source.next() {
            let position = source.position
            // A table whose map has become too large is read again later.
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
        // Without a primary key, every document becomes an object.
        if isNew ?? false || !isNumbered { nextKeys[position] += 1 }
    }

    /// Records a tombstone.
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

    /// Records the key of an identity.
    ///
    /// - Returns: Whether the identity is new; always true for tables on disk, where that is unknown.
    private func remember(_ fingerprint: Fingerprint, _ key: ObjectKey, _ position: TablePosition) throws(ImportError)
        -> Bool
    {
        if let map = maps[position] {
            let size = map.size
            let isNew = map.insert(fingerprint, key)
            memory += map.size - size
            // A growing map keeps its old memory until the new one is filled.
            if map.nextSize > map.size || mostMemory == 0, memory + map.nextSize > mostMemory { giveUpLargest() }
            return isNew
        }
        if let spilled = spilled[position] {
            try importing { () throws(StorageError) in try spilled.note(fingerprint, key) }
        }
        return true
    }

    /// Spills the largest map, unless it is so small that the disk buffers would take more memory.
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

    /// Whether documents of some tables must be read for their identities before objects can be written.
    var hasUnread: Bool { isUnread.contains(true) }

    /// Whether link targets must be recorded before objects can be written.
    var needsRehearsal: Bool { spilled.indices.contains { spilled[$0] != nil && areCollected[$0] } }

    /// Begins or restarts the second pass.
    ///
    /// - Parameter isRehearsal: Whether link targets are only recorded.
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
            // Identities recorded during writing must be recorded again.
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

    /// Ends a rehearsal: resolves the recorded links.
    func endRehearsal() throws(ImportError) {
        for case let spilled? in spilled { try importing { () throws(StorageError) in try spilled.answer() } }
    }

    // MARK: The second pass

    /// Claims a key for a document that does not contain one.
    func claim(
        _ document: ByteView, _ position: TablePosition, _ cursor: BSONCursor, isText: Bool
    ) throws(ImportError) -> Claim {
        let fingerprint = try importing { () throws(DocumentError) in
            try identity(of: document, position, cursor, isText: isText)
        }
        let key = ObjectKey(nextKeys[position])
        // Without a primary key, objects need no identity.
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

    /// The key of the object with an identity, or nil.
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

    /// The key of a tombstone without a primary key value.
    private func tombstone(_ element: BSONElement) -> ObjectKey? {
        guard plan.isCanonical, let number = element.integer, number < -1 else { return nil }
        return ObjectKey(number)
    }

    @inline(never)
    private func spilledKey(_ fingerprint: Fingerprint, _ position: TablePosition) throws(ImportError) -> ObjectKey? {
        guard let spilled = spilled[position] else { return nil }
        guard isRehearsal else { return try spilled.nextTarget(fingerprint) }
        try importing { () throws(StorageError) in try spilled.request(fingerprint) }
        // The result of a link does not affect the links after it.
        return ObjectKey(0)
    }

    /// The key of the object that an integer identifies, if it can be found without a search; otherwise nil.
    @inline(__always)
    func quickKey(of element: BSONElement, in position: TablePosition) -> ObjectKey? {
        guard position != .none, let number = element.integer, lookup[unchecked: position].kind == .known,
            lookup[unchecked: position].hasIntegers, let view = lookup[unchecked: position].view
        else { return nil }
        return view.keyInRow(of: number)
    }

    /// The fingerprint for `key(of:in:)`, whose memory is prefetched; nil if identities are keys, or there is none.
    @inline(__always)
    func prepareLookup(of element: BSONElement, in position: TablePosition, isText: Bool) -> Fingerprint? {
        guard lookup[unchecked: position].kind == .known, let view = lookup[unchecked: position].view,
            let fingerprint = fingerprint(of: element, position, isText: isText)
        else { return nil }
        view.prefetch(fingerprint)
        return fingerprint
    }

    /// The key of the object with an identity, or nil.
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

    /// Ends a pass in which a map has become too large. The caller starts over if `hasUnread`.
    private func checkUnread() throws(ImportError) {
        if hasUnread { throw .document(DocumentError(.tooLarge, "more identities than memory has room for")) }
    }

    /// The key of the object in a table whose primary key is null; nil if there is none. Canonical exports do not refer
    /// to objects by null.
    func keyOfNull(in position: TablePosition) throws(ImportError) -> ObjectKey? {
        guard position != .none, canBeNull(position) else { return nil }
        if lookup[unchecked: position].kind == .awaited { try collectNow(position) }
        if lookup[unchecked: position].kind == .spilled { return try spilledKey(.null, position) }
        return lookup[unchecked: position].view?.key(of: .null)
    }
}
