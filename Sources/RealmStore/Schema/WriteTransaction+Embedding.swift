public import RealmCore
package import RealmLayout

// Making classes embedded, or top-level.
extension WriteTransaction {
    /// Makes a class embedded, or top-level.
    ///
    /// - Throws: `WriteError`: `badSchema` if the class has a primary key, a set links to it, or an object does not
    ///   have exactly one owner: a single link to it, which is not in a Mixed value.
    public func setEmbedded(_ isEmbedded: Bool, _ className: String) throws(WriteError) {
        try guarded {
            let kind: TableKind = isEmbedded ? .embedded : .topLevel
            let table = try schemaTable(className)
            guard table.schema.kind != kind else { return }
            var schema = definition
            schema[try position(table, in: schema)].kind = kind
            _ = try sound(schema)
            guard table.schema.kind != .asymmetric else {
                throw InvalidValue(.badSchema, "an asymmetric class stays what it is").at(table: table.schema.tableName)
            }
            if isEmbedded {
                try settle()
                let table = try schemaTable(className)
                try checkOwners(table)
                try checkCycles(table)
            }
            try editSchema { edit in try edit.table(table.schema.key).kind = kind }
        }
    }

    /// Checks that each object has exactly one owner.
    private func checkOwners(_ table: TableDescription) throws {
        let tombstones = try table.tombstones?.storedCount() ?? 0
        guard tombstones == 0 else {
            throw InvalidValue(.badSchema, "\(tombstones) objects of it are linked to that do not exist").at(
                table: table.schema.tableName)
        }
        let found = try misowned(table)
        for (keys, what) in [
            (found.inMixed, "in Mixed values"), (found.orphans, "without an owner"),
            (found.shared, "with more than one owner"),
        ] {
            guard let first = keys.first else { continue }
            let count = keys.count
            throw InvalidValue(
                .badSchema,
                "\(count) object\(count == 1 ? " is" : "s are") \(what), but objects that live inside others have one each"
            ).at(table: table.schema.tableName, objectKey: first)
        }
    }

    /// The objects that prevent a class from being embedded.
    package func misowned(_ className: String) throws(WriteError) -> MisownedObjects {
        try guarded {
            try settle()
            return try misowned(schemaTable(className))
        }
    }

    private func misowned(_ table: TableDescription) throws -> MisownedObjects {
        func property(_ column: ColumnKey, _ table: TableKey) -> String? {
            guard let schema = base.position(of: table).map({ base.cores[$0].schema }) else { return nil }
            return schema.properties.first { $0.columnKey == column }.map { "\(schema.name).\($0.name)" }
        }
        var found = MisownedObjects()
        let space = base.space
        let changes = try self.table(table.schema.key)
        let backlinks = table.layout.columns.filter(\.isBacklink)
        var cursor = ClusterCursor(table.objects)
        while let cluster = try cursor.next() {
            var owners = [Int](repeating: 0, count: cluster.count)
            for (column, layout) in zip(table.backlinkColumns, backlinks) {
                let isMixed = layout.oppositeColumn.typeNumber == ColumnType.mixed.rawValue
                let values = try MutableColumn(cluster.leaf(of: column, in: space), .backlinks, in: space)
                for row in 0..<cluster.count where values.numbers[row] != 0 {
                    let count = try changes.origins(values.numbers[row], in: space).count
                    owners[row] += count
                    guard isMixed, count > 0 else { continue }
                    found.inMixed.append(cluster.key(unchecked: row))
                    if found.mixedProperty == nil {
                        found.mixedProperty = property(layout.oppositeColumn, layout.oppositeTable)
                    }
                }
            }
            for row in 0..<cluster.count {
                if owners[row] == 0 { found.orphans.append(cluster.key(unchecked: row)) }
                if owners[row] > 1 { found.shared.append(cluster.key(unchecked: row)) }
            }
        }
        return found
    }

    /// Checks that no object is embedded in itself.
    private func checkCycles(_ table: TableDescription) throws {
        func isInside(_ owner: TableDescription) -> Bool {
            owner.schema.kind == .embedded || owner.schema.key == table.schema.key
        }
        let owners = table.layout.columns.filter(\.isBacklink).compactMap { base.position(of: $0.oppositeTable) }
        guard owners.contains(where: { isInside(base.cores[$0]) }) else { return }
        /// Objects of the class that are known to be embedded, at any depth, in a top-level object.
        var known: Set<ObjectKey> = []
        for start in try allKeys(of: table) {
            var path: Set<ObjectKey> = []
            var place = (table: table, key: start)
            while isInside(place.table) {
                if place.table.schema.key == table.schema.key {
                    if known.contains(place.key) { break }
                    guard path.insert(place.key).inserted else {
                        throw InvalidValue(.badSchema, "the object would live inside itself").at(
                            table: table.schema.tableName, objectKey: place.key)
                    }
                }
                guard let owner = try self.owner(of: place.key, in: place.table) else { break }
                place = owner
            }
            known.formUnion(path)
        }
    }

    /// The owner of an object; nil if there is none.
    private func owner(
        of key: ObjectKey, in table: TableDescription
    ) throws(FormatError) -> (table: TableDescription, key: ObjectKey)? {
        guard let (cluster, row) = try table.objects.find(key) else { return nil }
        for (column, layout) in zip(table.backlinkColumns, table.layout.columns.filter(\.isBacklink)) {
            let element = try cluster.leaf(of: column, in: base.space).rawElement(at: row)
            guard let position = base.position(of: layout.oppositeTable) else { continue }
            switch Slot(element) {
            case .empty: continue
            case .tagged(let number): return (base.cores[position], ObjectKey(Int64(bitPattern: number)))
            case .ref(let root):
                var budget = WorkBudget(for: base.space)
                let origins = try BPlusTree.numbers(at: root, in: base.space, &budget)
                guard let first = origins.first else { continue }
                return (base.cores[position], ObjectKey(first))
            }
        }
        return nil
    }
}

/// Objects without the single owner that an embedded object needs.
package struct MisownedObjects {
    /// Objects without links to them.
    package var orphans: [ObjectKey] = []
    /// Objects with several links to them.
    package var shared: [ObjectKey] = []
    /// Objects that Mixed values link to, once for each link.
    package var inMixed: [ObjectKey] = []
    /// The first property with such Mixed values, as in `Person.any`.
    package var mixedProperty: String?
}
