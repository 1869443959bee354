internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// What a transaction changes of a table.
final class TableChanges {
    let core: ResolvedTable
    private(set) var layout: TableLayout
    /// The table's index in the snapshot's tables.
    let position: Int
    let objects: ObjectChanges
    let tombstones: ObjectChanges?
    let constraints: [PropertyConstraint]
    /// The columns that have an index.
    let indexed: [IndexedColumn]
    private let space: NodeSpace
    private let top: Record<TableTopSlot>
    private var sequenceNumber: UInt64
    /// The highest key of the base: objects with higher ones are new.
    private let highestKey: Int64
    private var linkChanges: [LinkChange] = []
    /// The column of links whose column of backlinks was asked for last, and the index of that one.
    private var lastOrigin: (column: ColumnKey, table: TableKey, index: Int)?
    /// The primary keys of new objects.
    private var primaryKeyIndex: SearchIndex??
    private var newPrimaryKeys: [IndexKeyBytes: ObjectKey] = [:]

    /// Columns that hold each string once. A table that changes holds plain strings from then on.
    private let enumerated: [Column]
    /// The tombstones by their primary keys, once they were asked for.
    private var tombstoneKeys: [IndexKeyBytes: ObjectKey]?

    /// The number of columns that have been added to the layout.
    private var addedColumns = 0

    /// Keys that could be in trees without objects.
    private static let anyObject = ObjectKey(0)
    private static let anyTombstone = ObjectKey(-2)

    /// More objects than these were never made in one table; keys that are made of them have room for other parts.
    private static let lastSequenceNumber: UInt64 = 1 << 46

    /// A column with an index, and what it held of objects of the base that the transaction changed.
    final class IndexedColumn {
        /// The property's index in the schema.
        let property: Int
        let column: Column
        let root: Ref
        let kind: IndexKind
        var storedEntries: [Int64: [IndexKeyBytes]] = [:]

        init(_ property: Int, _ column: Column, _ root: Ref, _ kind: IndexKind) {
            (self.property, self.column, self.root, self.kind) = (property, column, root, kind)
        }
    }

    /// A backlink that comes or goes.
    struct LinkChange {
        /// The index of the column of backlinks.
        let column: Int
        let target: ObjectKey
        let origin: ObjectKey
        let isAdded: Bool
    }

    init(_ snapshot: Snapshot, at position: Int) throws(FormatError) {
        let space = snapshot.space
        let core = snapshot.cores[position]
        self.core = core
        self.position = position
        self.space = space
        layout = core.layout
        top = try Record<TableTopSlot>(at: core.topRef, in: space)
        sequenceNumber = try top.number(.sequenceNumber) ?? 0
        let columns = core.columns + core.backlinkColumns
        objects = ObjectChanges(core.objects, columns)
        tombstones = core.tombstones.map { ObjectChanges($0, columns) }
        constraints = core.schema.properties.map { PropertyConstraint($0) }
        enumerated = core.columns.filter { $0.distinct != nil }
        var indexed: [IndexedColumn] = []
        let roots = try top.integers(.searchIndexes, in: space)
        for (index, property) in core.schema.properties.enumerated() {
            guard let root = roots.element(at: core.columns[index].index).flatMap({ Slot($0).ref }) else { continue }
            indexed.append(
                IndexedColumn(index, core.columns[index], root, property.index == .fullText ? .fullText : .general))
        }
        self.indexed = indexed
        let end = try core.objects.location(of: ObjectKey(.max - 1))
        let last = try Cluster(space.node(at: end.ref), keyOffset: end.keyOffset, in: space)
        highestKey = last.count > 0 ? last.key(unchecked: last.count - 1).value : -1
    }

    var isEmpty: Bool { objects.isEmpty && (tombstones?.isEmpty ?? true) && linkChanges.isEmpty && addedColumns == 0 }

    /// The objects, or the tombstones, that a key belongs to.
    func tree(of key: ObjectKey) -> ObjectChanges? { key.isUnresolved ? tombstones : objects }

    /// The key of an object that is made next (Spec 50).
    func nextKey(fileIdentifier: UInt64) throws(FormatError) -> ObjectKey {
        while true {
            let number = sequenceNumber
            guard number < Self.lastSequenceNumber else {
                throw FormatError(.badTable, at: core.topRef.offset, "the sequence number \(number) has no next one")
            }
            sequenceNumber += 1
            let key: UInt64 =
                if layout.primaryKey != nil {
                    number
                } else {
                    number & 0xFF | (fileIdentifier & 0xFF) << 8 | (number & 0xFFFF_FF00) << 8
                        | (fileIdentifier & 0x3FFF_FF00) << 32
                }
            let found = ObjectKey(Int64(bitPattern: key))
            if found.value > highestKey { return found }
            if try objects.find(found) == nil { return found }
        }
    }

    /// Adds the column of backlinks for a column of Mixed values, of which none led here so far.
    ///
    /// - Returns: its index.
    func addBacklinkColumn(of origin: ColumnKey, in table: TableKey) throws(FormatError) -> Int {
        let used = Set(layout.columns.map(\.index))
        let index = (0...used.count).first { !used.contains($0) } ?? used.count
        guard index < Limits.columns else {
            throw FormatError(.badTable, at: core.topRef.offset, "the table has no room for another column")
        }
        // The table's key tells columns of different tables apart, the number those of one index (Spec 60).
        let number = UInt32(truncatingIfNeeded: top.slots.number(.columnKeySequence) ?? 0)
        let tag = TableKey(number ^ layout.key.value)
        var record = ColumnRecord(
            key: ColumnKey(index: index, type: .backLink, attributes: [], table: tag), type: .backLink)
        record.oppositeTable = table
        record.oppositeColumn = origin
        layout.columns.append(ColumnLayout(name: nil, record))
        addedColumns += 1
        let column = Column(backlinksAt: index, from: nil)
        try objects.add(column, emptyAt: Self.anyObject)
        try tombstones?.add(column, emptyAt: Self.anyTombstone)
        return index
    }

    // MARK: Indexes

    /// Notes that an object is new, which its key alone does not tell.
    func noteNew(_ object: ObjectKey) {
        guard object.value <= highestKey else { return }
        for index in indexed where index.storedEntries[object.value] == nil { index.storedEntries[object.value] = [] }
    }

    /// Notes what the indexes hold of an object before it is changed, of one property or of all.
    func noteIndexes(_ object: ObjectKey, property: Int? = nil) throws(FormatError) {
        guard object.value <= highestKey else { return }
        for index in indexed where property.map({ $0 == index.property }) ?? true {
            guard index.storedEntries[object.value] == nil else { continue }
            index.storedEntries[object.value] = try entries(of: object, index, in: space)
        }
    }

    /// What an index is to hold of an object.
    private func entries(
        of object: ObjectKey, _ index: IndexedColumn, in space: NodeSpace
    ) throws(FormatError) -> [IndexKeyBytes] {
        guard let (cluster, row) = try objects.find(object) else { return [] }
        var entries: [IndexKeyBytes] = []
        try forEachEntry(cluster.values(index.column), row, index, in: space) { entries.append($0) }
        return entries
    }

    private func forEachEntry(
        _ values: ColumnValues, _ row: Int, _ index: IndexedColumn, in space: NodeSpace,
        _ body: (IndexKeyBytes) -> Void
    ) throws(FormatError) {
        let isList = core.schema.properties[index.property].collection != nil
        try Self.forEachEntry(values, row, index.kind, isList: isList, in: space, body)
    }

    /// Hands out what an index is to hold of a row.
    static func forEachEntry(
        _ values: ColumnValues, _ row: Int, _ kind: IndexKind, isList: Bool, in space: NodeSpace,
        _ body: (IndexKeyBytes) -> Void
    ) throws(FormatError) {
        guard !isList else {
            guard let root = Slot(values.numbers[row]).ref else { return }
            var words: Set<IndexKeyBytes> = []
            var budget = WorkBudget(for: space)
            for leaf in try BPlusTree(root: root, of: .string, in: space).leaves(&budget) {
                for element in 0..<leaf.count {
                    words.insert(IndexKeyBytes(word: try leaf.string(at: element, in: space)?.bytes))
                }
            }
            return words.forEach(body)
        }
        let value = values.value(at: row)
        guard kind == .fullText else { return body(IndexKeyBytes(value)) }
        guard case .string(let text) = value else { return }
        for word in FullTextWords.words(in: text) { body(IndexKeyBytes(word: word)) }
    }

    private func changes(of index: IndexedColumn, in space: NodeSpace) throws(FormatError) -> [IndexChange] {
        var changes: [IndexChange] = []
        for (object, old) in index.storedEntries {
            let new = try entries(of: ObjectKey(object), index, in: space)
            for value in old where !new.contains(value) {
                changes.append(IndexChange(value: value, object: object, isAdded: false))
            }
            for value in new where !old.contains(value) {
                changes.append(IndexChange(value: value, object: object, isAdded: true))
            }
        }
        for cluster in objects.clusters.values where cluster.keys.last ?? -1 > highestKey {
            let values = try cluster.values(index.column)
            for row in cluster.keys.indices.reversed() {
                let key = cluster.keys[row]
                if key <= highestKey { break }
                try forEachEntry(values, row, index, in: space) {
                    changes.append(IndexChange(value: $0, object: key, isAdded: true))
                }
            }
        }
        return changes
    }

    // MARK: Primary keys

    /// The object with a primary key, as the transaction has it.
    func object(primaryKey value: IndexKeyBytes, in snapshot: Snapshot) throws(FormatError) -> ObjectKey? {
        if let key = newPrimaryKeys[value] { return key }
        // Without objects in the file there is nothing to look for.
        guard highestKey >= 0, let primary = core.primaryKeyIndex else { return nil }
        if primaryKeyIndex == nil { primaryKeyIndex = .some(SearchIndex(ofPrimaryKey: snapshot.table(at: position))) }
        guard var index = primaryKeyIndex ?? nil else { return nil }
        for key in try index.candidates({ value.chunk($0) }) where key.value <= highestKey {
            guard let (cluster, row) = try objects.find(key) else { continue }
            if IndexKeyBytes(try cluster.values(core.columns[primary]).value(at: row)) == value { return key }
        }
        return nil
    }

    /// The tombstone with a primary key; nil for none.
    func tombstone(primaryKey value: IndexKeyBytes) throws(FormatError) -> ObjectKey? {
        guard let tree = core.tombstones, let primary = core.primaryKeyIndex else { return nil }
        if tombstoneKeys == nil {
            var keys: [IndexKeyBytes: ObjectKey] = [:]
            var cursor = ClusterCursor(tree)
            while let cluster = try cursor.next() {
                let column = core.columns[primary]
                let values = try ColumnValues(cluster.leaf(of: column, in: space), column.leafType, in: space)
                for row in 0..<cluster.count {
                    keys[IndexKeyBytes(values.value(at: row))] = cluster.key(unchecked: row)
                }
            }
            tombstoneKeys = keys
        }
        return tombstoneKeys?[value]
    }

    /// Forgets a tombstone that became an object.
    func forget(tombstone value: IndexKeyBytes) { tombstoneKeys?[value] = nil }

    /// Notes the primary key of a new object.
    func note(primaryKey value: IndexKeyBytes, of object: ObjectKey) { newPrimaryKeys[value] = object }

    /// Forgets the primary key of an object that is removed.
    func forget(primaryKey value: IndexKeyBytes) { newPrimaryKeys[value] = nil }

    // MARK: Backlinks

    /// Notes a link to an object of this table.
    func note(_ change: LinkChange) { linkChanges.append(change) }

    /// The index of the column of backlinks that belongs to a column of links; nil for none.
    func backlinkColumn(of origin: ColumnKey, in table: TableKey) -> Int? {
        if let last = lastOrigin, last.column == origin, last.table == table { return last.index }
        let found = layout.columns.first {
            $0.isBacklink && $0.oppositeTable == table && $0.oppositeColumn == origin
        }
        guard let found else { return nil }
        lastOrigin = (origin, table, found.index)
        return found.index
    }

    /// The origins of the backlinks of an object.
    func origins(_ element: Int64, in space: NodeSpace) throws(FormatError) -> [Int64] {
        switch Slot(element) {
        case .empty: return []
        case .tagged(let number): return [Int64(bitPattern: number)]
        case .ref(let root):
            var budget = WorkBudget(for: space)
            return try BPlusTree.numbers(at: root, in: space, &budget)
        }
    }

    /// Puts the links that were noted into the columns of backlinks.
    func settleLinks(_ nodes: NodeOutput, _ released: inout ReleasedNodes) throws(WriteError) {
        let changes = linkChanges.sorted {
            $0.column != $1.column
                ? $0.column < $1.column : UInt64(bitPattern: $0.target.value) < UInt64(bitPattern: $1.target.value)
        }
        linkChanges = []
        var start = 0
        while start < changes.count {
            var end = start + 1
            while end < changes.count, changes[end].column == changes[start].column,
                changes[end].target == changes[start].target
            {
                end += 1
            }
            try settle(changes[start..<end], nodes, &released)
            start = end
        }
    }

    private func settle(
        _ changes: ArraySlice<LinkChange>, _ nodes: NodeOutput, _ released: inout ReleasedNodes
    ) throws(WriteError) {
        let first = changes[changes.startIndex]
        let space = NodeSpace(bytes: space.bytes, overlay: nodes.written)
        let place = try checked { () throws(FormatError) -> (cluster: ClusterChanges, row: Int)? in
            try tree(of: first.target)?.find(first.target)
        }
        // The object may have been removed after the link was made.
        guard let (cluster, row) = place, let column = objects.slots[first.column] else { return }
        let values = try checked { () throws(FormatError) in try cluster.values(column) }
        let old = values.numbers[row]
        var origins = try checked { () throws(FormatError) -> [Int64] in try self.origins(old, in: space) }
        for change in changes {
            if change.isAdded {
                origins.append(change.origin.value)
            } else if let index = origins.lastIndex(of: change.origin.value) {
                origins.remove(at: index)
            } else {
                throw .source(
                    FormatError(.badLink, "an object has no backlink for a link that leads to it").at(
                        table: core.schema.tableName, objectKey: first.target))
            }
        }
        if let root = Slot(old).ref {
            try checked { () throws(FormatError) in
                try released.add(tree: root, of: .int(nullable: false), in: space)
            }
        }
        let element =
            switch origins.count {
            case 0: Int64(0)
            case 1: origins[0] << 1 | 1
            default: Int64(try nodes.list(of: origins).offset)
            }
        values.set(row, number: element)
    }

    // MARK: Writing

    /// Writes what changed.
    ///
    /// - Returns: the table's new top node.
    func write(_ nodes: NodeOutput, _ released: inout ReleasedNodes) throws(WriteError) -> Ref {
        let current = NodeSpace(bytes: space.bytes, overlay: nodes.written)
        var roots = try checked { () throws(FormatError) -> [Int64] in
            let vector = try top.integers(.searchIndexes, in: space)
            return (0..<vector.count).map { vector[unchecked: $0] }
        }
        var hasOtherIndexes = false
        for index in indexed {
            let changes = try checked { () throws(FormatError) in try self.changes(of: index, in: current) }
            guard !changes.isEmpty else { continue }
            let property = core.schema.properties[index.property]
            var update = IndexUpdate(
                nodes, in: space, hasWords: index.kind == .fullText || property.collection != nil,
                isMixed: property.type == .mixed
            ) { object throws(FormatError) in
                guard let (cluster, row) = try self.objects.find(object) else {
                    throw FormatError(.noSuchObject, "an index leads to an object that does not exist").at(
                        table: self.core.schema.tableName, property: property.name, objectKey: object)
                }
                return IndexKeyBytes(try cluster.values(index.column).value(at: row))
            }
            roots[index.column.index] = Int64(try update.write(index.root, changes, &released).offset)
            hasOtherIndexes = true
        }
        var image = RecordImage(top.slots)
        if addedColumns > 0 || !enumerated.isEmpty {
            let count = (layout.columns.map(\.index).max() ?? -1) + 1
            roots += [Int64](repeating: 0, count: max(0, count - roots.count))
            hasOtherIndexes = true
            try checked { () throws(FormatError) in
                for column in enumerated {
                    try objects.touchAll(column, emptyAt: Self.anyObject)
                    try tombstones?.touchAll(column, emptyAt: Self.anyTombstone)
                }
            }
            try writeColumns(&image, nodes, &released)
        }
        if hasOtherIndexes {
            try checked { () throws(FormatError) in try released.add(top.ref(.searchIndexes), in: space) }
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

    /// Writes the arrays that describe the columns, after some were added, or no longer hold each string once.
    private func writeColumns(
        _ image: inout RecordImage<TableTopSlot>, _ nodes: NodeOutput, _ released: inout ReleasedNodes
    ) throws(WriteError) {
        let space = space
        let top = top
        let spec = try checked { () throws(FormatError) in
            try Record<SpecSlot>(at: top.requiredRef(.spec), in: space)
        }
        let added = layout.columns.suffix(addedColumns)
        func taken(_ ref: Ref?) throws(WriteError) -> [Int64] {
            try checked { () throws(FormatError) in
                guard let ref else { return [] }
                try released.add(ref, in: space)
                let vector = try space.node(at: ref).integers()
                return (0..<vector.count).map { vector[unchecked: $0] }
            }
        }
        func extended(_ ref: Ref?, _ values: [Int64]) throws(WriteError) -> Ref {
            try nodes.integers(taken(ref) + values)
        }
        func replaced(
            _ ref: Ref?, _ value: (ColumnRecord) -> Int64, _ none: Int64
        ) throws(WriteError) -> Ref {
            var values = try taken(ref)
            for column in added {
                values += [Int64](repeating: none, count: max(0, column.index + 1 - values.count))
                values[column.index] = value(column.record)
            }
            return try nodes.integers(values)
        }
        var specImage = RecordImage(spec.slots)
        specImage[.types] = .ref(try extended(spec.slots.ref(.types), added.map { Int64($0.type.rawValue) }))
        specImage[.attributes] = .ref(try extended(spec.slots.ref(.attributes), added.map { _ in 0 }))
        if !enumerated.isEmpty, let lists = spec.slots.ref(.enumKeys) {
            specImage[.enumKeys] = .empty
            try checked { () throws(FormatError) in try released.add(everythingBelow: lists, in: space) }
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
