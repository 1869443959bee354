internal import RealmCore
internal import RealmLayout

extension DocumentWriter where Sink: ~Copyable {
    /// Writes a list, set or dictionary. A collection without a root is empty.
    @inline(never)
    mutating func writeCollection(_ number: Int, _ root: Ref?, depth: Int) throws(FormatError) {
        let key = fields[unchecked: number].key
        switch fields[unchecked: number].collection {
        case nil, .list, .set:
            if isTolerant, let root { return try writeReadableElements(root, number, depth: depth) }
            let mark = sink.beginArray(key)
            if let root { try writeElements(root, number, depth: depth) }
            sink.endArray(mark)
        case .dictionary(let keys): try writeDictionary(key, root, keys, number, depth: depth)
        }
    }

    @inline(__always)
    private mutating func writeElements(_ root: Ref, _ number: Int, depth: Int) throws(FormatError) {
        // The usual leaves are read without opening a generic leaf.
        switch fields[unchecked: number].form {
        case .embedded:
            if let keys = try BPlusTree.singleLinks(at: root, in: space, &budget) {
                return try writeEmbeddedElements(keys, from: 0, number, depth: depth)
            }
        case .link:
            if let keys = try BPlusTree.singleLinks(at: root, in: space, &budget) {
                return try writeLinks(keys, from: 0, number)
            }
        case .string:
            if let strings = try BPlusTree.singleShortStrings(at: root, in: space, &budget) {
                return try writeStrings(strings, root, number)
            }
        default: break
        }
        try writeLeaves(root, number, depth: depth)
    }

    @inline(never)
    private mutating func writeLeaves(_ root: Ref, _ number: Int, depth: Int) throws(FormatError) {
        let tree = BPlusTree(root: root, of: fields[unchecked: number].elementType, in: space)
        if let leaf = try tree.singleLeaf(&budget) {
            try writeElements(leaf, from: 0, number, depth: depth)
            return
        }
        var start = 0
        for leaf in try tree.leaves(&budget) {
            try writeElements(leaf, from: start, number, depth: depth)
            start += leaf.count
        }
    }

    /// Writes the elements of a list or set of strings from a leaf of short strings.
    @inline(__always)
    private mutating func writeStrings(_ strings: ShortStrings, _ root: Ref, _ number: Int) throws(FormatError) {
        for index in 0..<strings.count {
            let key = elementKey(index)
            if let bytes = strings.plainString(at: index) {
                if let loss = sink.string(key, bytes) { note(loss, number) }
            } else {
                let type = fields[unchecked: number].elementType
                try writeElement(key, number, ColumnLeaf(at: root, as: type, in: space), index: index)
            }
        }
    }

    /// Writes the elements of a list or set of links from their object keys.
    @inline(never)
    private mutating func writeLinks(_ keys: IntegerVector, from start: Int, _ number: Int) throws(FormatError) {
        let target = fields[unchecked: number].target
        for index in 0..<keys.count {
            let key = ObjectKey(keys[unchecked: index])
            try writeLinkElement(elementKey(start &+ index), key == .null ? nil : key, number, target: target)
        }
    }

    /// Writes the elements of a list of embedded objects from their object keys.
    @inline(never)
    mutating func writeEmbeddedElements(
        _ keys: IntegerVector, from start: Int, _ number: Int, depth: Int
    ) throws(FormatError) {
        let target = fields[unchecked: number].target
        for index in 0..<keys.count {
            let object = ObjectKey(keys[unchecked: index])
            let key = elementKey(start &+ index)
            if object == .null {
                sink.null(key)
            } else if let place = try locator.place(ofNext: object, in: target) {
                try writeEmbedded(key, place, object, target, depth: depth)
            } else {
                writeDangling(key, object, number)
            }
        }
    }

    @inline(never)
    private mutating func writeElements(
        _ leaf: ColumnLeaf, from start: Int, _ number: Int, depth: Int
    ) throws(FormatError) {
        let count = leaf.count
        switch fields[unchecked: number].form {
        case .embedded:
            try writeEmbeddedElements(leaf.unbiasedLinks, from: start, number, depth: depth)
        case .link:
            try writeLinks(leaf.unbiasedLinks, from: start, number)
        case .mixed:
            for index in 0..<count {
                try writeMixed(elementKey(start &+ index), leaf, index, number: number, depth: depth)
            }
        default:
            for index in 0..<count { try writeElement(elementKey(start &+ index), number, leaf, index: index) }
        }
    }

    /// The bytes that an array element begins with.
    @inline(__always)
    mutating func elementKey(_ index: Int) -> ByteView {
        index < ExportPlan.preparedIndexes ? indexKeys[unchecked: index] : lateElementKey(index)
    }

    @inline(never)
    private mutating func lateElementKey(_ index: Int) -> ByteView {
        lateIndexKey.prepare(Sink.preparedIndex(index))
    }

    @inline(__always)
    mutating func writeLinkElement(
        _ key: ByteView, _ link: ObjectKey?, _ number: Int, target: TablePosition
    ) throws(FormatError) {
        guard let link else { return sink.null(key) }
        try writeElementIdentity(key, of: link, in: target, number)
    }

    /// Writes a dictionary as a document.
    @inline(never)
    mutating func writeDictionary(
        _ key: ByteView, _ root: Ref?, _ keyType: DictionaryKeyType, _ number: Int, depth: Int
    ) throws(FormatError) {
        let mark = sink.beginDocument(key)
        if let root {
            let tree = DictionaryTree(root: root, keyType: keyType, version: plan.version, in: space)
            if let run = try tree.shortRun(&budget) {
                for index in 0..<run.count {
                    if isTolerant {
                        try leavingOut(number) { writer throws(FormatError) in
                            try writer.writeEntry(run, index, number: number, depth: depth)
                        }
                    } else {
                        try writeEntry(run, index, number: number, depth: depth)
                    }
                }
            } else if let run = try tree.singleRun(&budget) {
                try write(run, number, depth: depth)
            } else {
                for run in try tree.runs(&budget) { try write(run, number, depth: depth) }
            }
        }
        sink.endDocument(mark)
    }

    /// Writes an entry of a dictionary.
    @inline(never)
    private mutating func writeEntry(
        _ run: DictionaryTree.ShortRun, _ index: Int, number: Int, depth: Int
    ) throws(FormatError) {
        let key: ByteView
        if let bytes = run.keys.plainString(at: index) {
            key = dictionaryKeys.prepared(bytes) ?? newEntryKey(bytes, number)
        } else {
            key = try entryKey(ColumnLeaf(at: run.keyRef, as: .string, in: space), index, number: number)
        }
        try write(key, run.values.value(at: index, in: space), number, depth: depth)
    }

    @inline(never)
    private mutating func write(_ run: DictionaryTree.Run, _ number: Int, depth: Int) throws(FormatError) {
        for index in 0..<run.count {
            if isTolerant {
                try leavingOut(number) { writer throws(FormatError) in
                    try writer.writeEntry(run, index, number: number, depth: depth)
                }
            } else {
                try writeEntry(run, index, number: number, depth: depth)
            }
        }
    }

    @inline(__always)
    private mutating func writeEntry(
        _ run: DictionaryTree.Run, _ index: Int, number: Int, depth: Int
    ) throws(FormatError) {
        let key = try entryKey(run.keys, run.keyStart &+ index, number: number)
        try writeMixed(key, run.values, run.valueStart &+ index, number: number, depth: depth)
    }

    /// The key of a dictionary entry, valid until the next call.
    @inline(never)
    private mutating func entryKey(_ keys: ColumnLeaf, _ index: Int, number: Int) throws(FormatError) -> ByteView {
        if keys.encoding == .integers {
            return ByteView.with(Array(String(keys.int(at: index)).utf8)) { newEntryKey($0, number) }
        }
        guard let key = try keys.string(at: index, in: space) else {
            throw FormatError(.badLeaf, at: keys.ref.offset, "entry \(index) of the dictionary has no key")
        }
        if let known = dictionaryKeys.prepared(key) { return known }
        if key.count >= Self.paidBytes { try pay(for: key, in: keys) }
        return newEntryKey(key, number)
    }

    /// Prepares a key that is not cached.
    @inline(never)
    private mutating func newEntryKey(_ key: ByteView, _ number: Int) -> ByteView {
        let prepared = sink.prepared(dictionaryKey: key)
        if let loss = prepared.loss { note(loss, number) } else { dictionaryKeys.note(key, prepared.key) }
        return prepared.key
    }
}
