extension RealmBuilder {
    /// Adds an object of a Swift type that is `Encodable`.
    ///
    /// ```swift
    /// struct Address: Codable { var street: String }
    /// struct Person: Codable { var name: String; var address: Address?; var dogs: [Int] }
    /// let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
    /// try builder.add("Person", encoding: Person(name: "Ann", address: Address(street: "Main Street"), dogs: [1, 2]))
    /// ```
    ///
    /// The keys of the type are the names of the properties. Nested types are embedded objects, dictionaries with strings or integers
    /// as keys are dictionaries. A link is encoded as the primary key of its object, or as the object key where the class has none, as
    /// `DecodingRules.Links.keys` decodes it. The text of an ObjectId, UUID or decimal is taken for one where the property has that type.
    ///
    /// - Parameters:
    ///   - className: the class without the prefix that its table has.
    ///   - record: what is encoded.
    ///   - key: as for `add(_:_:key:)`.
    /// - Throws: `WriteError` with the place of what does not fit; `EncodingError`, and what the type itself throws.
    @discardableResult
    public func add(
        _ className: String, encoding record: some Encodable, key: ObjectKey? = nil
    ) throws -> ObjectReference {
        try add(className, NewObject(encoding: record, of: className, in: schema), key: key)
    }
}

extension NewObject {
    /// The values of a Swift type, for a class of a schema.
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
