internal import RealmCore
internal import RealmLayout

extension DocumentWriter where Sink: ~Copyable {
    /// Writes a Mixed property. As with to-one links, a link to a deleted object becomes null.
    @inline(never)
    mutating func writeMixedField(
        _ number: Int, _ value: MixedValue, _ owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        switch value {
        case .null:
            if keepsNulls { sink.nullProperty(fields[unchecked: number].key) }
        case .link(let table, let target) where target.isUnresolved || plan.snapshot.position(of: table) == nil:
            writeLost(target, in: plan.snapshot.position(of: table), number, owner)
        default:
            try write(fields[unchecked: number].key, value, number, depth: depth)
        }
    }

    /// Writes an element of a collection of Mixed values.
    @inline(__always)
    mutating func writeMixed(
        _ key: ByteView, _ leaf: ColumnLeaf, _ index: Int, number: Int, depth: Int
    ) throws(FormatError) {
        try write(key, leaf.mixed(at: index, in: space), number, depth: depth)
    }

    /// Writes a value of a Mixed or of a dictionary.
    @inline(never)
    mutating func write(
        _ key: ByteView, _ value: MixedValue, _ number: Int, depth: Int
    ) throws(FormatError) {
        if sink.changesType(ofMixed: value) { noteType(number) }
        switch value {
        case .null: sink.null(key)
        case .int(let value): sink.int(key, value)
        case .bool(let value): sink.bool(key, value)
        case .float(let bits):
            if isCanonical {
                sink.wrappedFloat(key, bits: bits)
            } else {
                noteType(number)
                if let loss = sink.float(key, bits: bits) { note(loss, number) }
            }
        case .double(let bits):
            if let loss = sink.double(key, bits: bits) { note(loss, number) }
        case .string(let bytes):
            try payMixed(for: bytes)
            if let loss = sink.string(key, bytes) { note(loss, number) }
        case .binary(let bytes):
            try payMixed(for: bytes)
            sink.binary(key, bytes)
        case .timestamp(let value):
            if let loss = sink.timestamp(key, value) { note(loss, number) }
        case .decimal128(let value):
            if let loss = sink.decimal(key, value) { note(loss, number) }
        case .objectId(let bytes): sink.objectId(key, bytes)
        case .uuid(let bytes): sink.uuid(key, bytes)
        case .link(let table, let target): try writeLink(key, table, target, number, depth: depth)
        case .list(let root):
            try checkNesting(depth, root)
            let mark = sink.beginArray(key)
            if let root { try writeMixedElements(root, number, depth: depth &+ 1) }
            sink.endArray(mark)
        case .dictionary(let root):
            try checkNesting(depth, root)
            try writeDictionary(key, root, .string, number, depth: depth &+ 1)
        }
    }

    /// Counts a value that will be read back as another type, unless the property determines the type.
    @inline(never)
    private mutating func noteType(_ number: Int) {
        if fields[unchecked: number].form == .mixed { note(.mixedType, number) }
    }

    /// In an intact file each Mixed value has its own bytes, but a hostile leaf can use the same ones for all its
    /// elements.
    @inline(__always)
    private mutating func payMixed(for bytes: ByteView) throws(FormatError) {
        if bytes.count >= Self.paidBytes { try budget.spend(bytes: bytes.count, at: Ref(0)) }
    }

    @inline(never)
    private func checkNesting(_ depth: Int, _ root: Ref?) throws(FormatError) {
        try Nesting.values.check(level: depth + 1, at: root)
    }

    @inline(never)
    private mutating func writeMixedElements(_ root: Ref, _ number: Int, depth: Int) throws(FormatError) {
        var start = 0
        for leaf in try BPlusTree(root: root, of: .mixed, in: space).leaves(&budget) {
            for index in 0..<leaf.count {
                // Elements may be collections themselves. Their keys are written before the next one is prepared.
                if isTolerant {
                    try writeReadableMixed(start + index, leaf, index: index, number: number, depth: depth)
                } else {
                    try writeMixed(elementKey(start + index), leaf, index, number: number, depth: depth)
                }
            }
            start += leaf.count
        }
    }

    @inline(never)
    private mutating func writeReadableMixed(
        _ position: Int, _ leaf: ColumnLeaf, index: Int, number: Int, depth: Int
    ) throws(FormatError) {
        _ = try writeElement(position, number: number, keepsPlace: true) { writer, key throws(FormatError) in
            try writer.writeMixed(key, leaf, index, number: number, depth: depth)
        }
    }

    /// Writes a typed link: according to the column's type in a dictionary of links, otherwise as a DBRef.
    @inline(never)
    private mutating func writeLink(
        _ key: ByteView, _ table: TableKey, _ target: ObjectKey, _ number: Int, depth: Int
    ) throws(FormatError) {
        guard target != .null, let position = plan.snapshot.position(of: table) else {
            if target != .null { note(.danglingLink, number) }
            return sink.null(key)
        }
        let field = fields[unchecked: number]
        if field.form == .embedded, position == field.target {
            guard let place = try locator.place(of: target, in: position) else {
                return writeDangling(key, target, number)
            }
            return try writeEmbedded(key, place, target, position, depth: depth)
        }
        if field.hasPlainLinks {
            try writeElementIdentity(key, of: target, in: position, number)
        } else {
            try writeReference(key, to: target, in: position, number)
        }
    }
}
