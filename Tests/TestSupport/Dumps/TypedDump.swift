/// The whole content of a file in the form of the typed dumps (`Fixtures/README.md`).
package struct TypedDump: Sendable {
    package init() {}

    package var tables: [Table] = []

    package struct Table: Sendable {
        package var name: String
        package var key: UInt32
        package var kind: String
        package var primaryKey: String?
        package var size: Int
        package var tombstones: Int
        package var columns: [Column]
        package var incoming: [Incoming]
        package var objects: [Object] = []

        package init(
            name: String, key: UInt32, kind: String, primaryKey: String?, size: Int, tombstones: Int, columns: [Column],
            incoming: [Incoming]
        ) {
            self.name = name
            self.key = key
            self.kind = kind
            self.primaryKey = primaryKey
            self.size = size
            self.tombstones = tombstones
            self.columns = columns
            self.incoming = incoming
        }
    }

    package struct Column: Hashable, Sendable {
        package var name: String
        package var type: String
        package var isNullable: Bool
        package var collection: String
        package var target: String?
        package var index: Int
        package var isEnumerated: Bool
        package var key: Int64

        package init(
            name: String, type: String, isNullable: Bool, collection: String, target: String?, index: Int,
            isEnumerated: Bool, key: Int64
        ) {
            self.name = name
            self.type = type
            self.isNullable = isNullable
            self.collection = collection
            self.target = target
            self.index = index
            self.isEnumerated = isEnumerated
            self.key = key
        }
    }

    package struct Incoming: Hashable, Sendable {
        package var table: String
        package var property: String

        package init(table: String, property: String) {
            self.table = table
            self.property = property
        }
    }

    package struct Object: Sendable {
        package var key: Int64
        package var backlinks: Int
        /// One for each column, in order.
        package var values: [DumpValue]

        package init(key: Int64, backlinks: Int, values: [DumpValue]) {
            self.key = key
            self.backlinks = backlinks
            self.values = values
        }
    }
}

/// A value in a typed dump.
package indirect enum DumpValue: Hashable, Sendable {
    case null
    /// A plain value: its tag ("i", "s", "s#", …) and its text as bytes.
    case plain(String, [UInt8])
    case link(table: String, key: Int64)
    /// A link to a tombstone; the dumps do not contain the target of all of them.
    case unresolved(table: String?, key: Int64?)
    case list([DumpValue])
    case set([DumpValue])
    case dictionary([Entry])

    package struct Entry: Hashable, Sendable {
        package var key: DumpValue
        package var value: DumpValue

        package init(key: DumpValue, value: DumpValue) {
            self.key = key
            self.value = value
        }
    }

    /// Values of more bytes than this are represented by length and hash.
    package static let longest = 4096
}

extension DumpValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .null: "null"
        case .plain(let tag, let text): "\(tag):\(String(decoding: text, as: UTF8.self))"
        case .link(let table, let key): "link(\(table), \(key))"
        case .unresolved(let table, let key): "unresolved(\(table ?? "?"), \(key.map(String.init) ?? "?"))"
        case .list(let values): "list\(values)"
        case .set(let values): "set\(values)"
        case .dictionary(let entries): "dictionary[\(entries.map { "\($0.key): \($0.value)" }.joined(separator: ", "))]"
        }
    }
}
