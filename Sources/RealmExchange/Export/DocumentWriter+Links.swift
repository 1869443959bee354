internal import RealmLayout
internal import RealmReader

/// What identifies a linked object in documents.
enum LinkIdentity {
    /// The class has no primary key.
    case objectKey(ObjectKey)
    /// The primary key in a leaf of the locator.
    case primaryKey(leaf: Int, row: Int, field: Int)
    /// The primary key of a tombstone.
    case value(Value)
}

extension DocumentWriter where Sink: ~Copyable {
    /// The identity of an object; nil when it does not exist, tombstones included.
    @inline(__always)
    mutating func identity(of key: ObjectKey, in position: Int) throws(FormatError) -> LinkIdentity? {
        guard !key.isUnresolved else { return nil }
        let table = plan.tables[position]
        guard table.identity == .primaryKey else { return .objectKey(key) }
        guard let place = try locator.place(of: key, in: position) else { return nil }
        // An embedded class has all its leaves in the locator, others only the primary key's.
        let leaf = place.firstLeaf &+ (table.isEmbedded ? table.primaryField : 0)
        return .primaryKey(leaf: leaf, row: place.row, field: table.firstField &+ table.primaryField)
    }

    /// The identity of an object in a collection, where a tombstone is named by its primary key.
    mutating func elementIdentity(of key: ObjectKey, in position: Int) throws(FormatError) -> LinkIdentity? {
        guard key.isUnresolved else { return try identity(of: key, in: position) }
        let table = plan.snapshot.tables[position]
        guard let tombstone = try table.tombstone(key) else { return nil }
        return .value(try tombstone.primaryKey ?? .int(key.value))
    }

    @inline(__always)
    mutating func write(_ identity: LinkIdentity) throws(FormatError) {
        switch identity {
        case .objectKey(let key): sink.int(key.value)
        case .primaryKey(let leaf, let row, let field):
            try writeScalar(plan.fields[field].form, locator.leaves[leaf], row, field)
        case .value(let value): write(primaryKey: value)
        }
    }

    /// Writes the primary key of a tombstone.
    private mutating func write(primaryKey value: Value) {
        switch value {
        case .int(let value): sink.int(value)
        case .string(let text): ByteView.with(Array(text.utf8)) { _ = sink.string($0) }
        case .malformedString(let text): ByteView.with(text) { _ = sink.string($0) }
        case .objectId(let id): ByteView.with(id.bytes) { sink.objectId($0) }
        case .uuid(let id): ByteView.with(id.bytes) { sink.uuid($0) }
        default: sink.null()
        }
    }

    /// Writes the link of a Mixed as a DBRef: `{"$ref": class, "$id": identity}`.
    mutating func writeReference(_ identity: LinkIdentity, in position: Int) throws(FormatError) {
        let mark = sink.beginDocument()
        sink.key("$ref")
        _ = sink.string(plan.tables[position].name)
        sink.key("$id")
        try write(identity)
        sink.endDocument(mark)
    }
}
