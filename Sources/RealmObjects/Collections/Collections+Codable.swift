// Coding of collections as arrays and dictionaries.

extension RealmCollection where Element: Encodable {
    /// Encodes the elements as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension Results: Encodable where Element: Encodable {}
extension List: Encodable where Element: Encodable {}
extension MutableSet: Encodable where Element: Encodable {}

extension List: Decodable where Element: Decodable {
    /// Decodes an array of elements.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { append(try container.decode(Element.self)) }
    }
}

extension MutableSet: Decodable where Element: Decodable {
    /// Decodes an array of elements.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { insert(try container.decode(Element.self)) }
    }
}

extension Map: Encodable where Key: Encodable, Value: Encodable {
    /// Encodes the entries as a dictionary.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(map { ($0.key._text, $0.value) }, uniquingKeysWith: { first, _ in first }))
    }
}

extension Map: Decodable where Key: Decodable, Value: Decodable {
    /// Decodes a dictionary of entries.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        for (text, value) in try decoder.singleValueContainer().decode([String: Value].self) {
            if let key = Key(_text: text) { updateValue(value, forKey: key) }
        }
    }
}
