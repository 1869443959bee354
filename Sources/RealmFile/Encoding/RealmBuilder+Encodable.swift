extension RealmBuilder {
    /// Adds an object from an `Encodable` Swift value.
    ///
    /// ```swift
    /// struct Address: Codable { var street: String }
    /// struct Person: Codable { var name: String; var address: Address?; var dogs: [Int] }
    /// let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
    /// try builder.add("Person", encoding: Person(name: "Ann", address: Address(street: "Main Street"), dogs: [1, 2]))
    /// ```
    ///
    /// The coding keys of the type are the names of the properties. Nested types are embedded objects. Dictionaries
    /// with string or integer keys are dictionaries. A link is encoded as the primary key of its object, or as the
    /// object key if the class has no primary key, as `DecodingRules.Links.keys` decodes it. The text of an ObjectId,
    /// UUID or decimal is converted if the property has that type.
    ///
    /// - Parameters:
    ///   - className: the name of the class, without the prefix of its table.
    ///   - record: the value to encode.
    ///   - key: as for `add(_:_:key:)`.
    /// - Throws: `WriteError` with the place of the value that does not fit; `EncodingError`, and errors of the type
    ///   itself.
    @discardableResult
    public func add(
        _ className: String, encoding record: some Encodable, key: ObjectKey? = nil
    ) throws -> ObjectReference {
        try add(className, NewObject(encoding: record, of: className, in: schema), key: key)
    }
}

extension NewObject {
    /// Encodes a Swift value for a class of a schema.
    package init(encoding record: some Encodable, of className: String, in schema: SchemaDefinition) throws {
        let part = EncodedPart()
        try NewValueEncoder(part: part, codingPath: []).encode(record)
        guard
            let table = schema.tables.first(where: {
                $0.name.hasBytes(of: className) || $0.tableName.hasBytes(of: className)
            })
        else { throw WriteError.misfit(InvalidValue(.noSuchTable, "there is no class \(className)")) }
        do throws(WriteError) {
            self.init(try PartFitting(schema: schema).object(part, of: table))
        } catch {
            guard case .misfit(let misfit) = error else { throw error }
            throw WriteError.misfit(misfit.at(table: table.tableName))
        }
    }
}
