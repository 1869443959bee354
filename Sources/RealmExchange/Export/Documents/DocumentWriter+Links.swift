internal import RealmCore
internal import RealmLayout

extension DocumentWriter where Sink: ~Copyable {
    /// Writes a to-one link: the target's identity, or null if the target does not exist.
    @inline(never)
    mutating func writeLink(_ target: ObjectKey, _ number: Int, _ owner: ObjectKey) throws(FormatError) {
        let position = fields[unchecked: number].target
        guard !target.isUnresolved,
            try writeIdentity(fields[unchecked: number].key, of: target, in: position, number)
        else {
            return writeLost(target, in: position, number, owner)
        }
    }

    /// Writes the identity of an object under `key`. Returns false, with nothing written, if there is no such object.
    ///
    /// - Parameter number: The field with the link.
    @inline(__always)
    mutating func writeIdentity(
        _ key: ByteView, of target: ObjectKey, in position: TablePosition, _ number: Int
    ) throws(FormatError) -> Bool {
        let table = tables[unchecked: position]
        guard table.identity == .primaryKey else {
            sink.int(key, target.value)
            return true
        }
        let isInteger = fields[unchecked: table.firstField &+ table.primaryField].form.isInt
        if isInteger, let value = locator.integers.identity(of: target, in: position) {
            sink.int(key, value)
            return true
        }
        return try writeNewIdentity(key, of: target, in: position, number, isInteger: isInteger)
    }

    /// Writes the primary key of an object that is not cached.
    @inline(never)
    private mutating func writeNewIdentity(
        _ key: ByteView, of target: ObjectKey, in position: TablePosition, _ number: Int, isInteger: Bool
    ) throws(FormatError) -> Bool {
        guard let place = try locator.place(of: target, in: position) else { return false }
        let table = tables[unchecked: position]
        // The locator has all leaves of an embedded class, but only the primary key's leaf of others.
        let leaf = place.firstLeaf &+ (table.isEmbedded ? table.primaryField : 0)
        if locator.leafView[unchecked: leaf].step == .lost { throw lostLeaf(leaf) }
        if isInteger {
            locator.integers.note(locator.leafView[unchecked: leaf].leaf.int(at: place.row), of: target, in: position)
        }
        if try !writePrimaryKey(key, locator.leafView, leaf, row: place.row, countsLoss: false) {
            writeNullIdentity(key, of: target, number)
        }
        return true
    }

    /// Writes the identity of an object whose primary key is null. As a property or dictionary value, null would mean
    /// no link; in lists, sets and references it has no other meaning.
    @inline(never)
    private mutating func writeNullIdentity(_ key: ByteView, of target: ObjectKey, _ number: Int) {
        if isCanonical { return sink.wrappedLink(key, target) }
        let field = fields[unchecked: number]
        if field.hasPlainLinks, field.collection?.isDictionary ?? true { note(.linkToNullKey, number) }
        sink.null(key)
    }

    /// Writes the identity of an object in a collection. A tombstone is written as its primary key, which is counted.
    /// If neither exists, writes null and counts the loss.
    mutating func writeElementIdentity(
        _ key: ByteView, of target: ObjectKey, in position: TablePosition, _ number: Int
    ) throws(FormatError) {
        if target.isUnresolved {
            if let tombstone = try plan.snapshot.table(at: position).tombstone(target) {
                // The canonical profile lists the tombstones in the sidecar.
                if !isCanonical { note(.deletedElement, number) }
                return try write(key, primaryKey: try tombstone.primaryKey ?? .int(target.value), of: target)
            }
        } else if try writeIdentity(key, of: target, in: position, number) {
            return
        }
        writeDangling(key, target, number)
    }

    /// Writes a link whose target is not in the file.
    mutating func writeDangling(_ key: ByteView, _ target: ObjectKey, _ number: Int) {
        if isCanonical {
            note(.keptDanglingLink, number)
            return sink.wrappedLink(key, target)
        }
        note(.danglingLink, number)
        sink.null(key)
    }

    /// Writes the primary key of a tombstone.
    private mutating func write(
        _ key: ByteView, primaryKey value: Value, of target: ObjectKey
    ) throws(FormatError) {
        switch value {
        case .int(let value): sink.int(key, value)
        case .string(let text):
            let bytes = Array(text.utf8)
            if bytes.count >= Self.paidBytes { try pay(forRepeated: bytes.count, at: Ref(0)) }
            ByteView.with(bytes) { _ = sink.string(key, $0) }
        case .malformedString(let text):
            if text.count >= Self.paidBytes { try pay(forRepeated: text.count, at: Ref(0)) }
            ByteView.with(text) { _ = sink.string(key, $0) }
        case .objectId(let id): id.withBytes { sink.objectId(key, $0) }
        case .uuid(let id): id.withBytes { sink.uuid(key, $0) }
        default: if isCanonical { sink.wrappedLink(key, target) } else { sink.null(key) }
        }
    }

    /// Writes the link of a Mixed as a DBRef: `{"$ref": class, "$id": identity}`. Outside the canonical profile, it
    /// becomes null if the target is not in the file.
    mutating func writeReference(
        _ key: ByteView, to target: ObjectKey, in position: TablePosition, _ number: Int
    ) throws(FormatError) {
        if !isCanonical, try !exists(target, in: position) { return writeDangling(key, target, number) }
        let mark = sink.beginDocument(key)
        _ = sink.string(sink.words.ref, tables[unchecked: position].name)
        try writeElementIdentity(sink.words.id, of: target, in: position, number)
        sink.endDocument(mark)
    }

    /// Whether the target of a link has an identity.
    private mutating func exists(_ target: ObjectKey, in position: TablePosition) throws(FormatError) -> Bool {
        if target.isUnresolved { return try plan.snapshot.table(at: position).tombstone(target) != nil }
        if tables[unchecked: position].identity == .objectKey { return true }
        return try locator.place(of: target, in: position) != nil
    }
}
