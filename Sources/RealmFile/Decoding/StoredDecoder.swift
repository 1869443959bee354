#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Decodes one stored value, or one object.
struct StoredDecoder: Decoder, SingleValueDecodingContainer {
    /// The value: links are resolved by the rules, and an object is held as an embedded one.
    let value: Value
    let context: DecodingContext
    var codingPath: [any CodingKey] { context.path }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ object: StoredObject, _ rules: DecodingRules) {
        value = .embedded(object)
        context = DecodingContext(rules, object)
    }

    /// Decodes a part of a container, with links resolved by the rules.
    init(_ value: Value, _ key: any CodingKey, in container: DecodingContext) throws {
        let resolved = try container.resolved(value)
        let isLinked = if case .link = value { true } else { false }
        let owner: StoredObject? = if case .embedded(let object) = resolved { object } else { nil }
        self.value = resolved
        context = container.at(key, owner, isLinked: isLinked)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        switch value {
        case .embedded(let object): KeyedDecodingContainer(ObjectContainer(object, context))
        case .dictionary(let entries): KeyedDecodingContainer(DictionaryContainer(entries, context))
        default: throw context.mismatch([String: Any].self, value)
        }
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch value {
        case .list(let values), .set(let values): ListContainer(try context.elements(values), context)
        case .binary(let bytes): ListContainer(bytes.map { .int(Int64($0)) }, context)
        default: throw context.mismatch([Any].self, value)
        }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool {
        if case .null = value { true } else { false }
    }

    func decode<Item: Decodable>(_ type: Item.Type) throws -> Item {
        if type == String.self, let text = String.ofModel(value) as? Item { return text }
        // Dates, UUIDs, bytes: their own `Decodable` would expect another form.
        if let stored = type as? any LeafCodable.Type {
            guard let item = try stored.init(storedValue: value) as? Item else { throw context.mismatch(type, value) }
            return item
        }
        return try Item(from: self)
    }
}

extension Decodable {
    /// Converts a value to this type without a decoder, if it is one of the most common types; returns nil for all
    /// others.
    @inline(__always)
    static func quickly(_ value: Value) -> Self? {
        switch value {
        case .string(let text): Self.self == String.self ? text as? Self : nil
        case .int(let number):
            if Self.self == Int.self {
                Int(exactly: number) as? Self
            } else {
                Self.self == Int64.self ? number as? Self : nil
            }
        case .bool(let truth): Self.self == Bool.self ? truth as? Self : nil
        case .double(let number): Self.self == Double.self ? number as? Self : nil
        case .timestamp(let time): Self.self == Date.self ? time.date as? Self : nil
        case .uuid(let id): Self.self == UUIDBytes.self ? id as? Self : nil
        case .objectId(let id): Self.self == ObjectID.self ? id as? Self : nil
        default: nil
        }
    }
}
