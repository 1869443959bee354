public import RealmLayout

/// A property of a class, looked up once, and the Swift type for its values.
///
/// ```swift
/// let people = try snapshot.table(named: "Person")
/// let age = try people.property("age", as: Int.self)
/// var cursor = people.objects
/// while let person = try cursor.next() { print(try person[age]) }
/// ```
public struct PropertyHandle<Item: StoredValueConvertible>: Sendable {
    /// The table whose objects have the property.
    public let table: Table
    /// The index in `table.schema.properties`.
    public let index: Int
    /// The table's position in the snapshot.
    @usableFromInline let position: TablePosition

    /// The property.
    public var property: StoredProperty { table.schema.properties[index] }
}

extension Table {
    /// Looks up a property of the class, for reading it from many objects.
    ///
    /// - Throws: `noSuchProperty`.
    public func property<Item: StoredValueConvertible>(
        _ name: String, as type: Item.Type = Item.self
    ) throws(FormatError) -> PropertyHandle<Item> {
        guard let index = schema.properties.propertyIndex(named: name) else { throw noSuchProperty(name) }
        return PropertyHandle(table: self, index: index.number, position: position)
    }
}

extension StoredObject {
    /// The value of the property called `name`, as a Swift type.
    ///
    /// ```swift
    /// let age = try person.get("age", as: Int.self)
    /// let nickname = try person.get("nickname", as: String?.self)
    /// let scores: [Double] = try person.get("scores")
    /// print(age, nickname ?? "", scores)
    /// ```
    ///
    /// - Throws: `noSuchProperty`; `wrongType` when the value is of another type, out of range, or null while the type
    ///   is not optional (`FormatError.isUsage` is true for these); `FormatError` when the value is damaged.
    @inlinable
    public func get<Item: StoredValueConvertible>(_ name: String, as type: Item.Type = Item.self) throws(FormatError)
        -> Item
    {
        try get(at: index(ofProperty: name))
    }

    /// The value of a property that was looked up.
    ///
    /// - Throws: `wrongType` when the value is of another type, or the object is of another class than the property;
    ///   `FormatError` when the value is damaged.
    @inlinable
    public subscript<Item: StoredValueConvertible>(property: PropertyHandle<Item>) -> Item {
        get throws(FormatError) {
            guard isOfTable(at: property.position) else { throw foreign(property.index) }
            return try get(at: property.index)
        }
    }

    @inlinable
    func get<Item: StoredValueConvertible>(at index: Int) throws(FormatError) -> Item {
        let value = try value(at: index)
        if let item = try Item(storedValue: value) { return item }
        throw misfit(value, index, String(describing: Item.self))
    }

    @usableFromInline
    func isOfTable(at position: TablePosition) -> Bool { home.table.position == position }

    @usableFromInline
    func index(ofProperty name: String) throws(FormatError) -> Int {
        guard let index = home.index(ofProperty: name) else { throw table.noSuchProperty(name) }
        return index.number
    }

    @usableFromInline
    func foreign(_ index: Int) -> FormatError {
        FormatError(.wrongType, "the property that was looked up is of another class than the object")
            .at(table: table.schema.tableName, objectKey: key)
    }

    @inline(never)
    @usableFromInline
    func misfit(_ value: Value, _ index: Int, _ type: String) -> FormatError {
        let property = table.schema.properties[index]
        let detail =
            if case .null = value { "the value is null, which is no \(type): ask for \(type)?" } else {
                "the property is of type \(property.typeText), and the value \(value.debugDescription.prefix(60)) is no \(type)"
            }
        return FormatError(.wrongType, detail).at(
            table: table.schema.tableName, property: property.name, objectKey: key)
    }
}

extension Link {
    /// The value of a property of the linked object.
    ///
    /// - Throws: `noSuchObject` when the object does not exist, `noSuchProperty`, and `FormatError` for damage.
    public subscript(name: String) -> Value {
        get throws(FormatError) { try existingObject()[name] }
    }

    /// Returns the value of a property of the linked object, as a Swift type.
    ///
    /// - Throws: `noSuchObject` when the object does not exist, and errors from `StoredObject.get(_:as:)`.
    public func get<Item: StoredValueConvertible>(_ name: String, as type: Item.Type = Item.self) throws(FormatError)
        -> Item
    {
        try existingObject().get(name, as: type)
    }

    private func existingObject() throws(FormatError) -> StoredObject {
        if let object = try object() { return object }
        throw FormatError(.noSuchObject, "the linked object \(objectKey) does not exist").at(
            table: table.schema.tableName)
    }
}
