internal import RealmLayout
internal import RealmReader

extension DocumentWriter where Sink: ~Copyable {
    /// Writes the field with that number in the plan from `row` of the leaf at `leaf`; in the mongo profile nothing for
    /// null. Values of plain types are written here, everything else in functions of its own, so that this one stays
    /// small enough for the loops that it is in.
    @inline(__always)
    mutating func write(
        _ number: Int, _ leaves: SlabView<ColumnLeaf>, _ leaf: Int, _ row: Int, owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        let key = fields[unchecked: number].key
        switch fields[unchecked: number].step {
        case .int:
            return sink.int(key, leaves[unchecked: leaf].int(at: row))
        case .nullableInt:
            if let value = leaves[unchecked: leaf].nullableInt(at: row) { return sink.int(key, value) }
        case .bool:
            if let value = leaves[unchecked: leaf].bool(at: row) { return sink.bool(key, value) }
        case .double:
            if let bits = leaves[unchecked: leaf].doubleBits(at: row) { return sink.double(key, bits: bits) }
        case .string:
            if let bytes = try leaves[unchecked: leaf].string(at: row, in: space) {
                if bytes.count >= Self.paidBytes { try pay(for: bytes, in: leaves[unchecked: leaf]) }
                if let loss = sink.string(key, bytes) { note(loss, number) }
                return
            }
        case .timestamp:
            if let value = try leaves[unchecked: leaf].timestamp(at: row) {
                if let loss = sink.timestamp(key, value) { note(loss, number) }
                return
            }
        case .decimal128:
            if let value = leaves[unchecked: leaf].decimal(at: row) { return sink.decimal(key, value) }
        case .objectId:
            if let bytes = leaves[unchecked: leaf].fixedBytes(at: row, width: 12) { return sink.objectId(key, bytes) }
        case .uuid:
            if let bytes = leaves[unchecked: leaf].fixedBytes(at: row, width: 16) { return sink.uuid(key, bytes) }
        case .float:
            if let bits = leaves[unchecked: leaf].floatBits(at: row) { return sink.float(key, bits: bits) }
        case .binary:
            if let blob = try leaves[unchecked: leaf].binary(at: row, in: space) { return try writeBlob(key, blob) }
        case .link:
            if let target = leaves[unchecked: leaf].link(at: row) { return try writeLink(target, number, owner) }
        case .embedded:
            if let target = leaves[unchecked: leaf].link(at: row) {
                return try writeEmbedded(target, number, owner, depth: depth)
            }
        case .mixed:
            return try writeMixedField(number, leaves[unchecked: leaf].mixed(at: row, in: space), owner, depth: depth)
        case .collection:
            return try writeCollection(number, leaves[unchecked: leaf].collection(at: row), depth: depth)
        }
        if plan.keepsNulls { sink.null(key) }
    }

    /// Counts a loss.
    @inline(never)
    mutating func note(_ loss: LossKind, _ number: Int) { losses.count(loss, field: number) }

    /// Strings and binaries from this size on may be nodes of their own, which a hostile file can name many times.
    static var paidBytes: Int { 64 }

    /// Pays for a long value, which an intact file has only once; but the distinct strings of an enumerated column are
    /// there to be named often.
    @inline(never)
    mutating func pay(for bytes: ByteView, in leaf: ColumnLeaf) throws(FormatError) {
        guard !leaf.isEnumerated else { return try pay(forRepeated: bytes.count, at: leaf.ref) }
        try budget.spend(bytes: bytes.count, at: leaf.ref)
    }

    /// Pays for a long value that an intact file may name often: a distinct string of an enumerated column, or a primary
    /// key that links become. All of these together may take a thousand times the bytes of the file, which no database
    /// comes near; without a limit, a file of a megabyte could ask for documents of terabytes.
    @inline(never)
    mutating func pay(forRepeated bytes: Int, at ref: Ref) throws(FormatError) {
        do { try repeats.spend(bytes: bytes, at: ref) } catch {
            throw FormatError(
                .sharedNodes, at: ref.offset,
                "long strings that many values share take a thousand times the file's size")
        }
    }

    /// Times two, as budgets of bytes are.
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

    /// Writes one value of a plain type under `key`; null as null. What is lost of a primary key is counted where it is a
    /// property, not in the copies that identify its object.
    @inline(__always)
    mutating func writeScalar(
        _ key: ByteView, _ number: Int, _ leaves: SlabView<ColumnLeaf>, _ leaf: Int, _ row: Int, countsLoss: Bool
    ) throws(FormatError) {
        switch fields[unchecked: number].form {
        case .int:
            return sink.int(key, leaves[unchecked: leaf].int(at: row))
        case .string:
            if let bytes = try leaves[unchecked: leaf].string(at: row, in: space) {
                if bytes.count >= Self.paidBytes {
                    try pay(forRepeated: bytes.count, at: leaves[unchecked: leaf].ref)
                }
                if let loss = sink.string(key, bytes), countsLoss { note(loss, number) }
                return
            }
        case .objectId:
            if let bytes = leaves[unchecked: leaf].fixedBytes(at: row, width: 12) { return sink.objectId(key, bytes) }
        default:
            return try writeElement(key, number, leaves[unchecked: leaf], row)
        }
        sink.null(key)
    }

    /// The same for every plain type and any leaf.
    @inline(never)
    mutating func writeElement(
        _ key: ByteView, _ number: Int, _ leaf: ColumnLeaf, _ index: Int
    ) throws(FormatError) {
        switch fields[unchecked: number].form {
        case .int:
            return sink.int(key, leaf.int(at: index))
        case .nullableInt:
            if let value = leaf.nullableInt(at: index) { return sink.int(key, value) }
        case .bool:
            if let value = leaf.bool(at: index) { return sink.bool(key, value) }
        case .float:
            if let bits = leaf.floatBits(at: index) { return sink.float(key, bits: bits) }
        case .double:
            if let bits = leaf.doubleBits(at: index) { return sink.double(key, bits: bits) }
        case .string:
            if let bytes = try leaf.string(at: index, in: space) {
                if bytes.count >= Self.paidBytes { try pay(for: bytes, in: leaf) }
                if let loss = sink.string(key, bytes) { note(loss, number) }
                return
            }
        case .binary:
            if let blob = try leaf.binary(at: index, in: space) { return try writeBlob(key, blob) }
        case .timestamp:
            if let value = try leaf.timestamp(at: index) {
                if let loss = sink.timestamp(key, value) { note(loss, number) }
                return
            }
        case .decimal128:
            if let value = leaf.decimal(at: index) { return sink.decimal(key, value) }
        case .objectId:
            if let bytes = leaf.fixedBytes(at: index, width: 12) { return sink.objectId(key, bytes) }
        case .uuid:
            if let bytes = leaf.fixedBytes(at: index, width: 16) { return sink.uuid(key, bytes) }
        case .mixed, .link, .embedded, .collection:
            throw FormatError(.badLeaf, at: leaf.ref.offset, "not a leaf of plain values")
        }
        sink.null(key)
    }

    /// Writes a to-one embedded object, or null when it is not there.
    @inline(never)
    private mutating func writeEmbedded(
        _ target: ObjectKey, _ number: Int, _ owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        let position = fields[unchecked: number].targetPosition
        guard let place = try locator.place(of: target, in: position) else {
            return writeLost(target, in: position, number, owner)
        }
        try writeEmbedded(fields[unchecked: number].key, place, target, position, depth: depth)
    }

    /// Writes a to-one link whose target is gone: null where the canonical profile lists the link in the sidecar, or the
    /// loss is counted.
    @inline(never)
    mutating func writeLost(_ target: ObjectKey, in position: Int?, _ number: Int, _ owner: ObjectKey) {
        let key = fields[unchecked: number].key
        if plan.isCanonical, let position {
            guard target.isUnresolved else { return sink.wrappedLink(key, target) }
            unresolved.append(UnresolvedLink(owner: owner, field: number, target: target, position: position))
        } else {
            note(target.isUnresolved ? .deletedTarget : .danglingLink, number)
        }
        if plan.keepsNulls { sink.null(key) }
    }

    /// Writes an embedded object as a document.
    mutating func writeEmbedded(
        _ key: ByteView, _ place: ObjectLocator.Place, _ object: ObjectKey, _ position: Int, depth: Int
    ) throws(FormatError) {
        guard depth < Limits.embeddingDepth else {
            throw FormatError(.tooDeep, "embedded objects are nested more than \(Limits.embeddingDepth) levels deep")
        }
        // An object has as many values as its class has properties, whoever they belong to.
        try budget.spend(tables[unchecked: position].fieldCount &+ 1, at: Ref(0))
        locator.retain(place)
        defer { locator.release(place) }
        let mark = sink.beginDocument(key)
        try writeFields(
            position, locator.leafView, place.firstLeaf, place.row, owner: object, skipping: -1, depth: depth &+ 1)
        if plan.isCanonical { sink.objectKey(object) }
        sink.endDocument(mark)
    }
}
