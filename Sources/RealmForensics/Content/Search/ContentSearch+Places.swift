internal import RealmCore
internal import RealmLayout
internal import RealmStorage

// The places of matches: the second pass over the rows that match.
extension ContentSearch {
    /// Reports the matches in a property of one object.
    mutating func report(
        _ leaf: ColumnLeaf, _ row: Int, _ field: SearchField, _ owner: OwnerPaths.Owner
    ) throws(FormatError) {
        let path = owner.path + field.name
        do throws(FormatError) {
            guard let collection = field.collection else { return try report(leaf, row, field.kind, owner, path) }
            guard let root = try leaf.collection(at: row) else { return }
            depth += 1
            defer { depth -= 1 }
            switch collection {
            case .list, .set:
                try reportElements(root, field.column.elementType, field.kind, owner, path)
            case .dictionary(let keyType): try reportEntries(root, keyType, owner, path)
            }
        } catch {
            try note(error)
        }
    }

    private mutating func reportElements(
        _ root: Ref, _ type: LeafType, _ kind: ScalarKind, _ owner: OwnerPaths.Owner, _ path: String
    ) throws(FormatError) {
        var start = 0
        for leaf in try BPlusTree(root: root, of: type, in: space).leaves(&budget) {
            var index = 0
            while !isStopped, let found = try nextMatch(in: leaf, kind, from: index, to: leaf.count) {
                try report(leaf, found, kind, owner, "\(path)[\(start + found)]")
                index = found + 1
            }
            start += leaf.count
        }
    }

    private mutating func reportEntries(
        _ root: Ref, _ keyType: DictionaryKeyType, _ owner: OwnerPaths.Owner, _ path: String
    ) throws(FormatError) {
        let tree = DictionaryTree(root: root, keyType: keyType, version: snapshot.version, in: space)
        for run in try tree.runs(&budget) {
            for entry in 0..<run.count where !isStopped {
                let (key, value) = (run.keyStart + entry, run.valueStart + entry)
                let place = "\(path)[\(try keyText(run.keys, key, keyType))]"
                if pattern.canMatch(keyType.kind),
                    try nextMatch(in: run.keys, keyType.kind, from: key, to: key + 1) != nil
                {
                    try report(run.keys, key, keyType.kind, owner, place, .key)
                }
                if !isStopped, try nextMatch(in: run.values, .mixed, from: value, to: value + 1) != nil {
                    try report(run.values, value, .mixed, owner, place)
                }
            }
        }
    }

    /// The bytes of a dictionary key in a path.
    private static var mostKeyBytes: Int { 160 }

    private func keyText(
        _ keys: ColumnLeaf, _ index: Int, _ type: DictionaryKeyType
    ) throws(FormatError) -> String {
        guard type == .string else { return String(keys.int(at: index)) }
        let key = Excerpt(try keys.string(at: index, in: space) ?? .empty, 0..<0, most: Self.mostKeyBytes)
        return "\"\(key.text)\""
    }

    /// Reports a value that matches, or the matches in it.
    private mutating func report(
        _ leaf: ColumnLeaf, _ index: Int, _ kind: ScalarKind, _ owner: OwnerPaths.Owner, _ path: String,
        _ part: SearchMatch.Part = .value
    ) throws(FormatError) {
        let place = SearchMatch.Place.object(owner.object, path: path, part: part)
        if kind == .binary, let bytes = try joinedBytes(of: leaf, index) {
            ByteView.with(bytes) { add(binary: $0, place, at: leaf.offset(of: index, in: space)) }
            return
        }
        switch try leaf.scalar(kind, at: index, in: space) {
        case .null, .link, .list(nil), .dictionary(nil): break
        case .string(let text):
            guard let found = pattern.text.firstMatch(in: text) else { return }
            add(place, .string, Excerpt(text, found, most: scope.mostBytes), at: text.offset(in: space.bytes))
        case .binary(let bytes): add(binary: bytes, place, at: bytes.offset(in: space.bytes))
        case .list(let root?):
            try nested(root) { search throws(FormatError) in
                try search.reportElements(root, .mixed, .mixed, owner, path)
            }
        case .dictionary(let root?):
            try nested(root) { search throws(FormatError) in
                try search.reportEntries(root, .string, owner, path)
            }
        case let value:
            guard let found = textMatch(value) else { return }
            let excerpt = Excerpt(text.view, found, most: .max, isText: false)
            add(place, value.kind.type, excerpt, at: leaf.offset(of: index, in: space))
        }
    }

    private mutating func add(binary bytes: ByteView, _ place: SearchMatch.Place, at offset: Int?) {
        switch binaryMatch(bytes) {
        case nil: break
        case .text(let found):
            add(place, .binary, Excerpt(textIn: bytes, around: found, most: scope.mostBytes, isValue: true), at: offset)
        case .digits(let found):
            add(place, .binary, Excerpt(digitsOf: bytes, found, most: scope.mostBytes), at: offset)
        }
    }

    mutating func add(_ place: SearchMatch.Place, _ type: StoredPropertyType?, _ excerpt: Excerpt, at offset: Int?) {
        guard !isStopped else { return }
        let match = SearchMatch(
            place: place, type: type, text: excerpt.text, isText: excerpt.isText, isPart: excerpt.isPart,
            offset: offset)
        isStopped = !sink.add(match)
    }

    /// Searches the names of classes and properties.
    mutating func searchNames() {
        let tables = scope.tables.map { Set($0) }
        for position in snapshot.cores.indices {
            let schema = snapshot.cores[position].schema
            guard tables?.contains(position) ?? (scope.includesSystemTables || schema.isClass) else { continue }
            searchName(schema.name, .className)
            for property in schema.properties { searchName(property.name, .propertyName(ofClass: schema.name)) }
        }
    }

    private mutating func searchName(_ name: String, _ place: SearchMatch.Place) {
        ByteView.with(Array(name.utf8)) { view in
            guard let found = pattern.text.firstMatch(in: view) else { return }
            add(place, nil, Excerpt(view, found, most: scope.mostBytes), at: nil)
        }
    }
}

extension ScalarKind {
    /// The type of the values, as in schemas.
    fileprivate var type: StoredPropertyType {
        switch self {
        case .int, .nullableInt: .int
        case .bool: .bool
        case .float: .float
        case .double: .double
        case .string: .string
        case .binary: .binary
        case .timestamp: .timestamp
        case .decimal128: .decimal128
        case .objectId: .objectId
        case .uuid: .uuid
        case .mixed: .mixed
        case .link, .embedded: .link
        }
    }
}
