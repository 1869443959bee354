/// The entries of a dictionary by their keys.
struct DictionaryContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let entries: [String: Value]
    private let context: DecodingContext

    init(_ entries: [DictionaryEntry], _ context: DecodingContext) {
        self.context = context
        self.entries = Dictionary(entries.map { ($0.key.description, $0.value) }) { first, _ in first }
    }

    var codingPath: [any CodingKey] { context.path }
    var allKeys: [Key] { entries.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { entries[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

    func decode<Item: Decodable>(_ type: Item.Type, forKey key: Key) throws -> Item {
        if let value = entries[key.stringValue], let item = Item.quickly(value) { return item }
        return try decoder(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { throw context.mismatch(Any.self, .null) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> StoredDecoder {
        guard let value = entries[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: context.path, debugDescription: "the dictionary has no such key"))
        }
        return try StoredDecoder(value, key, in: context)
    }
}

/// The elements of a list or a set.
struct ListContainer: UnkeyedDecodingContainer {
    private let values: [Value]
    private let context: DecodingContext
    private(set) var currentIndex = 0

    init(_ values: [Value], _ context: DecodingContext) {
        self.values = values
        self.context = context
    }

    var codingPath: [any CodingKey] { context.path }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex >= values.count }

    mutating func decodeNil() throws -> Bool {
        guard try decoder().decodeNil() else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Item: Decodable>(_ type: Item.Type) throws -> Item {
        let item = try quickItem(type) ?? decoder().decode(type)
        currentIndex += 1
        return item
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        let container = try decoder().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try decoder().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try decoder()
        currentIndex += 1
        return decoder
    }

    private func quickItem<Item: Decodable>(_ type: Item.Type) -> Item? {
        isAtEnd ? nil : Item.quickly(values[currentIndex])
    }

    private func decoder() throws -> StoredDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self,
                .init(codingPath: context.path, debugDescription: "there are no more than \(values.count) elements"))
        }
        return try StoredDecoder(values[currentIndex], IndexKey(currentIndex), in: context)
    }
}
