internal import RealmLayout
internal import RealmReader

extension DocumentWriter where Sink: ~Copyable {
    /// Writes the field with that number in the plan from `row` of its leaf, key included; in the mongo profile nothing
    /// for null.
    @inline(__always)
    mutating func write(
        _ number: Int, _ leaf: ColumnLeaf, _ row: Int, owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        let field = plan.fields[number]
        guard field.shape == .value else {
            return try writeCollection(number, leaf.collection(at: row), depth: depth)
        }
        switch field.form {
        case .int:
            sink.key(field.key)
            sink.int(leaf.int(at: row))
        case .nullableInt:
            guard let value = leaf.nullableInt(at: row) else { return writeNull(field) }
            sink.key(field.key)
            sink.int(value)
        case .bool:
            guard let value = leaf.bool(at: row) else { return writeNull(field) }
            sink.key(field.key)
            sink.bool(value)
        case .float:
            guard let bits = leaf.floatBits(at: row) else { return writeNull(field) }
            sink.key(field.key)
            sink.float(bits: bits)
        case .double:
            guard let bits = leaf.doubleBits(at: row) else { return writeNull(field) }
            sink.key(field.key)
            sink.double(bits: bits)
        case .string:
            guard let bytes = try leaf.string(at: row, in: plan.space) else { return writeNull(field) }
            sink.key(field.key)
            note(sink.string(bytes), number)
        case .binary:
            guard let blob = try leaf.binary(at: row, in: plan.space) else { return writeNull(field) }
            sink.key(field.key)
            try writeBlob(blob)
        case .timestamp:
            guard let value = try leaf.timestamp(at: row) else { return writeNull(field) }
            sink.key(field.key)
            note(sink.timestamp(value), number)
        case .decimal128:
            guard let value = leaf.decimal(at: row) else { return writeNull(field) }
            sink.key(field.key)
            sink.decimal(value)
        case .objectId:
            guard let bytes = leaf.fixedBytes(at: row, width: 12) else { return writeNull(field) }
            sink.key(field.key)
            sink.objectId(bytes)
        case .uuid:
            guard let bytes = leaf.fixedBytes(at: row, width: 16) else { return writeNull(field) }
            sink.key(field.key)
            sink.uuid(bytes)
        case .mixed:
            try writeMixedField(number, leaf.mixed(at: row, in: plan.space), owner, depth: depth)
        case .link:
            guard let key = leaf.link(at: row) else { return writeNull(field) }
            guard let identity = try identity(of: key, in: field.targetPosition) else {
                return writeLost(key, number, field, owner)
            }
            sink.key(field.key)
            try write(identity)
        case .embedded:
            guard let key = leaf.link(at: row) else { return writeNull(field) }
            guard let place = try locator.place(of: key, in: field.targetPosition) else {
                return writeLost(key, number, field, owner)
            }
            sink.key(field.key)
            try writeEmbedded(place, key, field.targetPosition, depth: depth)
        }
    }

    /// Writes null where nulls are kept.
    @inline(__always)
    private mutating func writeNull(_ field: FieldPlan) {
        guard plan.keepsNulls else { return }
        sink.key(field.key)
        sink.null()
    }

    /// Writes null for a link whose target is gone, and counts the loss.
    @inline(never)
    private mutating func writeLost(_ target: ObjectKey, _ number: Int, _ field: FieldPlan, _ owner: ObjectKey) {
        if plan.isCanonical, target.isUnresolved {
            unresolved.append(UnresolvedLink(owner: owner, field: number, target: target))
        } else {
            losses.count(target.isUnresolved ? .deletedTarget : .danglingLink, field: number)
        }
        writeNull(field)
    }

    /// Counts a loss, if there was one.
    @inline(__always)
    mutating func note(_ loss: LossKind?, _ number: Int) {
        if let loss { losses.count(loss, field: number) }
    }

    @inline(__always)
    mutating func writeBlob(_ blob: Blob) throws(FormatError) {
        guard let parts = blob.parts else { return sink.binary(blob.view) }
        ByteView.with(try plan.space.joinedBytes(ofPartsAt: parts)) { sink.binary($0) }
    }

    /// Writes one value without its key; null as null.
    @inline(__always)
    mutating func writeScalar(
        _ form: ValueForm, _ leaf: ColumnLeaf, _ index: Int, _ number: Int
    ) throws(FormatError) {
        switch form {
        case .int:
            return sink.int(leaf.int(at: index))
        case .nullableInt:
            if let value = leaf.nullableInt(at: index) { return sink.int(value) }
        case .bool:
            if let value = leaf.bool(at: index) { return sink.bool(value) }
        case .float:
            if let bits = leaf.floatBits(at: index) { return sink.float(bits: bits) }
        case .double:
            if let bits = leaf.doubleBits(at: index) { return sink.double(bits: bits) }
        case .string:
            if let bytes = try leaf.string(at: index, in: plan.space) { return note(sink.string(bytes), number) }
        case .binary:
            if let blob = try leaf.binary(at: index, in: plan.space) { return try writeBlob(blob) }
        case .timestamp:
            if let value = try leaf.timestamp(at: index) { return note(sink.timestamp(value), number) }
        case .decimal128:
            if let value = leaf.decimal(at: index) { return sink.decimal(value) }
        case .objectId:
            if let bytes = leaf.fixedBytes(at: index, width: 12) { return sink.objectId(bytes) }
        case .uuid:
            if let bytes = leaf.fixedBytes(at: index, width: 16) { return sink.uuid(bytes) }
        case .mixed, .link, .embedded:
            throw FormatError(.badLeaf, at: leaf.ref.offset, "not a leaf of plain values")
        }
        sink.null()
    }

    /// Writes an embedded object as a document; its key in the document of its owner must be written already.
    mutating func writeEmbedded(
        _ place: ObjectLocator.Place, _ key: ObjectKey, _ position: Int, depth: Int
    ) throws(FormatError) {
        guard depth < Limits.embeddingDepth else {
            throw FormatError(.tooDeep, "embedded objects are nested more than \(Limits.embeddingDepth) levels deep")
        }
        try budget.spend(1, at: Ref(0))
        locator.retain(place)
        defer { locator.release(place) }
        let table = plan.tables[position]
        let leaves = locator.leaves
        let mark = sink.beginDocument()
        for index in 0..<table.fieldCount {
            do {
                try write(table.firstField &+ index, leaves[place.firstLeaf &+ index], place.row, owner: key, depth: depth &+ 1)
            } catch {
                throw located(error, position, index, key)
            }
        }
        if plan.isCanonical { writeObjectKey(key) }
        sink.endDocument(mark)
    }
}
