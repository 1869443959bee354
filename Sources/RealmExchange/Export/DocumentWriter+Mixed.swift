internal import RealmLayout
internal import RealmReader

extension DocumentWriter where Sink: ~Copyable {
    /// Writes a Mixed property with its key; a link to a deleted object is null here, as a to-one link is.
    mutating func writeMixedField(
        _ number: Int, _ value: MixedValue, _ owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        let field = plan.fields[number]
        if case .null = value {
            guard plan.keepsNulls else { return }
        } else if case .link(let table, let key) = value, key.isUnresolved || plan.snapshot.position(of: table) == nil {
            if plan.isCanonical, key.isUnresolved {
                unresolved.append(UnresolvedLink(owner: owner, field: number, target: key))
            } else {
                losses.count(key.isUnresolved ? .deletedTarget : .danglingLink, field: number)
            }
            guard plan.keepsNulls else { return }
            sink.key(field.key)
            return sink.null()
        }
        sink.key(field.key)
        try write(value, number, depth: depth)
    }

    /// Writes an element of a collection of Mixed values.
    @inline(__always)
    mutating func writeMixed(
        _ leaf: ColumnLeaf, _ index: Int, _ number: Int, depth: Int
    ) throws(FormatError) {
        try write(leaf.mixed(at: index, in: plan.space), number, depth: depth)
    }

    private mutating func write(_ value: MixedValue, _ number: Int, depth: Int) throws(FormatError) {
        switch value {
        case .null: sink.null()
        case .int(let value): sink.int(value)
        case .bool(let value): sink.bool(value)
        case .float(let bits):
            if plan.isCanonical { sink.wrappedFloat(bits: bits) } else { sink.float(bits: bits) }
        case .double(let bits): sink.double(bits: bits)
        case .string(let bytes): note(sink.string(bytes), number)
        case .binary(let bytes): sink.binary(bytes)
        case .timestamp(let value): note(sink.timestamp(value), number)
        case .decimal128(let value): sink.decimal(value)
        case .objectId(let bytes): sink.objectId(bytes)
        case .uuid(let bytes): sink.uuid(bytes)
        case .link(let table, let key): try writeLink(table, key, number, depth: depth)
        case .list(let root):
            try checkNesting(depth, root)
            let mark = sink.beginArray()
            if let root { try writeMixedElements(root, number, depth: depth &+ 1) }
            sink.endArray(mark)
        case .dictionary(let root):
            try checkNesting(depth, root)
            try writeDictionary(root, .string, number, depth: depth &+ 1)
        }
    }

    private func checkNesting(_ depth: Int, _ root: Ref?) throws(FormatError) {
        // Embedded objects around the value count too: the stack must hold both.
        guard depth < Limits.nestingDepth + Limits.embeddingDepth else {
            throw FormatError(.tooDeep, at: root?.offset, "collections are nested too deeply")
        }
    }

    private mutating func writeMixedElements(_ root: Ref, _ number: Int, depth: Int) throws(FormatError) {
        let tree = BPlusTree(root: root, of: .mixed, in: plan.space)
        var start = 0
        for leaf in try tree.leaves(&budget) {
            for index in 0..<leaf.count {
                sink.index(start + index)
                try writeMixed(leaf, index, number, depth: depth)
            }
            start += leaf.count
        }
    }

    /// Writes a typed link: in a dictionary of links as the column's type says, elsewhere as a DBRef.
    private mutating func writeLink(
        _ table: TableKey, _ key: ObjectKey, _ number: Int, depth: Int
    ) throws(FormatError) {
        let field = plan.fields[number]
        guard key != .null, let position = plan.snapshot.position(of: table) else {
            if key != .null { losses.count(.danglingLink, field: number) }
            return sink.null()
        }
        if field.form == .embedded, position == field.targetPosition {
            guard let place = try locator.place(of: key, in: position) else {
                losses.count(.danglingLink, field: number)
                return sink.null()
            }
            return try writeEmbedded(place, key, position, depth: depth)
        }
        guard let identity = try elementIdentity(of: key, in: position) else {
            losses.count(.danglingLink, field: number)
            return sink.null()
        }
        if field.hasPlainLinks { try write(identity) } else { try writeReference(identity, in: position) }
    }
}
