internal import RealmCore
internal import RealmLayout
internal import RealmStore
import WriterTestSupport

// Continuing with a file that another program has changed.
extension RandomProgram {
    /// Takes the content of the file as the expected content.
    package mutating func adopt() throws {
        let snapshot = store.snapshot()
        var schema = SchemaDefinition(snapshot.schema)
        schema.tables.removeAll { !$0.tableName.hasPrefix(TableName.classPrefix) }
        objects = [:]
        var tombstones: [String: [NewValue]] = [:]
        for table in snapshot.classes where table.schema.kind != .embedded {
            var cursor = table.objects
            while let object = try cursor.next() {
                objects[ObjectReference(table.name, object.key)] = try values(object)
            }
            var dead = table.tombstones
            while table.schema.primaryKeyName != nil, let tombstone = try dead.next() {
                tombstones[table.name, default: []].append(try value(tombstone.primaryKey ?? .null))
            }
        }
        database.adopt(schema, Array(objects.keys), tombstones: tombstones)
        content = try BuiltContent(snapshot, schema)
    }

    /// Returns the whole content of the file: a line for each property of each object.
    package func text() throws -> [String] {
        try BuiltContent(Self.database(bytes(), key).snapshot(), database.schema).text
    }

    private func values(_ object: StoredObject) throws -> [String: NewValue] {
        var values: [String: NewValue] = [:]
        for property in object.table.schema.properties { values[property.name] = try value(object[property.name]) }
        return values
    }

    private func value(_ value: Value) throws -> NewValue {
        switch value {
        case .null: .null
        case .int(let number): .int(number)
        case .bool(let value): .bool(value)
        case .string(let text): .string(text)
        case .malformedString(let bytes): .malformedString(bytes)
        case .binary(let bytes): .binary(bytes)
        case .timestamp(let time): .timestamp(time)
        case .float(let number): .float(number)
        case .double(let number): .double(number)
        case .decimal128(let number): .decimal128(number)
        case .objectId(let id): .objectId(id)
        case .uuid(let id): .uuid(id)
        case .link(let link): .link(ObjectReference(link.table.name, link.objectKey))
        case .embedded(let object): .embedded(try values(object))
        case .list(let elements), .set(let elements): .list(try elements.map { try self.value($0) })
        case .dictionary(let entries):
            .dictionary(try entries.map { NewEntry(try self.value($0.key), try self.value($0.value)) })
        }
    }
}
