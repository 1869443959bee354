public import RealmLayout

// Conversions of stored values.
extension NewValue {
    /// Converts the value of a file for another file.
    ///
    /// A link is converted to one by primary key. If the class has none, it is converted to one by object key; only
    /// the objects of that class must then keep their keys (`RealmBuilder.add(_:_:key:)`). An embedded object is
    /// converted with all its values.
    ///
    /// - Throws: `FormatError` when a link target or embedded object cannot be read.
    public init(_ value: Value) throws(FormatError) { self = try NewValue(value, embedding: 0) }

    fileprivate init(_ value: Value, embedding: Int) throws(FormatError) {
        switch value {
        case .null: self = .null
        case .int(let number): self = .int(number)
        case .bool(let truth): self = .bool(truth)
        case .string(let text): self = .string(text)
        case .malformedString(let bytes): self = .malformedString(bytes)
        case .binary(let bytes): self = .binary(bytes)
        case .timestamp(let time): self = .timestamp(time)
        case .float(let number): self = .float(number)
        case .double(let number): self = .double(number)
        case .decimal128(let number): self = .decimal128(number)
        case .objectId(let id): self = .objectId(id)
        case .uuid(let id): self = .uuid(id)
        case .link(let link): self = try .link(to: link)
        case .embedded(let object): self = .embedded(try object.newValues(embedding: embedding + 1))
        case .list(let values), .set(let values):
            self = .list(try values.map { value throws(FormatError) in try NewValue(value, embedding: embedding) })
        case .dictionary(let entries):
            self = .dictionary(
                try entries.map { entry throws(FormatError) in
                    NewEntry(
                        try NewValue(entry.key, embedding: embedding), try NewValue(entry.value, embedding: embedding))
                })
        }
    }

    private static func link(to link: Link) throws(FormatError) -> NewValue {
        let name = link.table.name
        guard link.table.schema.primaryKeyName != nil, let key = try link.primaryKey() else {
            return .link(ObjectReference(name, link.objectKey))
        }
        return .link(name, primaryKey: try NewValue(key))
    }
}

extension StoredObject {
    /// Returns the values of all properties, for another file.
    ///
    /// - Parameter embedding: Number of enclosing objects. In a damaged file an object may be inside itself.
    package func newValues(embedding: Int = 0) throws(FormatError) -> [String: NewValue] {
        guard embedding <= Limits.embeddingDepth else {
            throw FormatError.tooDeep(.embedding).at(table: table.schema.tableName, objectKey: key)
        }
        var values: [String: NewValue] = [:]
        for (property, value) in zip(table.schema.properties, try self.values()) {
            values[property.name] = try NewValue(value, embedding: embedding)
        }
        return values
    }
}

extension Value: NewValueConvertible {
    /// Converts the value for another file; see `NewValue.init(_:)`.
    public func newValue() throws(WriteError) -> NewValue {
        do throws(FormatError) { return try NewValue(self) } catch { throw .source(error) }
    }
}

extension Link: NewValueConvertible {
    /// Returns a link to the object with the same primary key, or object key if the class has none.
    public func newValue() throws(WriteError) -> NewValue { try Value.link(self).newValue() }
}

extension StoredObject: NewValueConvertible {
    /// Returns an embedded object with all its values; for other classes, a link to the object.
    public func newValue() throws(WriteError) -> NewValue {
        try (table.schema.kind == .embedded ? Value.embedded(self) : Value.link(Link(table: table, objectKey: key)))
            .newValue()
    }
}

extension SchemaDefinition {
    /// Creates the definition of another file's classes.
    ///
    /// ```swift
    /// let builder = try RealmBuilder(SchemaDefinition(snapshot.schema), at: NewFile("copy.realm"))
    /// for table in snapshot.classes where table.schema.kind != .embedded {
    ///     let hasPrimaryKey = table.schema.primaryKeyName != nil
    ///     try table.objects.forEach { object in
    ///         try builder.add(table.name, NewObject(object), key: hasPrimaryKey ? nil : object.key)
    ///     }
    /// }
    /// try builder.finish()
    /// ```
    public init(_ schema: StoredSchema) {
        self.init(schema.classes.map { TableDefinition($0) }, version: schema.version)
    }
}
