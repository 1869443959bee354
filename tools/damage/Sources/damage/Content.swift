import RealmFile

/// The content of a commit as two hashes: of its shape, which is everything except plain values, and of everything.
struct Content: Equatable {
    var shape: UInt64 = 0xCBF2_9CE4_8422_2325
    var all: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Reads all objects of the current commit.
    init(of bytes: [UInt8]) throws {
        let snapshot = try RealmDatabase(bytes: bytes).snapshot(toleratingDamage: true)
        if let error = snapshot.damage.first { throw error }
        add(snapshot.version.number)
        for table in snapshot.tables {
            add("\(table.schema.kind)")
            // Names are values: nothing determines what they should be.
            addValue(table.schema.tableName + (table.schema.primaryKeyName ?? ""))
            for property in table.schema.properties {
                add(
                    "\(property.type) \(property.isNullable) \(String(describing: property.collection)) \(property.index)"
                )
                addValue(property.name + (property.target ?? ""))
            }
            for start in [table.objects, table.tombstones] {
                var objects = start
                while let object = try objects.next() {
                    add(object.key.value)
                    for value in try object.values() { add(value) }
                    for incoming in table.schema.incoming {
                        // Their order has no meaning.
                        for key in try object.backlinks(incoming).sorted() { add(key.value) }
                    }
                }
            }
        }
    }

    private mutating func add(_ number: some FixedWidthInteger) {
        shape = (shape ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
        addValue(number)
    }

    private mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(text.utf8.count)
    }

    private mutating func addValue(_ number: some FixedWidthInteger) {
        all = (all ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
    }

    private mutating func addValue(_ text: String) { addValue(Array(text.utf8)) }

    private mutating func addValue(_ bytes: [UInt8]) {
        for byte in bytes { addValue(byte) }
        addValue(bytes.count)
    }

    private mutating func add(_ value: Value) {
        switch value {
        case .null: addValue(1)
        case .int(let value): addValue(value)
        case .bool(let value): addValue(value ? 1 : 0)
        case .string(let value): addValue(value)
        case .malformedString(let bytes), .binary(let bytes): addValue(bytes)
        case .timestamp(let value):
            addValue(value.seconds)
            addValue(value.nanoseconds)
        case .float(let value): addValue(value.bitPattern)
        case .double(let value): addValue(value.bitPattern)
        case .decimal128(let value):
            addValue(value.high)
            addValue(value.low)
        case .objectId(let value): addValue(value.bytes)
        case .uuid(let value): addValue(value.bytes)
        case .link(let link):
            add(link.table.schema.key.value)
            add(link.objectKey.value)
        case .embedded(let object):
            add(object.key.value)
        case .list(let values), .set(let values):
            add(values.count)
            for value in values { add(value) }
        case .dictionary(let entries):
            add(entries.count)
            for entry in entries {
                addValue("\(entry.key)")
                add(entry.value)
            }
        }
    }
}
