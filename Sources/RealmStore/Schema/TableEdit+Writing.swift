internal import RealmCore
internal import RealmLayout

extension TableEdit {
    /// Writes the table.
    ///
    /// - Parameters:
    ///   - file: the bytes of the database.
    ///   - identifier: the number of the file among those that are synchronised with each other.
    ///   - released: receives the nodes that are no longer used.
    /// - Returns: the new top node.
    /// - Throws: `misfit` if a value does not fit, or two objects have the same primary key.
    func write(
        _ nodes: NodeOutput, over file: NodeSpace, identifier: UInt64, _ released: inout FreedNodes
    ) throws -> Ref {
        var image = RecordBuilder<TableTopSlot>()
        if let top {
            for slot in TableTopSlot.allCases { image[slot] = top.slots[slot] }
            released.add(top.node)
            for slot: TableTopSlot in [.searchIndexes, .oppositeTables, .oppositeColumns] {
                try released.add(top.ref(slot), in: file)
            }
            for root in droppedRoots { try released.add(everythingBelow: root, in: file) }
        } else {
            image[.tableKey] = .number(Int(key.value))
            image[.sequenceNumber] = .number(0)
        }
        image[.clusterTree] = .ref(try objects(nodes, &released))
        if let tombstones = base?.tombstones, hasOtherColumns {
            var rewrite = ColumnRewrite(self, tombstones, nodes)
            image[.tombstones] = .ref(try rewrite.write(&released))
        }
        let written = file.with(overlay: nodes.written)
        guard let root = image[.clusterTree].ref else {
            throw WriteError.internalInconsistency("a table without objects was written")
        }
        let indexes = try indexes(ClusterTree(root: root, in: written), nodes, &released)
        image[.spec] = .ref(try spec(nodes, over: file, &released))
        image[.searchIndexes] = .ref(try nodes.refs(indexes))
        image[.oppositeTables] = .ref(
            try nodes.integers(byIndex(Int64(TableKey.null.value)) { Int64($0.record.oppositeTable.value) }))
        image[.oppositeColumns] = .ref(
            try nodes.integers(byIndex(ColumnKey.null.value) { $0.record.oppositeColumn.value }))
        image[.columnKeySequence] = .tagged(columnKeySequence)
        if base?.layout.primaryKey != nil, primaryKey == nil {
            let next = try sequenceNumberWithoutPrimaryKey(identifier)
            image[.sequenceNumber] = .tagged(max(top?.slots.number(.sequenceNumber) ?? 0, next))
        }
        image[.contentVersion] = .tagged((top?.slots.number(.contentVersion) ?? 0) + 1)
        image[.primaryKeyColumn] = primaryKey.map { .tagged(UInt64(bitPattern: $0.value)) } ?? .empty
        image[.flags] = .number(kind.rawValue)
        return try nodes.refs(image.elements)
    }

    /// The next sequence number of a class that has no primary key any more: higher than those in keys of its objects
    /// (Spec 50). The existing keys followed no sequence, or one of another form.
    private func sequenceNumberWithoutPrimaryKey(_ fileIdentifier: UInt64) throws(FormatError) -> UInt64 {
        guard let base else { return 0 }
        var next: UInt64 = 0
        var cursor = ClusterCursor(base.objects)
        while let cluster = try cursor.next() {
            next = max(next, 1)
            cluster.forEachKey(unchecked: 0..<cluster.count) { _, key in
                let bits = UInt64(bitPattern: key.value)
                let origin = (bits >> 8) & 0xFF | (bits >> 32) & 0x3FFF_FF00
                // Other keys come from other files, or are hashes.
                guard origin == 0 || origin == fileIdentifier else { return }
                next = max(next, (bits & 0xFF | (bits >> 8) & 0xFFFF_FF00) + 1)
            }
        }
        return next
    }

    /// A number for each column index; `nothing` for unused indexes.
    private func byIndex(_ nothing: Int64, _ number: (EditedColumn) -> Int64) -> [Int64] {
        var numbers = [Int64](repeating: nothing, count: columnCount)
        for column in columns { numbers[column: column.record.index] = number(column) }
        return numbers
    }

    private func objects(_ nodes: NodeOutput, _ released: inout FreedNodes) throws -> Ref {
        guard let base else {
            var leaves: [Int64] = byIndex(0) { _ in 0 }
            for column in columns {
                leaves[column: column.record.index] = Int64(
                    try LeafBuilder(column.column.leafType, nodes).write().offset)
            }
            return try nodes.cluster(keys: [], keyOffset: 0, leaves: leaves).ref
        }
        guard hasOtherColumns else { return base.objects.root }
        var rewrite = ColumnRewrite(self, base.objects, nodes)
        return try rewrite.write(&released)
    }

    private func spec(
        _ nodes: NodeOutput, over file: NodeSpace, _ released: inout FreedNodes
    ) throws -> Ref {
        if let top {
            let spec = try Record<SpecSlot>(at: top.requiredRef(.spec), in: file)
            released.add(spec.node)
            for slot in SpecSlot.allCases { try released.add(spec.ref(slot), in: file) }
        }
        var image = RecordBuilder<SpecSlot>()
        image[.types] = .ref(
            try nodes.integers(columns.map { Int64($0.record.type.rawValue) | $0.record.dictionaryKeyNumber << 16 }))
        image[.names] = .ref(try nodes.names(columns.compactMap(\.name)))
        image[.attributes] = .ref(try nodes.integers(columns.map { Int64($0.record.marks.rawValue) }))
        image[.columnKeys] = .ref(try nodes.integers(columns.map(\.record.key.value)))
        let distinct = columns.filter { $0.name != nil }.map(\.record.distinctStrings)
        if distinct.contains(where: { $0 != .empty }) {
            image[.enumKeys] = .ref(try nodes.refs(distinct.map(\.element)))
        }
        return try nodes.refs(image.elements)
    }

    // MARK: Indexes

    /// The roots of the indexes of all columns; new indexes are built from all objects.
    private func indexes(
        _ objects: ClusterTree, _ nodes: NodeOutput, _ released: inout FreedNodes
    ) throws -> [Int64] {
        var roots = byIndex(0) { $0.record.searchIndex.element }
        for column in columns {
            let isPrimary = column.record.key == primaryKey
            guard column.newIndex != .none || isPrimary && needsUniqueKeys else { continue }
            let entries = try entries(of: column, objects)
            if isPrimary { try checkUnique(entries, column) }
            guard column.newIndex != .none else { continue }
            // Words have levels down to their ends, and different Mixed values may have the same bytes.
            var update = IndexUpdate(
                nodes, in: objects.space,
                hasWords: column.newIndex == .fullText || column.record.collection != nil,
                isMixed: column.record.type == .mixed
            ) { _ in IndexKeyBytes(.null) }
            roots[column: column.record.index] = Int64(try update.write(nil, entries, &released).offset)
        }
        return roots
    }

    private func entries(of column: EditedColumn, _ objects: ClusterTree) throws -> [IndexChange] {
        let reading = column.column
        let isList = column.record.collection != nil
        let kind: IndexKind = column.newIndex == .none ? .general : column.newIndex
        var entries: [IndexChange] = []
        var misfit: InvalidValue?
        let space = objects.space
        var cursor = ClusterCursor(objects)
        while let cluster = try cursor.next() {
            let values = try MutableColumn(cluster.leaf(of: reading, in: space), reading.leafType, in: space)
            for row in 0..<cluster.count {
                let key = cluster.key(unchecked: row)
                try MutableTable.forEachEntry(values, row, kind, isList: isList, in: space) { entry in
                    if isList, misfit == nil {
                        misfit = PropertyConstraint.misfit(ofIndexedElement: entry.bytes?.count ?? 0)?
                            .at(objectKey: key)
                    }
                    entries.append(IndexChange(value: entry, object: key.value, isAdded: true))
                }
            }
        }
        if let misfit {
            throw misfit.at(table: name, property: column.name.map { String(decoding: $0, as: UTF8.self) })
        }
        return entries
    }

    /// Checks that primary keys are unique.
    private func checkUnique(_ entries: [IndexChange], _ column: EditedColumn) throws(InvalidValue) {
        var known: [IndexKeyBytes: Int64] = [:]
        known.reserveCapacity(entries.count)
        for entry in entries {
            guard let other = known.updateValue(entry.object, forKey: entry.value) else { continue }
            let text = entry.value.text(of: column.record.type)
            throw InvalidValue(.duplicatePrimaryKey, "the objects \(other) and \(entry.object) both have \(text)").at(
                table: name, property: column.name.map { String(decoding: $0, as: UTF8.self) },
                objectKey: ObjectKey(entry.object))
        }
    }
}

extension IndexKeyBytes {
    /// The value of a primary key, for messages.
    fileprivate func text(of type: ColumnType) -> String {
        guard let bytes else { return "null" }
        switch type {
        case .int: return "\(bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) })"
        case .objectId: return Hexadecimal.text(bytes)
        case .uuid: return Hexadecimal.uuidText(bytes)
        default: return "\"\(String(decoding: bytes, as: UTF8.self).singleLine)\""
        }
    }
}
