internal import RealmCore
internal import RealmLayout

extension DocumentWriter where Sink: ~Copyable {
    /// Writes a field that a sink's own loop left out. Errors include its place.
    @inline(never)
    mutating func writeRest(
        _ fields: ObjectFields, _ index: Int, row: Int, owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        do throws(FormatError) {
            try writeField(fields.leaves, index, row: row, owner: owner, depth: depth)
        } catch {
            throw located(error, fields, field: index, owner)
        }
    }

    /// Writes a field outside of the loops that `write` is inlined into.
    @inline(never)
    mutating func writeField(
        _ leaves: UncheckedSpan<OpenExportField>, _ field: Int, row: Int, owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        try write(leaves, field, row: row, owner: owner, depth: depth)
    }

    /// Writes the field at index `field` of `leaves` from `row`. In the mongo profile, null is omitted. Values of the
    /// usual types are handled here, all others in separate functions, to keep this one small enough for inlining into
    /// loops.
    @inline(__always)
    mutating func write(
        _ leaves: UncheckedSpan<OpenExportField>, _ field: Int, row: Int, owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        let key = leaves[unchecked: field].key
        if leaves[unchecked: field].isIdentity { return try writeIdentity(leaves, field, row: row) }
        let text: ByteView
        switch leaves[unchecked: field].step {
        case .int:
            return sink.int(key, leaves[unchecked: field].leaf.int(at: row))
        case .nullableInt:
            guard let value = leaves[unchecked: field].leaf.nullableInt(at: row) else { return writeNull(key) }
            return sink.int(key, value)
        case .bool:
            guard let value = leaves[unchecked: field].leaf.bool(at: row) else { return writeNull(key) }
            return sink.bool(key, value)
        case .double:
            guard let bits = leaves[unchecked: field].leaf.doubleBits(at: row) else { return writeNull(key) }
            if let loss = sink.double(key, bits: bits) { note(loss, leaves[unchecked: field].number) }
            return
        case .shortString:
            guard let bytes = leaves[unchecked: field].leaf.plainShortString(at: row) else {
                if leaves[unchecked: field].leaf.isNullShortString(at: row) { return writeNull(key) }
                return try writeOther(leaves, field, row: row, owner: owner, depth: depth)
            }
            text = bytes
        case .mediumString:
            if leaves[unchecked: field].leaf.isNullMediumString(at: row) { return writeNull(key) }
            guard let bytes = leaves[unchecked: field].leaf.plainMediumString(at: row), bytes.count < Self.paidBytes
            else { return try writeOther(leaves, field, row: row, owner: owner, depth: depth) }
            text = bytes
        case .bigString:
            if leaves[unchecked: field].leaf.rawElement(at: row) == 0 { return writeNull(key) }
            return try writeOther(leaves, field, row: row, owner: owner, depth: depth)
        case .timestamp:
            guard let value = leaves[unchecked: field].leaf.plainTimestamp(at: row) else {
                return try writeOther(leaves, field, row: row, owner: owner, depth: depth)
            }
            if let loss = sink.timestamp(key, value) { note(loss, leaves[unchecked: field].number) }
            return
        case .decimal128:
            guard let value = leaves[unchecked: field].leaf.decimal(at: row) else { return writeNull(key) }
            if let loss = sink.decimal(key, value) { note(loss, leaves[unchecked: field].number) }
            return
        case .link:
            guard let target = leaves[unchecked: field].leaf.link(at: row) else { return writeNull(key) }
            return try writeLink(target, leaves[unchecked: field].number, owner)
        case .textLink:
            let bytes = texts[unchecked: Self.textIndex(field, row: row)]
            guard bytes.count > 0 else {
                guard let target = leaves[unchecked: field].leaf.link(at: row) else { return writeNull(key) }
                return try writeLink(target, leaves[unchecked: field].number, owner)
            }
            text = bytes
        case .embedded:
            guard let target = leaves[unchecked: field].leaf.link(at: row) else { return writeNull(key) }
            return try writeEmbedded(target, leaves[unchecked: field].number, owner, depth: depth)
        case .list, .dictionary:
            let element = leaves[unchecked: field].leaf.rawElement(at: row)
            guard element & 1 == 0 else { return try writeOther(leaves, field, row: row, owner: owner, depth: depth) }
            let root = element == 0 ? nil : Ref(Int(truncatingIfNeeded: element))
            return try writeCollection(leaves[unchecked: field].number, root, depth: depth)
        case .other, .lost:
            return try writeOther(leaves, field, row: row, owner: owner, depth: depth)
        }
        // Losses of an identity are counted where it is a property.
        if let loss = sink.string(key, text), leaves[unchecked: field].step != .textLink {
            note(loss, leaves[unchecked: field].number)
        }
    }

    /// Writes the primary key of a document's object as its identity.
    @inline(never)
    private mutating func writeIdentity(_ leaves: UncheckedSpan<OpenExportField>, _ field: Int, row: Int)
        throws(FormatError)
    {
        let countsLoss = leaves[unchecked: field].countsLoss
        if try !writePrimaryKey(plan.idKey, leaves, field, row: row, countsLoss: countsLoss) { sink.null(plan.idKey) }
    }

    /// Writes a null property in formats that include them.
    @inline(__always)
    private mutating func writeNull(_ key: ByteView) {
        if keepsNulls { sink.nullProperty(key) }
    }

    /// Writes the values that the field loop does not handle: rare types and encodings, long strings, null, and damage.
    @inline(never)
    private mutating func writeOther(
        _ leaves: UncheckedSpan<OpenExportField>, _ field: Int, row: Int, owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        if leaves[unchecked: field].step == .lost { return try failLost(field) }
        let leaf = leaves[unchecked: field].leaf
        let number = leaves[unchecked: field].number
        if fields[unchecked: number].collection != nil {
            return try writeCollection(number, leaf.collection(at: row), depth: depth)
        }
        if fields[unchecked: number].form == .mixed {
            return try writeMixedField(number, leaf.mixed(at: row, in: space), owner, depth: depth)
        }
        if try !writeValue(leaves[unchecked: field].key, number, leaf, index: row) {
            writeNull(leaves[unchecked: field].key)
        }
    }

    /// Counts a loss.
    @inline(never)
    mutating func note(_ loss: LossKind, _ number: Int) { losses.count(loss, field: number) }

    /// Strings and binaries from this size on may be separate nodes, which a hostile file can reference many times.
    static var paidBytes: Int { 64 }

    /// Pays for a long value, which occurs only once in an intact file. Distinct strings of an enumerated column are
    /// different: they are meant to be shared.
    @inline(never)
    mutating func pay(for bytes: ByteView, in leaf: ColumnLeaf) throws(FormatError) {
        guard !leaf.isEnumerated else { return try pay(forRepeated: bytes.count, at: leaf.ref) }
        try budget.spend(bytes: bytes.count, at: leaf.ref)
    }

    /// Pays for a long value that an intact file may use often: a distinct string of an enumerated column, or a primary
    /// key that links are replaced by. All of these together may take a thousand times the size of the file, which no
    /// database comes near. Without a limit, a file of a megabyte could produce terabytes of documents.
    @inline(never)
    mutating func pay(forRepeated bytes: Int, at ref: Ref) throws(FormatError) {
        do { try repeats.spend(bytes: bytes, at: ref) } catch {
            throw FormatError(
                .sharedNodes, at: ref.offset,
                "long strings that many values share take a thousand times the file's size")
        }
    }

    /// Passes of the budget for repeated values; budgets of bytes count twice.
    static var repeats: Int { 512 }

    @inline(never)
    mutating func writeBlob(_ key: ByteView, _ blob: Blob) throws(FormatError) {
        guard let parts = blob.parts else {
            try budget.spend(bytes: blob.view.count, at: Ref(0))
            return sink.binary(key, blob.view)
        }
        let bytes = try space.joinedBytes(ofPartsAt: parts)
        try budget.spend(bytes: bytes.count, at: parts)
        ByteView.with(bytes) { sink.binary(key, $0) }
    }

    /// Writes the primary key of an object under `key`. Its losses are counted where it is a property, not for the
    /// copies that identify its object.
    ///
    /// - Returns: False, with nothing written, for null.
    @inline(never)
    mutating func writePrimaryKey(
        _ key: ByteView, _ leaves: UncheckedSpan<OpenExportField>, _ field: Int, row: Int, countsLoss: Bool
    ) throws(FormatError) -> Bool {
        let number = leaves[unchecked: field].number
        switch fields[unchecked: number].form {
        case .int:
            sink.int(key, leaves[unchecked: field].leaf.int(at: row))
        case .string:
            guard let bytes = try leaves[unchecked: field].leaf.string(at: row, in: space) else { return false }
            if bytes.count >= Self.paidBytes {
                try pay(forRepeated: bytes.count, at: leaves[unchecked: field].leaf.ref)
            }
            if let loss = sink.string(key, bytes), countsLoss { note(loss, number) }
        case .objectId:
            guard let bytes = leaves[unchecked: field].leaf.objectIdBytes(at: row) else { return false }
            sink.objectId(key, bytes)
        default:
            return try writeValue(key, number, leaves[unchecked: field].leaf, index: row)
        }
        return true
    }

    /// Writes an element of any scalar type from any leaf, including null.
    @inline(never)
    mutating func writeElement(
        _ key: ByteView, _ number: Int, _ leaf: ColumnLeaf, index: Int
    ) throws(FormatError) {
        if try !writeValue(key, number, leaf, index: index) { sink.null(key) }
    }

    /// Writes one value of a scalar type from any leaf.
    ///
    /// - Returns: False, with nothing written, for null.
    private mutating func writeValue(
        _ key: ByteView, _ number: Int, _ leaf: ColumnLeaf, index: Int
    ) throws(FormatError) -> Bool {
        switch fields[unchecked: number].form {
        case .int:
            sink.int(key, leaf.int(at: index))
        case .nullableInt:
            guard let value = leaf.nullableInt(at: index) else { return false }
            sink.int(key, value)
        case .bool:
            guard let value = leaf.bool(at: index) else { return false }
            sink.bool(key, value)
        case .float:
            guard let bits = leaf.floatBits(at: index) else { return false }
            if let loss = sink.float(key, bits: bits) { note(loss, number) }
        case .double:
            guard let bits = leaf.doubleBits(at: index) else { return false }
            if let loss = sink.double(key, bits: bits) { note(loss, number) }
        case .string:
            guard let bytes = try leaf.string(at: index, in: space) else { return false }
            if bytes.count >= Self.paidBytes { try pay(for: bytes, in: leaf) }
            if let loss = sink.string(key, bytes) { note(loss, number) }
        case .binary:
            guard let blob = try leaf.binary(at: index, in: space) else { return false }
            try writeBlob(key, blob)
        case .timestamp:
            guard let value = try leaf.timestamp(at: index) else { return false }
            if let loss = sink.timestamp(key, value) { note(loss, number) }
        case .decimal128:
            guard let value = leaf.decimal(at: index) else { return false }
            if let loss = sink.decimal(key, value) { note(loss, number) }
        case .objectId:
            guard let bytes = leaf.objectIdBytes(at: index) else { return false }
            sink.objectId(key, bytes)
        case .uuid:
            guard let bytes = leaf.uuidBytes(at: index) else { return false }
            sink.uuid(key, bytes)
        case .mixed, .link, .embedded:
            throw FormatError(.badLeaf, at: leaf.ref.offset, "not a leaf of scalars")
        }
        return true
    }

    /// Writes a to-one embedded object, or null if it does not exist.
    @inline(never)
    mutating func writeEmbedded(
        _ target: ObjectKey, _ number: Int, _ owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        let position = fields[unchecked: number].target
        guard let place = try locator.place(ofNext: target, in: position) else {
            return writeLost(target, in: position, number, owner)
        }
        try writeEmbedded(fields[unchecked: number].key, place, target, position, depth: depth)
    }

    /// Writes a to-one link whose target does not exist. It becomes null; the canonical profile lists the link in the
    /// sidecar, otherwise the loss is counted.
    @inline(never)
    mutating func writeLost(_ target: ObjectKey, in position: TablePosition?, _ number: Int, _ owner: ObjectKey) {
        let key = fields[unchecked: number].key
        if isCanonical, let position {
            guard target.isUnresolved else { return writeDangling(key, target, number) }
            unresolved.append(UnresolvedLink(owner: owner, field: number, target: target, position: position))
        } else {
            note(target.isUnresolved ? .deletedTarget : .danglingLink, number)
        }
        if keepsNulls { sink.nullProperty(key) }
    }

    /// Writes an embedded object as a document.
    @inline(__always)
    mutating func writeEmbedded(
        _ key: ByteView, _ place: ObjectLocator.Place, _ object: ObjectKey, _ position: TablePosition, depth: Int
    ) throws(FormatError) {
        if depth >= (isTolerant ? Limits.damagedEmbeddingDepth : Limits.embeddingDepth) { try failTooDeep() }
        // Each object costs as many values as its class has properties, whether they are present or not.
        try budget.spend(tables[unchecked: position].fieldCount &+ 1, at: Ref(0))
        locator.retain(place)
        defer { locator.release(place) }
        let mark = sink.beginDocument(key)
        if isTolerant {
            try writeReadable(place, position, owner: object, depth: depth &+ 1)
        } else {
            try Sink.writeFields(&self, place, position, owner: object, depth: depth &+ 1)
        }
        if isCanonical { sink.objectKey(object) }
        sink.endDocument(mark)
    }

    // Errors are created in separate functions, to keep the stack frames of recursive functions small.

    @inline(never)
    func failTooDeep() throws(FormatError) {
        throw FormatError.tooDeep(isTolerant ? .damagedEmbedding : .embedding)
    }
}
