/// Encodes a part of an `Encodable` value.
struct NewValueEncoder: Encoder, SingleValueEncodingContainer {
    let part: EncodedPart
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        part.beginKeyed()
        return KeyedEncodingContainer(KeyedParts(part: part, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        part.beginList()
        return ListedParts(part: part, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() { part.set(.null) }

    func encode(_ value: some Encodable) throws {
        // Dates, UUIDs, bytes: their own `Encodable` would give another form.
        if let leaf = value as? any LeafCodable {
            do {
                part.set(try leaf.newValue())
            } catch {
                throw EncodingError.invalidValue(
                    value, .init(codingPath: codingPath, debugDescription: error.description))
            }
        } else if let bytes = value as? [UInt8] {
            part.set(.binary(bytes))
        } else {
            try value.encode(to: self)
        }
    }
}

/// Parts by their keys.
private struct KeyedParts<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let part: EncodedPart
    let codingPath: [any CodingKey]

    private func encoder(_ key: some CodingKey) -> NewValueEncoder {
        NewValueEncoder(part: part.part(at: key.stringValue), codingPath: codingPath + [key])
    }

    func encodeNil(forKey key: Key) { encoder(key).encodeNil() }

    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { NewValueEncoder(part: part, codingPath: codingPath) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

/// Parts in order.
private struct ListedParts: UnkeyedEncodingContainer {
    let part: EncodedPart
    let codingPath: [any CodingKey]
    var count: Int { part.count }

    private func encoder() -> NewValueEncoder {
        NewValueEncoder(part: part.nextPart(), codingPath: codingPath + [IndexKey(part.count - 1)])
    }

    func encodeNil() { encoder().encodeNil() }

    func encode(_ value: some Encodable) throws { try encoder().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder() }
}
