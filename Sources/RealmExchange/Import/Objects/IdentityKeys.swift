internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// Which object key each document's object has: what links lead to, by the `_id` that they name.
///
/// Documents of a canonical export say their keys; those of others are numbered as they come.
final class IdentityKeys {
    /// What a document claims.
    enum Claim {
        case key(ObjectKey)
        /// It has no usable identity.
        case missing
        /// Another document has the identity.
        case duplicate
    }

    private let plan: ImportPlan
    private let tables: SlabView<ImportTable>
    private let fields: SlabView<ImportField>
    private let hash = IdentityHash()
    /// The objects of each table by identity; nil for tables whose identities are keys themselves.
    private var maps: [KeyMap?]
    /// What links are looked up in.
    private let lookups: Slab<Lookup>
    private let lookup: SlabView<Lookup>
    /// Tables that links can lead to, and so have to be known before any link is read.
    let areCollected: [Bool]
    /// Those of them that only Mixed values can lead to: mostly none does, and the first that does lets them be collected.
    private(set) var areAwaited: [Bool]
    /// Collects the identities of an awaited table.
    var collectAwaited: (Int) throws(ImportError) -> Void = { _ in }
    /// The number of the next document of each table.
    private var nextKeys: [Int64]

    /// What the identities of a table's objects are.
    private struct Lookup: BitwiseCopyable {
        enum Kind: UInt8 {
            /// The keys themselves.
            case keys
            /// In `view`.
            case known
            /// Not collected so far.
            case awaited
        }
        var kind = Kind.keys
        var view: KeyMap.View?
    }

    /// - Parameter canReadAgain: whether documents can be read at any time.
    init(_ plan: ImportPlan, canReadAgain: Bool) {
        self.plan = plan
        tables = SlabView(plan.tables)
        fields = SlabView(plan.fields)
        let definitions = plan.schema.tables
        let hasMixed = definitions.contains { $0.properties.contains { $0.type == .mixed } }
        let targets = Set(definitions.flatMap { $0.properties.compactMap(\.target) })
        let areCollected = definitions.map { table in
            table.kind != .embedded && (hasMixed || targets.contains(table.tableName))
                && (!plan.isCanonical || table.primaryKey != nil)
        }
        self.areCollected = areCollected
        maps = areCollected.map { $0 ? KeyMap() : nil }
        areAwaited = areCollected.indices.map { index in
            areCollected[index] && plan.isCanonical && canReadAgain && !targets.contains(definitions[index].tableName)
        }
        lookups = Slab([Lookup](repeating: Lookup(), count: definitions.count))
        lookup = SlabView(lookups)
        nextKeys = [Int64](repeating: 0, count: definitions.count)
    }

    // MARK: The first pass

    /// Notes what identifies the objects of all documents of a source.
    ///
    /// - Parameter wanted: the positions of the tables.
    func collect(
        _ source: any DocumentSource, _ cursor: BSONCursor, _ wanted: [Bool]
    ) throws(ImportError) {
        while let document = try source.next() {
            let position = source.position
            guard wanted[position], let map = maps[position] else { continue }
            do throws(DocumentError) {
                let fingerprint = try identity(of: document, position, cursor, isText: source.isText)
                if plan.isCanonical {
                    guard let fingerprint, let key = try Self.objectKey(of: document, cursor) else { continue }
                    _ = map.insert(fingerprint, key)
                } else {
                    let isNew = fingerprint.map { map.insert($0, ObjectKey(nextKeys[position])) } ?? false
                    // Without a primary key every document becomes an object.
                    if isNew || tables[unchecked: position].primaryField < 0 { nextKeys[position] += 1 }
                }
            } catch {
                throw .document(source.located(error))
            }
        }
    }

    /// Notes a tombstone.
    func note(_ key: ObjectKey, _ primaryKey: BSONElement, _ position: Int) {
        guard let map = maps[position], let fingerprint = fingerprint(of: primaryKey, position, isText: false) else {
            return
        }
        _ = map.insert(fingerprint, key)
    }

    /// Begins the second pass, again or for the first time.
    func begin() {
        for position in maps.indices {
            nextKeys[position] = 0
            // What is noted while objects are written has to be noted again.
            if !areCollected[position] { maps[position] = nil }
            let map = maps[position]
            map?.layInRow()
            lookup[unchecked: position] = Lookup(
                kind: areAwaited[position] ? .awaited : map == nil ? .keys : .known, view: map?.view)
        }
    }

    // MARK: The second pass

    /// The key of a document's object, for documents that do not say it.
    func claim(
        _ document: ByteView, _ position: Int, _ cursor: BSONCursor, isText: Bool
    ) throws(ImportError) -> Claim {
        let fingerprint = try importing { () throws(DocumentError) in
            try identity(of: document, position, cursor, isText: isText)
        }
        let key = ObjectKey(nextKeys[position])
        // Without a primary key nothing has to identify an object.
        guard tables[unchecked: position].primaryField >= 0 else { return take(key, position) }
        guard let fingerprint else { return .missing }
        let map = maps[position] ?? KeyMap()
        maps[position] = map
        if !areCollected[position] { _ = map.insert(fingerprint, key) }
        return map.view.key(of: fingerprint) == key ? take(key, position) : .duplicate
    }

    private func take(_ key: ObjectKey, _ position: Int) -> Claim {
        nextKeys[position] += 1
        return .key(key)
    }

    /// The key of the object that an identity names; nil when there is none.
    func key(of element: BSONElement, in position: Int, isText: Bool) throws(ImportError) -> ObjectKey? {
        if lookup[unchecked: position].kind == .awaited { try collectNow(position) }
        guard let view = lookup[unchecked: position].view else {
            // The identity is the key.
            guard plan.isCanonical, let number = element.integer, number != -1 else { return nil }
            return ObjectKey(number)
        }
        if let fingerprint = fingerprint(of: element, position, isText: isText), let key = view.key(of: fingerprint) {
            return key
        }
        // A tombstone without a primary key's value.
        guard plan.isCanonical, let number = element.integer, number < -1 else { return nil }
        return ObjectKey(number)
    }

    /// What `key(of:in:)` finds an identity by, whose memory is sent for; nil when identities are keys, or none is there.
    @inline(__always)
    func prepareLookup(of element: BSONElement, in position: Int, isText: Bool) -> Fingerprint? {
        guard lookup[unchecked: position].kind == .known, let view = lookup[unchecked: position].view,
            let fingerprint = fingerprint(of: element, position, isText: isText)
        else { return nil }
        view.prefetch(fingerprint)
        return fingerprint
    }

    /// The key of the object that has an identity; nil when there is none.
    @inline(__always)
    func key(of fingerprint: Fingerprint, in position: Int) -> ObjectKey? {
        lookup[unchecked: position].view?.key(of: fingerprint)
    }

    @inline(never)
    private func collectNow(_ position: Int) throws(ImportError) {
        areAwaited[position] = false
        try collectAwaited(position)
        maps[position]?.layInRow()
        lookup[unchecked: position] = Lookup(kind: .known, view: maps[position]?.view)
    }

    // MARK: Identities

    /// What identifies a document's object: its primary key, or `_id`. Nil for none.
    private func identity(
        of document: ByteView, _ position: Int, _ cursor: BSONCursor, isText: Bool
    ) throws(DocumentError) -> Fingerprint? {
        let table = tables[unchecked: position]
        try cursor.begin(0, document)
        while let element = try cursor.next(0) {
            if element.key.isSame(as: .identity) {
                // It stands for the primary key, whatever its name is.
                if let found = fingerprint(of: try unwrapped(element, cursor), position, isText: isText) {
                    return found
                }
            } else if !plan.isCanonical, table.primaryField >= 0,
                element.key.isSame(as: fields[unchecked: table.firstField &+ table.primaryField].name)
            {
                return fingerprint(of: element, position, isText: isText)
            } else if plan.isCanonical {
                return nil
            }
        }
        return nil
    }

    /// A string that is not UTF-8 is in a wrapper.
    func unwrapped(_ element: BSONElement, _ cursor: BSONCursor) throws(DocumentError) -> BSONElement {
        guard element.begins(with: .realm) else { return element }
        try cursor.begin(1, element.value)
        guard let outer = try cursor.next(1), outer.type == .document else { return element }
        try cursor.begin(2, outer.value)
        guard let inner = try cursor.next(2), inner.key.isSame(as: .utf8), inner.type == .binary else { return element }
        return inner
    }

    private func fingerprint(of element: BSONElement, _ position: Int, isText: Bool) -> Fingerprint? {
        let primary = tables[unchecked: position].primaryField
        let form = primary < 0 ? nil : fields[unchecked: tables[unchecked: position].firstField &+ primary].form
        switch (element.type, form) {
        case (.int64, .int), (.int32, .int), (.int64, nil), (.int32, nil):
            return element.integer.map { Fingerprint($0) }
        case (.objectId, .objectId), (.objectId, nil): return Fingerprint(fixed: element.value)
        case (.binary, .uuid) where element.value.count == 16, (.binary, nil) where element.value.count == 16:
            return Fingerprint(fixed: element.value)
        case (.string, .string), (.binary, .string), (.string, nil):
            return Fingerprint(element.value, hash)
        case (.string, let form?) where isText: return element.value.string.flatMap { Fingerprint(parsing: $0, form) }
        default: return nil
        }
    }

    /// The object key at the end of a document of a canonical export; nil for none.
    private static func objectKey(of document: ByteView, _ cursor: BSONCursor) throws(DocumentError) -> ObjectKey? {
        // `$realm` with a document of 18 bytes, and a zero at the end.
        let start = document.count - 27
        if start > 4, document.slice(unchecked: start, count: 8).isSame(as: keyField),
            let key = objectKey(in: document.slice(unchecked: start + 8, count: 18))
        {
            return key
        }
        try cursor.begin(0, document)
        while let element = try cursor.next(0) {
            guard element.key.isSame(as: .realm), element.type == .document else { continue }
            try cursor.begin(1, element.value)
            return try cursor.next(1)?.integer.map { ObjectKey($0) }
        }
        return nil
    }

    /// The object key in a document that holds nothing but an int64 called `key`, as exports write it; nil for others.
    @inline(__always)
    static func objectKey(in document: ByteView) -> ObjectKey? {
        // A length of four bytes, a type, a name with a zero behind it, eight bytes and a zero.
        guard document.count == 18, document.uint32(unchecked: 0) == 18,
            document.uint32(unchecked: 4) == keyStart, document.byte(unchecked: 8) == 0,
            document.byte(unchecked: 17) == 0
        else { return nil }
        return ObjectKey(Int64(bitPattern: document.uint64(unchecked: 9)))
    }

    /// The type of an int64 and `key`, from the lowest byte on.
    private static let keyStart: UInt32 = 0x79_65_6B_12
    private static let keyField = ByteView.copy(of: [3] + Array("$realm".utf8) + [0])
}
