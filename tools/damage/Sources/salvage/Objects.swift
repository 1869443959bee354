import RealmFile
import RealmForensics

/// The content of all objects of a commit: a hash for each property of each object.
struct Objects {
    struct Identity: Hashable {
        let table: String
        let key: Int64
    }

    private(set) var values: [Identity: [UInt64]] = [:]
    private(set) var properties: [String: [String]] = [:]

    init(_ snapshot: Snapshot) throws {
        if let error = snapshot.damage.first { throw error }
        for table in snapshot.tables {
            let name = table.schema.tableName
            properties[name] = table.schema.properties.map(\.name)
            var objects = table.objects
            while let object = try objects.next() {
                values[Identity(table: name, key: object.key.value)] = try object.values().map { value in
                    var hash = ValueHash()
                    hash.add(value)
                    return hash.number
                }
            }
        }
    }
}

/// A hash of a value and its type.
private struct ValueHash {
    private(set) var number: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ value: Value) {
        switch value {
        case .null: add(1)
        case .int(let value):
            add(2)
            add(value)
        case .bool(let value): add(value ? 3 : 4)
        case .string(let value): add(5, Array(value.utf8))
        case .malformedString(let bytes): add(5, bytes)
        case .binary(let bytes): add(6, bytes)
        case .timestamp(let value):
            add(7)
            add(value.seconds)
            add(value.nanoseconds)
        case .float(let value):
            add(8)
            add(value.bitPattern)
        case .double(let value):
            add(9)
            add(value.bitPattern)
        case .decimal128(let value):
            add(10)
            add(value.high)
            add(value.low)
        case .objectId(let value): add(11, value.bytes)
        case .uuid(let value): add(12, value.bytes)
        case .link(let link):
            // Table keys differ in the new file.
            add(13, Array(link.table.schema.tableName.utf8))
            add(link.objectKey.value)
        case .embedded(let object):
            add(14)
            add(object.key.value)
        case .list(let values): add(15, values)
        // The order of sets and dictionaries depends on the format.
        case .set(let values): addUnordered(16, values.map { Self.hash($0) })
        case .dictionary(let entries):
            addUnordered(17, entries.map { Self.hash(.list([$0.key, $0.value])) })
        }
    }

    private static func hash(_ value: Value) -> UInt64 {
        var hash = ValueHash()
        hash.add(value)
        return hash.number
    }

    private mutating func add(_ number: some FixedWidthInteger) {
        self.number = (self.number ^ UInt64(truncatingIfNeeded: number)) &* 0x100_0000_01B3
        self.number ^= self.number >> 29
    }

    private mutating func add(_ kind: Int, _ bytes: [UInt8]) {
        add(kind)
        add(bytes.count)
        for byte in bytes { add(byte) }
    }

    private mutating func add(_ kind: Int, _ values: [Value]) {
        add(kind)
        add(values.count)
        for value in values { add(value) }
    }

    private mutating func addUnordered(_ kind: Int, _ hashes: [UInt64]) {
        add(kind)
        add(hashes.count)
        add(hashes.reduce(0, &+))
    }
}
