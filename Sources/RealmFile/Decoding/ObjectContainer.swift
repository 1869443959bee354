/// The properties of an object by their names.
struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let object: StoredObject
    private let properties: [StoredProperty]
    private let context: DecodingContext

    init(_ object: StoredObject, _ context: DecodingContext) {
        self.object = object
        properties = object.table.schema.properties
        self.context = context
    }

    /// The coding key that stands for the object key.
    private static var objectKeyName: String { "_key" }

    var codingPath: [any CodingKey] { context.path }
    var allKeys: [Key] { properties.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { index(key) != nil || name(key) == Self.objectKeyName }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(try value(key), key).decodeNil() }

    // Types that are stored as they are. These overloads bypass their `Decodable` conformances.
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try leaf(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try leaf(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try leaf(key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try leaf(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try leaf(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try leaf(key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try leafIfPresent(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try leafIfPresent(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try leafIfPresent(key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try leafIfPresent(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try leafIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try leafIfPresent(key) }

    @inline(__always)
    private func leaf<Item: LeafCodable & Decodable>(_ key: Key) throws -> Item {
        let value = try value(key)
        if let item = try Item(storedValue: value) { return item }
        return try decoder(value, key).decode(Item.self)
    }

    @inline(__always)
    private func leafIfPresent<Item: LeafCodable & Decodable>(_ key: Key) throws -> Item? {
        guard let value = try valueIfPresent(key) else { return nil }
        if let item = try Item(storedValue: value) { return item }
        return try present(value, key)
    }

    func decode<Item: Decodable>(_ type: Item.Type, forKey key: Key) throws -> Item {
        let value = try value(key)
        if let item = Item.quickly(value) { return item }
        return try decoder(value, key).decode(type)
    }

    func decodeIfPresent<Item: Decodable>(_ type: Item.Type, forKey key: Key) throws -> Item? {
        guard let value = try valueIfPresent(key) else { return nil }
        if let item = Item.quickly(value) { return item }
        return try present(value, key)
    }

    /// Decodes a value that is not null itself. A link may still resolve to null.
    private func present<Item: Decodable>(_ value: Value, _ key: Key) throws -> Item? {
        let decoder = try decoder(value, key)
        return decoder.decodeNil() ? nil : try decoder.decode(Item.self)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(try value(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(try value(key), key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { StoredDecoder(object, context.rules) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(try value(key), key) }

    private func decoder(_ value: Value, _ key: Key) throws -> StoredDecoder {
        try StoredDecoder(value, key, in: context)
    }

    private func name(_ key: Key) -> String {
        let name = key.stringValue
        guard !context.rules.propertyNames.isEmpty else { return name }
        return context.rules.propertyNames[name] ?? name
    }

    private func index(_ key: Key) -> PropertyIndex? {
        let name = name(key)
        let next = context.nextIndex
        if properties.propertyIndexes.contains(next), properties[next].name.hasBytes(of: name) {
            context.nextIndex = next.next
            return next
        }
        guard let index = properties.propertyIndex(named: name) else { return nil }
        context.nextIndex = index.next
        return index
    }

    private func value(_ key: Key) throws -> Value {
        if let index = index(key) { return try object.value(of: index) }
        let name = name(key)
        if name == Self.objectKeyName { return .int(object.key.value) }
        do {
            return try object[name]
        } catch {
            throw DecodingError.keyNotFound(key, .init(codingPath: context.path, debugDescription: error.description))
        }
    }

    /// Returns nil for null, and if there is no such property.
    private func valueIfPresent(_ key: Key) throws -> Value? {
        guard let index = index(key) else {
            return name(key) == Self.objectKeyName ? .int(object.key.value) : nil
        }
        let value = try object.value(of: index)
        if case .null = value { return nil }
        return value
    }
}
