internal import RealmCore
internal import RealmLayout

/// Compares values of two snapshots and finds where they differ inside collections.
struct ValueComparison {
    let identity: ContentIdentity

    /// Describes the difference between two values.
    ///
    /// - Parameter name: The property.
    func change(
        from first: Value, to second: Value, of name: String
    ) throws(FormatError) -> ObjectDifference.Change {
        let found = try change(first, second, name, depth: 0)
        return ObjectDifference.Change(property: name, path: found.path, first: found.first, second: found.second)
    }

    /// A place that differs, with the abbreviated values found there.
    private struct Change {
        let path: String
        let first: String
        let second: String
    }

    private func change(
        _ first: Value, _ second: Value, _ path: String, depth: Int
    ) throws(FormatError) -> Change {
        switch (first, second) {
        case (.list(let left), .list(let right)):
            for index in 0..<min(left.count, right.count) where try !isSame(left[index], right[index], depth: depth) {
                return try change(left[index], right[index], "\(path)[\(index)]", depth: depth + 1)
            }
            guard left.count != right.count, !left.isEmpty, !right.isEmpty else { break }
            let index = min(left.count, right.count)
            return Change(path: path, first: rest(of: left, from: index), second: rest(of: right, from: index))
        case (.set(let left), .set(let right)):
            return Change(
                path: path, first: ValueText.some(try elements(of: left, notIn: right, depth), of: left.count),
                second: ValueText.some(try elements(of: right, notIn: left, depth), of: right.count))
        case (.dictionary(let left), .dictionary(let right)):
            if let change = try change(left, right, path, depth: depth) { return change }
        case (.embedded(let left), .embedded(let right)) where identity == .primaryKey:
            if let change = try change(left, right, path, depth: depth) { return change }
        default: break
        }
        let texts = ValueText.pair(first, second)
        return Change(path: path, first: texts.first, second: texts.second)
    }

    /// Describes a list whose elements before `index` equal those of the other list.
    private func rest(of values: [Value], from index: Int) -> String {
        let count = "\(values.count) \(values.count == 1 ? "element" : "elements")"
        guard index < values.count else { return count }
        return "\(count), from [\(index)] on \(ValueText.short(.list(Array(values[index...]))))"
    }

    private func change(
        _ left: [DictionaryEntry], _ right: [DictionaryEntry], _ path: String, depth: Int
    ) throws(FormatError) -> Change? {
        let (first, second) = (DictionaryEntry.byKey(left), DictionaryEntry.byKey(right))
        func place(_ key: Value) -> String { "\(path)[\(key.dictionaryText)]" }
        for (key, value) in DictionaryEntry.inOrder(first) {
            let path = place(key)
            guard let other = second[key] else {
                return Change(path: path, first: ValueText.short(value), second: "no entry")
            }
            if try !isSame(value, other, depth: depth) { return try change(value, other, path, depth: depth + 1) }
        }
        for (key, value) in DictionaryEntry.inOrder(second) where first[key] == nil {
            return Change(path: place(key), first: "no entry", second: ValueText.short(value))
        }
        return nil
    }

    private func change(
        _ left: StoredObject, _ right: StoredObject, _ path: String, depth: Int
    ) throws(FormatError) -> Change? {
        guard depth < Limits.documentDepth else { return nil }
        let others = Dictionary(
            right.table.schema.properties.enumerated().map { ($0.element.name, $0.offset) }
        ) { first, _ in first }
        for (index, property) in left.table.schema.properties.enumerated() {
            guard let other = others[property.name] else { continue }
            let (value, otherValue) = (try left.value(at: index), try right.value(at: other))
            guard try !isSame(value, otherValue, depth: depth) else { continue }
            return try change(value, otherValue, "\(path).\(property.name)", depth: depth + 1)
        }
        return nil
    }

    /// Returns the elements of a set that another set lacks.
    private func elements(of set: [Value], notIn other: [Value], _ depth: Int) throws(FormatError) -> [Value] {
        let candidates = Dictionary(grouping: other) { Self.group(of: $0) }
        var missing: [Value] = []
        for value in set {
            var isThere = false
            for candidate in candidates[Self.group(of: value)] ?? []
            where try isSame(value, candidate, depth: depth) {
                isThere = true
                break
            }
            if !isThere { missing.append(value) }
        }
        return missing
    }

    /// Returns a grouping key that is equal for equal values, so that only few pairs need comparing.
    private static func group(of value: Value) -> String {
        switch value {
        case .link(let link): link.table.schema.tableName
        case .embedded(let object): object.table.schema.tableName
        default: ValueText.short(value)
        }
    }

    /// Whether two values have the same content.
    private func isSame(_ first: Value, _ second: Value, depth: Int) throws(FormatError) -> Bool {
        try Nesting.values.check(level: depth + 1)
        switch (first, second) {
        case (.link(let left), .link(let right)): return try isSame(left, right)
        case (.embedded(let left), .embedded(let right)): return try isSame(left, right, depth: depth)
        case (.list(let left), .list(let right)):
            guard left.count == right.count else { return false }
            for index in left.indices where try !isSame(left[index], right[index], depth: depth + 1) { return false }
            return true
        case (.set(let left), .set(let right)):
            guard left.count == right.count else { return false }
            return try elements(of: left, notIn: right, depth + 1).isEmpty
        case (.dictionary(let left), .dictionary(let right)):
            guard left.count == right.count else { return false }
            return try change(left, right, "", depth: depth + 1) == nil
        default: return first == second
        }
    }

    private func isSame(_ left: Link, _ right: Link) throws(FormatError) -> Bool {
        guard left.table.schema.tableName == right.table.schema.tableName,
            left.isUnresolved == right.isUnresolved
        else { return false }
        if identity == .primaryKey, let key = try left.primaryKey(), let other = try right.primaryKey() {
            return key == other
        }
        return left.objectKey == right.objectKey
    }

    private func isSame(_ left: StoredObject, _ right: StoredObject, depth: Int) throws(FormatError) -> Bool {
        guard left.table.schema.tableName == right.table.schema.tableName else { return false }
        if identity == .objectKey { return left.key == right.key }
        return try change(left, right, "", depth: depth + 1) == nil
    }
}

extension DictionaryEntry {
    fileprivate static func byKey(_ entries: [DictionaryEntry]) -> [Value: Value] {
        Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Orders entries by the bytes of their keys' text.
    fileprivate static func inOrder(_ entries: [Value: Value]) -> [(key: Value, value: Value)] {
        entries.map { (text: Array($0.key.dictionaryText.utf8), entry: $0) }
            .sorted { $0.text.lexicographicallyPrecedes($1.text) }.map(\.entry)
    }
}

extension Value {
    /// Text of a dictionary key.
    fileprivate var dictionaryText: String {
        switch self {
        case .string(let text): "\"\(text)\""
        case .malformedString(let bytes): "0x\(Hexadecimal.text(bytes))"
        case .int(let value): String(value)
        default: "?"
        }
    }
}
