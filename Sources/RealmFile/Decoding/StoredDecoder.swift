/// What decoders of the parts of one object share: the rules, and the way that led to the part.
struct DecodingContext {
    let rules: DecodingRules
    /// The way that led to the object or collection.
    private var outerPath: [any CodingKey] = []
    /// The key of the part in it: most parts are values, of which nobody asks for the whole way.
    private var lastKey: (any CodingKey)?
    /// The objects that this part is inside of.
    var owners: [StoredObject] = []
    /// How many links lead here.
    var depth = 0

    init(_ rules: DecodingRules) { self.rules = rules }

    /// The way that led to the part.
    var path: [any CodingKey] { lastKey.map { outerPath + [$0] } ?? outerPath }

    /// The context of a part of this one, which has parts: see `ofContainer`.
    func at(_ key: any CodingKey) -> DecodingContext {
        var copy = self
        copy.lastKey = key
        return copy
    }

    /// The same for a part that has parts itself.
    var ofContainer: DecodingContext {
        var copy = self
        (copy.outerPath, copy.lastKey) = (path, nil)
        return copy
    }

    /// The value as decoders see it: a link is what the rules say, and null where they end.
    func resolved(_ value: Value) throws -> Value {
        guard case .link(let link) = value else { return value }
        switch rules.links {
        case .keys: return try link.primaryKey() ?? .int(link.objectKey.value)
        case .objects(let most):
            guard depth < most, let object = try link.object(), !owners.contains(object) else { return .null }
            return .embedded(object)
        }
    }

    /// The elements of a collection, without those that nothing is left of.
    func elements(_ values: [Value]) throws -> [Value] {
        try values.compactMap { value in
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

/// Decodes one stored value, or one object.
struct StoredDecoder: Decoder, SingleValueDecodingContainer {
    enum Part {
        case object(StoredObject)
        case value(Value)
    }

    let part: Part
    let context: DecodingContext
    var codingPath: [any CodingKey] { context.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ part: Part, _ context: DecodingContext) {
        self.part = part
        self.context = context
    }

    /// Decodes what a value is, links as the rules say.
    init(_ value: Value, _ context: DecodingContext) throws {
        var context = context
        let resolved = try context.resolved(value)
        if case .link = value { context.depth += 1 }
        if case .embedded(let object) = resolved {
            self.init(.object(object), context)
        } else {
            self.init(.value(resolved), context)
        }
    }

    private var value: Value {
        switch part {
        case .object(let object): .embedded(object)
        case .value(let value): value
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        switch part {
        case .object(let object): return KeyedDecodingContainer(ObjectContainer(object, context.ofContainer))
        case .value(.dictionary(let entries)):
            return KeyedDecodingContainer(DictionaryContainer(entries, context.ofContainer))
        case .value(let value): throw context.mismatch([String: Any].self, value)
        }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch value {
        case .list(let values), .set(let values):
            return ListContainer(try context.elements(values), context.ofContainer)
        case .binary(let bytes): return ListContainer(bytes.map { .int(Int64($0)) }, context.ofContainer)
        default: throw context.mismatch([Any].self, value)
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool {
        if case .value(.null) = part { true } else { false }
    }

    func decode<Item: Decodable>(_ type: Item.Type) throws -> Item {
        if type == String.self, let text = String.ofModel(value) as? Item { return text }
        // What `Decodable` of the type would take apart in another way: dates, UUIDs, bytes.
        if let stored = type as? any LeafCodable.Type {
            guard let item = try stored.init(storedValue: value) as? Item else { throw context.mismatch(type, value) }
            return item
        }
        return try Item(from: self)
    }
}
