extension TypedDump {
    /// Converts the content of a file of an older format to what Realm Core shows after upgrading a copy, as in the
    /// dumps of such files. No value is changed.
    package mutating func upgrade(from format: Int) {
        for index in tables.indices { tables[index].upgrade(from: format) }
    }

    /// Sorts the content that the upgrade reorders; apply it to both sides of a comparison.
    package mutating func forgetOrder(changedFrom format: Int) {
        for table in tables.indices {
            for (column, description) in tables[table].columns.enumerated()
            where description.isReordered(byUpgradeFrom: format) {
                for object in tables[table].objects.indices {
                    tables[table].objects[object].values[column].sort()
                }
            }
        }
    }
}

extension TypedDump.Table {
    fileprivate mutating func upgrade(from format: Int) {
        for index in columns.indices {
            // The upgrade to 24 replaces the column type LinkList by Link with the list attribute.
            if format < 24, columns[index].key >> 16 & 0x3F == 13 { columns[index].key -= 1 << 16 }
            // The upgrade to 22 gives every primary key an index, which formats 20 and 21 never have, and 10 and 11 not
            // for every type.
            if format < 22, columns[index].name == primaryKey { columns[index].index = 1 }
        }
        // The upgrade from 22 empties asymmetric tables.
        if format == 22, kind == "asymmetric" { (size, objects) = (0, []) }
    }
}

extension TypedDump.Column {
    /// Whether the upgrade reorders the collection. The upgrade to 24 sorts sets whose element order changed; that to
    /// 23 rebuilds dictionaries sorted by key, which were sorted by hash before.
    fileprivate func isReordered(byUpgradeFrom format: Int) -> Bool {
        switch collection {
        case "set": format < 24 && ["string", "binary", "mixed"].contains(type)
        case "dict": format < 23
        default: false
        }
    }
}

extension DumpValue {
    fileprivate mutating func sort() {
        switch self {
        case .set(let values): self = .set(values.sorted { $0.description < $1.description })
        case .dictionary(let entries):
            self = .dictionary(entries.sorted { $0.key.description < $1.key.description })
        default: break
        }
    }
}

extension TypedDump {
    /// Removes everything that is not content: keys of tables and columns, the storage of strings, the order of sets,
    /// dictionaries and backlink columns, indexes of primary keys, and the nullability of old Mixed. Apply it to both
    /// sides of a comparison.
    package mutating func forgetLayout() {
        for table in tables.indices {
            tables[table].key = 0
            tables[table].incoming.sort { ($0.table, $0.property) < ($1.table, $1.property) }
            for column in tables[table].columns.indices {
                tables[table].columns[column].key = 0
                tables[table].columns[column].isEnumerated = false
                if tables[table].columns[column].type == "mixed" { tables[table].columns[column].isNullable = true }
                if tables[table].columns[column].name == tables[table].primaryKey {
                    tables[table].columns[column].index = 1
                }
                for object in tables[table].objects.indices { tables[table].objects[object].values[column].sort() }
            }
        }
    }
}
