internal import RealmCore
internal import RealmLayout
internal import RealmStorage

extension ContentWriter {
    /// Appends a list, set or dictionary. A collection without a root is empty.
    @inline(never)
    mutating func writeCollection(_ field: OpenField, _ root: Ref?, depth: Int) throws(FormatError) {
        let depth = try inside(depth, at: root)
        switch field.collection {
        case nil, .list: try writeElements(.list, field, root, depth: depth)
        case .set: try writeElements(.set, field, root, depth: depth)
        case .dictionary(let keys): try writeDictionary(root, keys, depth: depth)
        }
    }

    private mutating func writeElements(
        _ tag: ContentTag, _ field: OpenField, _ root: Ref?, depth: Int
    ) throws(FormatError) {
        append(tag)
        let countStart = bytes.count
        bytes.append(0 as UInt64)
        guard let root else { return }
        var count = 0
        var starts: [Int] = []
        let tree = BPlusTree(root: root, of: field.elementType, in: space)
        if let leaf = try tree.singleLeaf(&budget) {
            try writeElements(of: leaf, field, depth: depth, &starts, keepsStarts: tag == .set)
            count = leaf.count
        } else {
            for leaf in try tree.leaves(&budget) {
                try writeElements(of: leaf, field, depth: depth, &starts, keepsStarts: tag == .set)
                count += leaf.count
            }
        }
        bytes.patch(UInt64(count), at: countStart)
        bytes.sortPieces(starts)
    }

    @inline(__always)
    private mutating func writeElements(
        of leaf: ColumnLeaf, _ field: OpenField, depth: Int, _ starts: inout [Int], keepsStarts: Bool
    ) throws(FormatError) {
        for index in 0..<leaf.count {
            if keepsStarts { starts.append(bytes.count) }
            switch field.form {
            case .link:
                guard let key = leaf.link(at: index), let target = field.target else {
                    append(.null)
                    continue
                }
                try writeLink(to: key, in: target, depth: depth)
            case .mixed: try writeMixed(leaf, index, depth: depth)
            default: try writeScalar(field.form, leaf, index)
            }
            try checkSize(leaf.ref)
        }
    }

    /// Appends a dictionary. Its values are Mixed, whatever the column's type.
    mutating func writeDictionary(
        _ root: Ref?, _ keyType: DictionaryKeyType, depth: Int
    ) throws(FormatError) {
        append(.dictionary)
        let countStart = bytes.count
        bytes.append(0 as UInt64)
        guard let root else { return }
        var starts: [Int] = []
        let tree = DictionaryTree(root: root, keyType: keyType, version: plan.snapshot.version, in: space)
        if let run = try tree.singleRun(&budget) {
            try writeEntries(run, depth: depth, &starts)
        } else {
            for run in try tree.runs(&budget) { try writeEntries(run, depth: depth, &starts) }
        }
        bytes.patch(UInt64(starts.count), at: countStart)
        bytes.sortPieces(starts)
    }

    private mutating func writeEntries(
        _ run: DictionaryTree.Run, depth: Int, _ starts: inout [Int]
    ) throws(FormatError) {
        for index in 0..<run.count {
            starts.append(bytes.count)
            if run.keys.encoding == .integers {
                append(.int, run.keys.int(at: run.keyStart &+ index))
            } else if let key = try run.keys.string(at: run.keyStart &+ index, in: space) {
                try pay(for: key, at: run.keys.ref)
                append(.string, counted: key)
            } else {
                throw FormatError(.badLeaf, at: run.keys.ref.offset, "entry \(index) of the dictionary has no key")
            }
            try writeMixed(run.values, run.valueStart &+ index, depth: depth)
            try checkSize(run.keys.ref)
        }
    }

    /// Limits what a hostile file can make of one object to the size of a document, 2 GiB.
    @inline(__always)
    func checkSize(_ ref: Ref) throws(FormatError) {
        if bytes.count > Int(Int32.max) { throw Self.tooLarge(ref) }
    }

    @inline(never)
    private static func tooLarge(_ ref: Ref) -> FormatError {
        FormatError(.badValue, at: ref.offset, "an object of more than 2 GiB")
    }
}
