/// Values by their keys: all that is asked of one is asked of its decoder.
protocol StoredKeyedContainer: KeyedDecodingContainerProtocol {
    var context: DecodingContext { get }
    /// What was asked last, between this container and its copies.
    var last: LastAnswer { get }

    /// The decoder of a value.
    ///
    /// - Throws: `keyNotFound` when there is none.
    func decoder(_ key: Key) throws -> StoredDecoder
}

extension StoredKeyedContainer {
    var codingPath: [any CodingKey] { context.path }

    func decodeNil(forKey key: Key) throws -> Bool {
        let decoder = try decoder(key)
        last.decoder = (key.stringValue, decoder)
        return decoder.decodeNil()
    }

    func decode<Item: Decodable>(_ type: Item.Type, forKey key: Key) throws -> Item {
        guard let (name, decoder) = last.decoder, name.hasBytes(of: key.stringValue) else {
            return try decoder(key).decode(type)
        }
        last.decoder = nil
        return try decoder.decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// What a keyed container was asked last: who decodes an optional asks whether it is there, then whether it is null, and then for the
/// value.
final class LastAnswer {
    /// The name of a property, and its index.
    var index: (name: String, index: Int)?
    /// The key of a value, and its decoder.
    var decoder: (key: String, decoder: StoredDecoder)?
}

/// The properties of an object by their names.
struct ObjectContainer<Key: CodingKey>: StoredKeyedContainer {
    private let object: StoredObject
    private let properties: [StoredProperty]
    private(set) var context: DecodingContext
    let last = LastAnswer()
    /// What stands for the object key.
    private let objectKeyName = "_key"

    init(_ object: StoredObject, _ context: DecodingContext) {
        self.object = object
        properties = object.table.schema.properties
        self.context = context
        self.context.owners.append(object)
    }

    var allKeys: [Key] { properties.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool {
        let name = name(key)
        return name == objectKeyName || index(name) != nil
    }

    func superDecoder() throws -> any Decoder { StoredDecoder(.object(object), context) }

    func decoder(_ key: Key) throws -> StoredDecoder { try StoredDecoder(try value(key), context.at(key)) }

    private func name(_ key: Key) -> String { context.rules.propertyNames[key.stringValue] ?? key.stringValue }

    private func index(_ name: String) -> Int? {
        if let found = last.index, found.name.hasBytes(of: name) { return found.index }
        guard let index = properties.firstIndex(named: name) else { return nil }
        last.index = (name, index)
        return index
    }

    private func value(_ key: Key) throws -> Value {
        let name = name(key)
        if let index = index(name) { return try object.value(at: index) }
        do {
            return try object[name]
        } catch  where error.code == .noSuchProperty {
            if name == objectKeyName { return .int(object.key.value) }
            throw DecodingError.keyNotFound(key, .init(codingPath: context.path, debugDescription: error.description))
        }
    }
}

/// The entries of a dictionary by their keys.
struct DictionaryContainer<Key: CodingKey>: StoredKeyedContainer {
    private let entries: [String: Value]
    let context: DecodingContext
    let last = LastAnswer()

    init(_ entries: [DictionaryEntry], _ context: DecodingContext) {
        self.context = context
        self.entries = Dictionary(entries.map { ($0.key.description, $0.value) }) { first, _ in first }
    }

    var allKeys: [Key] { entries.keys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { entries[key.stringValue] != nil }

    func superDecoder() throws -> any Decoder { throw context.mismatch(Any.self, .null) }

    func decoder(_ key: Key) throws -> StoredDecoder {
        guard let value = entries[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, .init(codingPath: context.path, debugDescription: "the dictionary has no such key"))
        }
        return try StoredDecoder(value, context.at(key))
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
        let item = try decoder().decode(type)
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

    private func decoder() throws -> StoredDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                Any.self,
                .init(codingPath: context.path, debugDescription: "there are no more than \(values.count) elements"))
        }
        return try StoredDecoder(values[currentIndex], context.at(IndexKey(currentIndex)))
    }
}
