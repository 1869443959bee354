internal import RealmLayout

/// Compares the parts of a table's schema that count as content (Spec 170).
package enum SchemaComparison {
    /// Returns the differences: those of the table itself first, then those of properties by name.
    package static func differences(_ first: TableSchema, _ second: TableSchema) -> [SchemaDifference] {
        if first.hasSameProperties(as: second) { return [] }
        var found: [SchemaDifference] = []
        func compare(_ property: String?, _ part: String, _ first: String?, _ second: String?) {
            guard !first.hasBytes(of: second) else { return }
            found.append(SchemaDifference(property: property, part: part, first: first, second: second))
        }
        compare(nil, "kind", "\(first.kind)", "\(second.kind)")
        compare(nil, "primaryKey", first.primaryKeyName, second.primaryKeyName)
        for (name, left, right) in properties(first, second) {
            // Properties of equal name, which no intact file has, are paired in order.
            for index in 0..<max(left.count, right.count) {
                guard index < left.count, index < right.count else {
                    let (lost, new) = (
                        index < left.count ? left[index].words : nil, index < right.count ? right[index].words : nil
                    )
                    compare(name, "property", lost, new)
                    continue
                }
                let (one, other) = (left[index], right[index])
                compare(name, "type", one.type.rawValue, other.type.rawValue)
                compare(
                    name, "nullable", "\(one.isNullable || one.type == .mixed)",
                    "\(other.isNullable || other.type == .mixed)")
                compare(name, "collection", one.collection?.words, other.collection?.words)
                compare(name, "target", one.target, other.target)
                // An index on the primary key does not count.
                compare(
                    name, "index", name == first.primaryKeyName ? "\(IndexKind.general)" : "\(one.index)",
                    name == second.primaryKeyName ? "\(IndexKind.general)" : "\(other.index)")
            }
        }
        return found
    }

    /// Returns each property name of either schema once, ordered by bytes, with the properties of that name.
    private static func properties(
        _ first: TableSchema, _ second: TableSchema
    ) -> [(name: String, first: [StoredProperty], second: [StoredProperty])] {
        var (left, right) = (first.properties.byName[...], second.properties.byName[...])
        var found: [(String, [StoredProperty], [StoredProperty])] = []
        while let name = [left.first?.name, right.first?.name].compactMap(\.self)
            .min(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        {
            let one = left.prefix { $0.name.utf8.elementsEqual(name.utf8) }
            let other = right.prefix { $0.name.utf8.elementsEqual(name.utf8) }
            found.append((name, Array(one), Array(other)))
            left = left.dropFirst(one.count)
            right = right.dropFirst(other.count)
        }
        return found
    }
}

extension TableSchema {
    /// Fast path: consecutive versions mostly have the same schema.
    fileprivate func hasSameProperties(as other: TableSchema) -> Bool {
        // Strings that compare equal may differ in their bytes.
        kind == other.kind && primaryKeyName.hasBytes(of: other.primaryKeyName) && properties == other.properties
            && zip(properties, other.properties).allSatisfy {
                $0.name.utf8.elementsEqual($1.name.utf8) && $0.target.hasBytes(of: $1.target)
            }
    }
}

extension String? {
    /// Whether both are nil or have the same bytes. Equal strings may have different bytes.
    fileprivate func hasBytes(of other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.utf8.elementsEqual(other.utf8)
    }
}

extension [StoredProperty] {
    /// The properties, ordered by the bytes of their names.
    fileprivate var byName: [StoredProperty] { sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
}

extension StoredProperty {
    /// Description, such as `int?` or `list of link to class_Dog`.
    fileprivate var words: String {
        (collection.map { "\($0.words) of " } ?? "") + type.rawValue + (isNullable ? "?" : "")
            + (target.map { " to \($0)" } ?? "")
    }
}

extension CollectionKind {
    fileprivate var words: String {
        switch self {
        case .list: "list"
        case .set: "set"
        case .dictionary(.string): "dictionary"
        case .dictionary(.int): "dictionary with int keys"
        }
    }
}
