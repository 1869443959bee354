internal import RealmCore
internal import RealmLayout

/// Converts the indexes in a collection's `mongodump` metadata to search indexes of the class.
struct CollectionIndexes {
    /// Losses: indexes that Realm does not support, or whose options it does not preserve.
    private(set) var left: [(kind: ImportLossKind, index: String)] = []

    /// Gives the properties of a table the indexes that they support.
    ///
    /// - Parameters:
    ///   - metadata: An object with `indexes`, in Extended JSON.
    ///   - fieldNames: The document field names of the properties, in their order.
    init(_ metadata: JSONValue, _ table: inout TableDefinition, _ fieldNames: [String]) {
        for index in metadata["indexes"]?.elements ?? [] {
            guard let key = index["key"]?.members, !key.isEmpty else { continue }
            let name = index["name"]?.text ?? key.map(\.0).joined(separator: "_")
            if key.count == 1, key[0].0 == TableSchema.identityField {
                // Every collection has this index, and every primary key is indexed.
                continue
            }
            let isKept = Self.add(key, index, to: &table, fieldNames)
            if !isKept { left.append((.indexKind, name)) }
            let isMore = index["unique"]?.isTrue ?? false || Self.limits.contains { index[$0] != nil }
            if isKept, isMore { left.append((.indexOptions, name)) }
        }
    }

    /// Options that restrict the indexed documents, change the matches, or delete documents.
    private static let limits = ["partialFilterExpression", "expireAfterSeconds", "collation"]

    private static func add(
        _ key: [(String, JSONValue)], _ index: JSONValue, to table: inout TableDefinition, _ fieldNames: [String]
    ) -> Bool {
        if let weights = index["weights"]?.members {
            guard !weights.isEmpty else { return false }
            return weights.allSatisfy { set(.fullText, of: $0.0, in: &table, fieldNames) }
        }
        guard key.count == 1, isOrder(key[0].1) || key[0].1.text == "hashed" else { return false }
        return set(.general, of: key[0].0, in: &table, fieldNames)
    }

    /// Whether a value is 1 or -1, of any numeric type.
    private static func isOrder(_ value: JSONValue) -> Bool {
        switch value {
        case .int(let number): number == 1 || number == -1
        case .double(let number): number == 1 || number == -1
        case .object(let members):
            members.count == 1 && members[0].0.hasPrefix("$number")
                && members[0].1.text.flatMap { Double($0) }.map { $0 == 1 || $0 == -1 } ?? false
        default: false
        }
    }

    private static func set(
        _ kind: IndexKind, of field: String, in table: inout TableDefinition, _ fieldNames: [String]
    ) -> Bool {
        guard let position = fieldNames.firstIndex(of: field) else { return false }
        if table.properties[position].name == table.primaryKey { return kind == .general }
        var property = table.properties[position]
        // A property has at most one index; the general one is more useful.
        if property.index == .general, kind == .fullText { return false }
        property.index = kind
        guard property.effectiveIndex(isPrimaryKey: false) == kind else { return false }
        table.properties[position] = property
        return true
    }
}
