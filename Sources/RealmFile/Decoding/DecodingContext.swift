/// State shared by the decoders for the parts of one object: the rules, and the path to the part.
///
/// There is a context for each container on the path, and none for a leaf: most values are read without one.
final class DecodingContext {
    let rules: DecodingRules
    private let parent: DecodingContext?
    /// The key of the part in its parent.
    private let key: (any CodingKey)?
    /// The object that this part is; nil for other parts.
    private let owner: StoredObject?
    /// The number of links on the path.
    private let depth: Int
    /// The property that is probably requested next: most types declare theirs in the order of the class.
    var nextIndex = PropertyIndex(0)

    init(_ rules: DecodingRules, _ owner: StoredObject) {
        self.rules = rules
        self.owner = owner
        (parent, key, depth) = (nil, nil, 0)
    }

    private init(_ parent: DecodingContext, _ key: any CodingKey, _ owner: StoredObject?, _ depth: Int) {
        rules = parent.rules
        (self.parent, self.key, self.owner, self.depth) = (parent, key, owner, depth)
    }

    /// Returns the context of a part.
    ///
    /// - Parameters:
    ///   - owner: the object that the part is; nil for other parts.
    ///   - isLinked: whether a link leads to it.
    func at(_ key: any CodingKey, _ owner: StoredObject?, isLinked: Bool) -> DecodingContext {
        DecodingContext(self, key, owner, isLinked ? depth + 1 : depth)
    }

    /// The coding path of the part.
    var path: [any CodingKey] {
        var path = key.map { [$0] } ?? []
        var next = parent
        while let context = next {
            if let key = context.key { path.append(key) }
            next = context.parent
        }
        return path.reversed()
    }

    private func isInside(_ object: StoredObject) -> Bool {
        var next: DecodingContext? = self
        while let context = next {
            if context.owner == object { return true }
            next = context.parent
        }
        return false
    }

    /// Returns the value as decoders see it: links are resolved by the rules, and null beyond their depth.
    func resolved(_ value: Value) throws -> Value {
        guard case .link(let link) = value else { return value }
        switch rules.links {
        case .keys: return try link.primaryKey() ?? .int(link.objectKey.value)
        case .objects(let most):
            guard depth < most, let object = try link.object(), !isInside(object) else { return .null }
            return .embedded(object)
        }
    }

    /// Returns the elements of a collection without the links that resolve to null.
    func elements(_ values: [Value]) throws -> [Value] {
        guard values.contains(where: { if case .link = $0 { true } else { false } }) else { return values }
        return try values.compactMap { value in
            let resolved = try resolved(value)
            if case .link = value, case .null = resolved { return nil }
            return value
        }
    }

    func mismatch(_ type: Any.Type, _ value: Value) -> DecodingError {
        let detail = "the stored value is \(value.debugDescription.prefix(80))"
        let context = DecodingError.Context(codingPath: path, debugDescription: detail)
        if case .null = value { return .valueNotFound(type, context) }
        return .typeMismatch(type, context)
    }
}

/// The coding key for an index.
struct IndexKey: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue.map { "Index \($0)" } ?? "" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
}
