internal import RealmCore
internal import RealmLayout

/// Writes the schema of a table as content bytes (Spec 170).
enum ContentSchema {
    /// Returns the bytes of name, kind, primary key and properties.
    static func bytes(of table: ContentTable) -> [UInt8] {
        let schema = table.schema
        var bytes = HashPlan.serialised(schema.tableName)
        bytes.append(UInt8(schema.kind.rawValue))
        bytes += text(schema.primaryKeyName)
        bytes += UInt64(table.fields.count).littleEndianBytes
        for field in table.fields {
            let isPrimaryKey = field.property == table.core.primaryKeyIndex
            bytes += self.bytes(of: schema.properties[field.property], isPrimaryKey: isPrimaryKey)
        }
        return bytes
    }

    private static func bytes(of property: StoredProperty, isPrimaryKey: Bool) -> [UInt8] {
        // Formats from 22 on index every primary key, older ones only some or none.
        let index = isPrimaryKey ? IndexKind.general : property.index
        // Formats 2 to 9 did not mark Mixed as nullable; newer formats have null as a Mixed value.
        let mayBeNull = property.isNullable || property.type == .mixed
        return HashPlan.serialised(property.name)
            + [
                UInt8(property.type.columnType.rawValue), mayBeNull ? 1 : 0,
                collectionNumber(property.collection), UInt8(index.rawValue),
            ] + text(property.target)
    }

    /// Writes text as a value, or null.
    private static func text(_ text: String?) -> [UInt8] {
        guard let text else { return [ContentTag.null.rawValue] }
        return [ContentTag.string.rawValue] + HashPlan.serialised(text)
    }

    private static func collectionNumber(_ collection: CollectionKind?) -> UInt8 {
        switch collection {
        case nil: 0
        case .list: 1
        case .set: 2
        case .dictionary(.string): 3
        case .dictionary(.int): 4
        }
    }
}
