internal import RealmLayout
internal import RealmReader

extension DocumentWriter where Sink: ~Copyable {
    /// Writes a list, set or dictionary with its key; one that was never used is empty.
    mutating func writeCollection(_ number: Int, _ root: Ref?, depth: Int) throws(FormatError) {
        let field = plan.fields[number]
        sink.key(field.key)
        switch field.shape {
        case .value, .list, .set:
            let mark = sink.beginArray()
            if let root { try writeElements(root, number, field, depth: depth) }
            sink.endArray(mark)
        case .stringDictionary:
            try writeDictionary(root, .string, number, depth: depth)
        case .intDictionary:
            try writeDictionary(root, .int, number, depth: depth)
        }
    }

    @inline(__always)
    private mutating func writeElements(
        _ root: Ref, _ number: Int, _ field: FieldPlan, depth: Int
    ) throws(FormatError) {
        let tree = BPlusTree(root: root, of: field.elementType, in: plan.space)
        if let leaf = try tree.singleLeaf(&budget) {
            try writeElements(leaf, from: 0, number, field, depth: depth)
            return
        }
        var start = 0
        for leaf in try tree.leaves(&budget) {
            try writeElements(leaf, from: start, number, field, depth: depth)
            start += leaf.count
        }
    }

    private mutating func writeElements(
        _ leaf: ColumnLeaf, from start: Int, _ number: Int, _ field: FieldPlan, depth: Int
    ) throws(FormatError) {
        switch field.form {
        case .link:
            for index in 0..<leaf.count {
                sink.index(start &+ index)
                try writeLinkElement(leaf.link(at: index), number, field.targetPosition)
            }
        case .embedded:
            for index in 0..<leaf.count {
                sink.index(start &+ index)
                try writeEmbeddedElement(leaf.link(at: index), number, field.targetPosition, depth: depth)
            }
        case .mixed:
            for index in 0..<leaf.count {
                sink.index(start &+ index)
                try writeMixed(leaf, index, number, depth: depth)
            }
        case .string:
            for index in 0..<leaf.count {
                sink.index(start &+ index)
                if let bytes = try leaf.string(at: index, in: plan.space) {
                    note(sink.string(bytes), number)
                } else {
                    sink.null()
                }
            }
        default:
            for index in 0..<leaf.count {
                sink.index(start &+ index)
                try writeScalar(field.form, leaf, index, number)
            }
        }
    }

    private mutating func writeLinkElement(
        _ key: ObjectKey?, _ number: Int, _ target: Int
    ) throws(FormatError) {
        guard let key else { return sink.null() }
        guard let identity = try elementIdentity(of: key, in: target) else {
            losses.count(.danglingLink, field: number)
            return sink.null()
        }
        try write(identity)
    }

    private mutating func writeEmbeddedElement(
        _ key: ObjectKey?, _ number: Int, _ target: Int, depth: Int
    ) throws(FormatError) {
        guard let key else { return sink.null() }
        guard let place = try locator.place(of: key, in: target) else {
            losses.count(.danglingLink, field: number)
            return sink.null()
        }
        try writeEmbedded(place, key, target, depth: depth)
    }

    /// Writes a dictionary as a document.
    mutating func writeDictionary(
        _ root: Ref?, _ keyType: DictionaryKeyType, _ number: Int, depth: Int
    ) throws(FormatError) {
        let mark = sink.beginDocument()
        if let root {
            let tree = DictionaryTree(root: root, keyType: keyType, version: plan.version, in: plan.space)
            if let run = try tree.singleRun(&budget) {
                try write(run, number, depth: depth)
            } else {
                for run in try tree.runs(&budget) { try write(run, number, depth: depth) }
            }
        }
        sink.endDocument(mark)
    }

    private mutating func write(_ run: DictionaryTree.Run, _ number: Int, depth: Int) throws(FormatError) {
        for index in 0..<run.count {
            try writeEntryKey(run.keys, run.keyStart &+ index, number)
            try writeMixed(run.values, run.valueStart &+ index, number, depth: depth)
        }
    }

    @inline(__always)
    private mutating func writeEntryKey(_ keys: ColumnLeaf, _ index: Int, _ number: Int) throws(FormatError) {
        if keys.encoding == .integers {
            return ByteView.with(Array(String(keys.int(at: index)).utf8)) { note(sink.key(dictionary: $0), number) }
        }
        guard let key = try keys.string(at: index, in: plan.space) else {
            throw FormatError(.badLeaf, at: keys.ref.offset, "entry \(index) of the dictionary has no key")
        }
        note(sink.key(dictionary: key), number)
    }
}
