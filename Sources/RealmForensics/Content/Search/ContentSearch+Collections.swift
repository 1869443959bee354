internal import RealmCore
internal import RealmLayout

// Matches in collections.
extension ContentSearch {
    /// Whether a collection of a property holds a match.
    mutating func hasMatch(inCollection root: Ref, _ field: SearchField) throws(FormatError) -> Bool {
        depth &+= 1
        defer { depth &-= 1 }
        let searchesValues = pattern.canMatch(field.kind)
        return switch field.collection {
        case nil, .list, .set: try hasMatch(inTree: root, field.column.elementType, field.kind)
        case .dictionary(let keyType): try hasMatch(inDictionary: root, keyType, searchesValues: searchesValues)
        }
    }

    /// Whether a list or set holds a match.
    mutating func hasMatch(inTree root: Ref, _ type: LeafType, _ kind: ScalarKind) throws(FormatError) -> Bool {
        let tree = BPlusTree(root: root, of: type, in: space)
        if let leaf = try tree.singleLeaf(&budget) { return try hasMatch(in: leaf, kind, 0..<leaf.count) }
        var isFound = false
        for leaf in try tree.leaves(&budget) where try hasMatch(in: leaf, kind, 0..<leaf.count) { isFound = true }
        return isFound
    }

    /// Whether a key or a value of a dictionary matches.
    mutating func hasMatch(
        inDictionary root: Ref, _ keyType: DictionaryKeyType, searchesValues: Bool
    ) throws(FormatError) -> Bool {
        let tree = DictionaryTree(root: root, keyType: keyType, version: snapshot.version, in: space)
        if let run = try tree.singleRun(&budget) { return try hasMatch(in: run, keyType, searchesValues) }
        var isFound = false
        for run in try tree.runs(&budget) where try hasMatch(in: run, keyType, searchesValues) { isFound = true }
        return isFound
    }

    private mutating func hasMatch(
        in run: DictionaryTree.Run, _ keyType: DictionaryKeyType, _ searchesValues: Bool
    ) throws(FormatError) -> Bool {
        var isFound = false
        if pattern.canMatch(keyType.kind) {
            isFound = try hasMatch(in: run.keys, keyType.kind, run.keyStart..<(run.keyStart &+ run.count))
        }
        guard searchesValues else { return isFound }
        return try hasMatch(in: run.values, .mixed, run.valueStart..<(run.valueStart &+ run.count)) || isFound
    }

    /// Enters a collection in a Mixed value.
    ///
    /// - Throws: `tooDeep`, and the errors of `body`.
    mutating func nested<R>(
        _ root: Ref, _ body: (inout ContentSearch) throws(FormatError) -> R
    ) throws(FormatError) -> R {
        guard depth < Limits.nestingDepth else {
            throw FormatError(
                .tooDeep, at: root.offset, "collections are nested more than \(Limits.nestingDepth) levels deep")
        }
        depth &+= 1
        defer { depth &-= 1 }
        return try body(&self)
    }
}

extension DictionaryKeyType {
    /// The kind of the keys.
    var kind: ScalarKind { self == .int ? .int : .string }
}
