/// Rules for decoding objects as Swift types that are `Decodable`.
///
/// ```swift
/// let rules = DecodingRules(links: .keys)
/// struct Club: Decodable { var name: String; var members: [Int] }
/// let clubs = try snapshot.table(named: "DogClub").decode(Club.self, rules)
/// print(clubs.count)
/// ```
public struct DecodingRules: Sendable {
    /// How links are decoded.
    public enum Links: Sendable {
        /// The object that the link leads to, and the objects that it links to in turn, up to `depth` consecutive
        /// links. Deeper links, and links to an object that contains the link, become nil, or are left out of their
        /// collection.
        case objects(depth: Int)
        /// The primary key of the object, or its object key if the class has no primary key.
        case keys
    }

    /// How links are decoded; by default as their objects, up to eight links deep. Embedded objects are always nested.
    public var links: Links
    /// Property names by the coding keys that differ from them.
    public var propertyNames: [String: String]

    /// Creates rules; what is not given has its default.
    public init(links: Links = .objects(depth: 8), propertyNames: [String: String] = [:]) {
        self.links = links
        self.propertyNames = propertyNames
    }
}

extension StoredObject {
    /// Decodes the object as a Swift type.
    ///
    /// ```swift
    /// struct Dog: Decodable { var name: String; var age: Int }
    /// struct Person: Decodable { var name: String; var dogs: [Dog] }
    /// print(try people.object(primaryKey: .int(4))?.decode(Person.self).dogs.count ?? 0)
    /// ```
    ///
    /// The key `_key` stands for the object key, unless a property has that name.
    ///
    /// - Throws: `DecodingError` with a coding path if the type does not fit the class; `FormatError` if a value is
    ///   damaged.
    public func decode<Item: Decodable>(_ type: Item.Type = Item.self, _ rules: DecodingRules = DecodingRules()) throws
        -> Item
    {
        try Item(from: StoredDecoder(self, rules))
    }
}

extension Table {
    /// Decodes all objects as Swift types, in the order of their keys.
    ///
    /// ```swift
    /// struct Dog: Decodable { var name: String; var age: Int }
    /// print(try snapshot.table(named: "Dog").decode(Dog.self).map(\.name))
    /// ```
    ///
    /// - Throws: as `StoredObject.decode(_:_:)`.
    public func decode<Item: Decodable>(_ type: Item.Type = Item.self, _ rules: DecodingRules = DecodingRules()) throws
        -> [Item]
    {
        try objects.map { try $0.decode(type, rules) }.collect()
    }
}

extension Cursor<StoredObject> {
    /// Returns a cursor over the objects, decoded as Swift types.
    ///
    /// ```swift
    /// struct Dog: Decodable { var name: String; var age: Int }
    /// print(try snapshot.table(named: "Dog").objects.decode(Dog.self).first()?.name ?? "none")
    /// ```
    public func decode<Item: Decodable>(
        _ type: Item.Type, _ rules: DecodingRules = DecodingRules()
    ) -> MappedCursor<Self, Item> {
        map { try $0.decode(type, rules) }
    }
}
