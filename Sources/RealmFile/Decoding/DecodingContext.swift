/// What decoders of the parts of one object share: the rules, and the way that led to the part.
///
/// A node for each container on the way, and none for a leaf: most values are read without one.
final class DecodingContext {
    let rules: DecodingRules
    private let parent: DecodingContext?
    /// The key of the part in its parent.
    private let key: (any CodingKey)?
    /// The object that the part is, if it is one.
    private let owner: StoredObject?
    /// How many links lead here.
    private let depth: Int
    /// The property that is probably asked for next: types mostly have them in the order of the class.
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

    /// The context of a part.
    ///
    /// - Parameters:
    ///   - owner: the object that it is, if it is one.
    ///   - isLinked: whether a link leads there.
    func at(_ key: any CodingKey, _ owner: StoredObject?, isLinked: Bool) -> DecodingContext {
        DecodingContext(self, key, owner, isLinked ? depth + 1 : depth)
    }

    /// The way that led to the part.
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

    /// The value as decoders see it: a link is what the rules say, and null where they end.
    func resolved(_ value: Value) throws -> Value {
        guard case .link(let link) = value else { return value }
        switch rules.links {
        case .keys: return try link.primaryKey() ?? .int(link.objectKey.value)
        case .objects(let most):
            guard depth < most, let object = try link.object(), !isInside(object) else { return .null }
            return .embedded(object)
        }
    }

    /// The elements of a collection, without those that nothing is left of.
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

/// A key of an index.
struct IndexKey: CodingKey {
    let intValue: Int?
    var stringValue: String { intValue.map { "Index \($0)" } ?? "" }

    init(_ index: Int) { intValue = index }
    init?(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
}
