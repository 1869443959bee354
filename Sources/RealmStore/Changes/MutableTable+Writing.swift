internal import RealmCore
internal import RealmLayout

// Writing the changed nodes of a table.
extension MutableTable {
    /// Writes the changes.
    ///
    /// - Returns: the new top node of the table.
    func write(_ nodes: NodeOutput, _ released: inout FreedNodes) throws -> Ref {
        try objects.tail?.close()
        let current = space.with(overlay: nodes.written)
        let vector = try top.integers(.searchIndexes, in: space)
        var roots = (0..<vector.count).map { vector[unchecked: $0] }
        var hasOtherIndexes = false
        removedObjects.sort()
        for index in indexed {
            let changes = try self.changes(of: index, in: current)
            guard !changes.entries.isEmpty else { continue }
            let property = constraints[index.property]
            var update = IndexUpdate(
                nodes, in: space, hasWords: index.kind == .fullText || property.collection != nil,
                isMixed: property.type == .mixed
            ) { object in
                guard let value = try self.storedValue(of: object, index)
                else {
                    throw FormatError(.noSuchObject, "an index leads to an object that does not exist").at(
                        table: self.core.schema.tableName,
                        property: self.core.schema.properties[index.property].name,
                        objectKey: object)
                }
                return IndexKeyBytes(value)
            }
            roots[column: index.column.index] = Int64(try update.write(index.root, changes, &released).offset)
            hasOtherIndexes = true
        }
        var image = RecordBuilder(top.slots)
        if addedColumns > 0 || !enumerated.isEmpty {
            if let last = layout.columns.map(\.index).max() { roots.makeRoom(for: last, filling: 0) }
            hasOtherIndexes = true
            for column in enumerated {
                try objects.touchAll(column, emptyAt: Self.anyObject)
                try tombstones?.touchAll(column, emptyAt: Self.anyTombstone)
            }
            try writeColumns(&image, nodes, &released)
        }
        if hasOtherIndexes {
            try released.add(top.ref(.searchIndexes), in: space)
            image[.searchIndexes] = .ref(try nodes.refs(roots))
        }
        if !objects.isEmpty {
            var update = ClusterTreeUpdate(objects, nodes)
            image[.clusterTree] = .ref(try update.write(&released))
        }
        if let tombstones, !tombstones.isEmpty {
            var update = ClusterTreeUpdate(tombstones, nodes)
            image[.tombstones] = .ref(try update.write(&released))
        }
        image[.sequenceNumber] = .tagged(sequenceNumber)
        image[.contentVersion] = .tagged((top.slots.number(.contentVersion) ?? 0) + 1)
        released.add(top.node)
        return try nodes.refs(image.elements)
    }

    /// Writes the arrays that describe the columns, after columns were added, or strings are no longer stored once
    /// each.
    private func writeColumns(
        _ image: inout RecordBuilder<TableTopSlot>, _ nodes: NodeOutput, _ released: inout FreedNodes
    ) throws {
        let spec = try Record<SpecSlot>(at: top.requiredRef(.spec), in: space)
        let added = layout.columns.suffix(addedColumns)
        func taken(_ ref: Ref?) throws(FormatError) -> [Int64] {
            guard let ref else { return [] }
            try released.add(ref, in: space)
            let vector = try space.node(at: ref).integers()
            return (0..<vector.count).map { vector[unchecked: $0] }
        }
        func extended(_ ref: Ref?, _ values: [Int64]) throws -> Ref {
            try nodes.integers(taken(ref) + values)
        }
        func replaced(
            _ ref: Ref?, _ value: (ColumnRecord) -> Int64, _ none: Int64
        ) throws -> Ref {
            var values = try taken(ref)
            for column in added {
                values.makeRoom(for: column.index, filling: none)
                values[column: column.index] = value(column.record)
            }
            return try nodes.integers(values)
        }
        var specImage = RecordBuilder(spec.slots)
        specImage[.types] = .ref(try extended(spec.slots.ref(.types), added.map { Int64($0.type.rawValue) }))
        specImage[.attributes] = .ref(try extended(spec.slots.ref(.attributes), added.map { _ in 0 }))
        if !enumerated.isEmpty, let lists = spec.slots.ref(.enumKeys) {
            specImage[.enumKeys] = .empty
            try released.add(everythingBelow: lists, in: space)
        }
        specImage[.columnKeys] = .ref(try extended(spec.slots.ref(.columnKeys), added.map(\.key.value)))
        image[.spec] = .ref(try nodes.refs(specImage.elements))
        released.add(spec.node)
        image[.oppositeTables] = .ref(
            try replaced(
                top.slots.ref(.oppositeTables), { Int64($0.oppositeTable.value) }, Int64(TableKey.null.value)))
        image[.oppositeColumns] = .ref(
            try replaced(top.slots.ref(.oppositeColumns), { $0.oppositeColumn.value }, ColumnKey.null.value))
    }
}
