/// How objects become Swift types that are `Decodable`.
///
/// ```swift
/// let rules = DecodingRules(links: .keys)
/// struct Club: Decodable { var name: String; var members: [Int] }
/// let clubs = try snapshot.table(named: "DogClub").decode(Club.self, rules)
/// print(clubs.count)
/// ```
public struct DecodingRules: Sendable {
    /// What a link becomes.
    public enum Links: Sendable {
        /// The object that it leads to, and what that links to, up to so many links one after the other; what lies deeper, and an
        /// object inside of itself, becomes nil, or is left out of its collection.
        case objects(depth: Int)
        /// The primary key of the object, or its object key where the class has none.
        case keys
    }

    /// What a link becomes; by default its object, up to eight links deep. Embedded objects always are nested.
    public var links: Links
    /// The properties that keys of the Swift type mean, where they have other names.
    public var propertyNames: [String: String]

    /// The usual rules, but for what is given.
    public init(links: Links = .objects(depth: 8), propertyNames: [String: String] = [:]) {
        self.links = links
        self.propertyNames = propertyNames
    }
}

extension StoredObject {
    /// The object as a Swift type.
    ///
    /// ```swift
    /// struct Dog: Decodable { var name: String; var age: Int }
    /// struct Person: Decodable { var name: String; var dogs: [Dog] }
    /// print(try people.object(primaryKey: .int(4))?.decode(Person.self).dogs.count ?? 0)
    /// ```
    ///
    /// The key `_key`, which no property has, is the object key.
    ///
    /// - Throws: `DecodingError` when the type does not fit the class; its path says where. `FormatError` when a value is damaged.
    public func decode<Item: Decodable>(_ type: Item.Type = Item.self, _ rules: DecodingRules = DecodingRules()) throws
        -> Item
    {
        try Item(from: StoredDecoder(self, rules))
    }
}

extension Table {
    /// All objects as Swift types, in the order of their keys.
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
    /// A cursor of the objects as Swift types.
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
