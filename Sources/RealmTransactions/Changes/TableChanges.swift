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
    /// The backlinks that come and go, by the index of their column.
    private var linkChanges: [[LinkChange]] = []
    /// Whether there may be some of an object: a bit for all keys of one hash.
    private var linkTargets: [UInt64] = []
    /// The column of links whose column of backlinks was asked for last, and the index of that one.
    private var lastOrigin: (column: ColumnKey, table: TableKey, index: Int)?
    private var primaryKeyIndex: SearchIndex??
    private var newPrimaryKeys = NewPrimaryKeys()
    /// The name of the class, and what else of the schema each object is asked for: copies of the schema cost more than that.
    let name: String
    let key: TableKey
    let isEmbedded: Bool
    let columnKeys: [ColumnKey]
    /// The properties by name.
    let names: PropertyNames
    /// The properties that are links, Mixed, or collections.
    let otherProperties: [Int]

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
        var storedEntries: [Int64: Entries] = [:]

        /// What an index has of an object.
        enum Entries {
            case one(IndexKeyBytes)
            case several([IndexKeyBytes])
        }

        init(_ property: Int, _ column: Column, _ root: Ref, _ kind: IndexKind) {
            (self.property, self.column, self.root, self.kind) = (property, column, root, kind)
        }
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
        enumerated = core.columns.filter { $0.distinct != nil }
        let properties = core.schema.properties
        constraints = properties.map { PropertyConstraint($0) }
        (name, key) = (core.schema.name, core.schema.key)
        isEmbedded = core.schema.kind == .embedded
        columnKeys = properties.map(\.columnKey)
        names = PropertyNames(properties.map(\.name))
        otherProperties = properties.indices.filter { !properties[$0].isPlain }
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

    var isEmpty: Bool {
        objects.isEmpty && (tombstones?.isEmpty ?? true) && addedColumns == 0 && !linkChanges.contains { !$0.isEmpty }
    }

    /// Whether an object is new.
    func isNew(_ object: ObjectKey) -> Bool { object.value > highestKey }

    /// The objects, or the tombstones, that a key belongs to.
    func tree(of key: ObjectKey) -> ObjectChanges? { key.isUnresolved ? tombstones : objects }

    /// The key of an object that is made next (Spec 50).
    func nextKey(fileIdentifier: UInt64) throws(WriteError) -> ObjectKey {
        while true {
            let number = sequenceNumber
            guard number < Self.lastSequenceNumber else {
                throw .source(
                    FormatError(.badTable, at: core.topRef.offset, "the sequence number \(number) has no next one"))
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
            if try !objects.contains(found) { return found }
        }
    }

    /// Adds the column of backlinks for a column of Mixed values, of which none led here so far.
    ///
    /// - Returns: its index.
    func addBacklinkColumn(of origin: ColumnKey, in table: TableKey) throws(WriteError) -> Int {
        let used = Set(layout.columns.map(\.index))
        let index = (0...used.count).first { !used.contains($0) } ?? used.count
        guard index < Limits.columns else {
            throw .source(FormatError(.badTable, at: core.topRef.offset, "the table has no room for another column"))
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
        guard !isNew(object) else { return }
        for index in indexed where index.storedEntries[object.value] == nil {
            index.storedEntries[object.value] = .several([])
        }
    }

    /// Notes what the indexes hold of an object before it is changed, of one property or of all.
    func noteIndexes(_ object: ObjectKey, property: Int? = nil) throws(WriteError) {
        guard !isNew(object) else { return }
        for index in indexed where property.map({ $0 == index.property }) ?? true {
            guard index.storedEntries[object.value] == nil else { continue }
            index.storedEntries[object.value] = try entries(of: object, index, in: space)
        }
    }

    /// What an index is to hold of an object.
    private func entries(
        of object: ObjectKey, _ index: IndexedColumn, in space: NodeSpace
    ) throws(WriteError) -> IndexedColumn.Entries {
        guard let (cluster, row) = try objects.find(object) else { return .several([]) }
        return try checked { () throws(FormatError) in
            let isList = core.schema.properties[index.property].collection != nil
            if !isList, index.kind != .fullText { return .one(IndexKeyBytes(try cluster.value(row, of: index.column))) }
            let values = try cluster.values(index.column)
            var entries: [IndexKeyBytes] = []
            try Self.forEachEntry(values, row, index.kind, isList: isList, in: space) { entries.append($0) }
            return .several(entries)
        }
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

    private func changes(of index: IndexedColumn, in space: NodeSpace) throws(WriteError) -> IndexChanges {
        let property = core.schema.properties[index.property]
        var changes = IndexChanges(isMixed: property.type == .mixed)
        for (object, old) in index.storedEntries {
            let new = try entries(of: ObjectKey(object), index, in: space)
            if case (.one(let old), .one(let new)) = (old, new) {
                guard old != new else { continue }
                changes.add(old, object, isAdded: false)
                changes.add(new, object, isAdded: true)
                continue
            }
            let (before, now) = (old.all, new.all)
            for value in before where !now.contains(value) { changes.add(value, object, isAdded: false) }
            for value in now where !before.contains(value) { changes.add(value, object, isAdded: true) }
        }
        for cluster in objects.clusters.values { try addNew(of: cluster, index, to: &changes, in: space) }
        let isPlain = property.isPlain && index.kind != .fullText
        for step in try objects.tail?.steps(asking: !isPlain) ?? [] {
            guard case .written(let part) = step else {
                if case .changed(let cluster) = step { try addNew(of: cluster, index, to: &changes, in: space) }
                continue
            }
            try checked { () throws(FormatError) in
                let cluster = try Cluster(space.node(at: part.ref), keyOffset: part.keyOffset, in: space)
                var first = 0
                while first < cluster.count, !isNew(cluster.key(unchecked: first)) { first += 1 }
                try changes.add(
                    cluster.leaf(of: index.column, in: space), first..<cluster.count, of: cluster, in: space)
            }
        }
        changes.sort()
        return changes
    }

    /// Adds the entries of new objects.
    private func addNew(
        of cluster: ClusterChanges, _ index: IndexedColumn, to changes: inout IndexChanges, in space: NodeSpace
    ) throws(WriteError) {
        guard let last = cluster.allKeys.last, isNew(ObjectKey(last)) else { return }
        let isList = core.schema.properties[index.property].collection != nil
        var added = changes
        try checked { () throws(FormatError) in
            let values = try cluster.values(index.column)
            for row in cluster.rows.reversed() {
                let key = cluster.allKeys[row]
                if !isNew(ObjectKey(key)) { break }
                try Self.forEachEntry(values, row, index.kind, isList: isList, in: space) {
                    added.add($0, key, isAdded: true)
                }
            }
        }
        changes = added
    }

    // MARK: Primary keys

    /// The object with a primary key, as the transaction has it.
    func object(primaryKey value: IndexKeyBytes, in snapshot: Snapshot) throws(WriteError) -> ObjectKey? {
        if let key = newPrimaryKeys[value] { return key }
        // Without objects in the file there is nothing to look for.
        guard highestKey >= 0, let primary = core.primaryKeyIndex else { return nil }
        if primaryKeyIndex == nil { primaryKeyIndex = .some(SearchIndex(ofPrimaryKey: snapshot.table(at: position))) }
        guard let index = primaryKeyIndex ?? nil else { return nil }
        switch try checked({ () throws(FormatError) in try index.found { value.chunk($0) } }) {
        case .nothing: return nil
        case .one(let key): return try has(value, key, core.columns[primary]) ? key : nil
        case .list:
            var copy = index
            let keys = try checked { () throws(FormatError) in try copy.candidates { value.chunk($0) } }
            for key in keys where try has(value, key, core.columns[primary]) { return key }
            return nil
        }
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

    private func has(_ value: IndexKeyBytes, _ key: ObjectKey, _ column: Column) throws(WriteError) -> Bool {
        guard !isNew(key), let (cluster, row) = try objects.find(key) else { return false }
        return try checked { () throws(FormatError) in IndexKeyBytes(try cluster.value(row, of: column)) } == value
    }

    /// Whether objects with primary keys have been added.
    var hasNewPrimaryKeys: Bool { !newPrimaryKeys.isEmpty }

    /// Notes the primary key of a new object.
    func note(primaryKey value: IndexKeyBytes, of object: ObjectKey) { newPrimaryKeys.add(value, of: object) }

    /// Forgets the primary key of an object that is removed.
    func forget(primaryKey value: IndexKeyBytes) { newPrimaryKeys.remove(value) }

    // MARK: Backlinks

    /// Notes a link to an object of this table.
    ///
    /// - Parameter column: the index of the column of backlinks.
    func note(_ change: LinkChange, in column: Int) {
        while linkChanges.count <= column { linkChanges.append([]) }
        linkChanges[column].append(change)
        if linkTargets.isEmpty { linkTargets = [UInt64](repeating: 0, count: 256) }
        let hash = Self.hash(change.target)
        linkTargets[hash >> 6] |= 1 << UInt64(hash & 63)
    }

    /// 14 bits.
    private static func hash(_ key: ObjectKey) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: key.value) &* 0x9E37_79B9_7F4A_7C15) &>> 50)
    }

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
    ///
    /// - Parameter target: of an object: unless one may lead there, nothing is done.
    func settleLinks(
        _ nodes: NodeOutput, _ released: inout ReleasedNodes, of target: ObjectKey? = nil
    ) throws(WriteError) {
        guard !linkTargets.isEmpty else { return }
        if let target {
            let hash = Self.hash(target)
            guard linkTargets[hash >> 6] & (1 << UInt64(hash & 63)) != 0 else { return }
        }
        let noted = linkChanges
        linkChanges = []
        linkTargets = []
        for (column, changes) in noted.enumerated() {
            let changes = LinkChange.sorted(changes)
            var start = 0
            while start < changes.count {
                var end = start + 1
                while end < changes.count, changes[end].target == changes[start].target { end += 1 }
                try settle(changes[start..<end], in: column, nodes, &released)
                start = end
            }
        }
    }

    private func settle(
        _ changes: ArraySlice<LinkChange>, in columnIndex: Int, _ nodes: NodeOutput, _ released: inout ReleasedNodes
    ) throws(WriteError) {
        let target = changes[changes.startIndex].target
        let space = space.with(overlay: nodes.written)
        let place = try tree(of: target)?.find(target)
        // The object may have been removed after the link was made.
        guard let (cluster, row) = place, let column = objects.slots[columnIndex] else { return }
        let values = try checked { () throws(FormatError) in try cluster.values(column) }
        let old = values.numbers[row]
        var origins = try checked { () throws(FormatError) -> [Int64] in try self.origins(old, in: space) }
        var gone: [Int64] = []
        for change in changes {
            if change.isAdded { origins.append(change.origin.value) } else { gone.append(change.origin.value) }
        }
        guard origins.removeLast(ofEach: gone) else {
            throw .source(
                FormatError(.badLink, "an object has no backlink for a link that leads to it").at(
                    table: core.schema.tableName, objectKey: target))
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
        try objects.tail?.close()
        let current = space.with(overlay: nodes.written)
        var roots = try checked { () throws(FormatError) -> [Int64] in
            let vector = try top.integers(.searchIndexes, in: space)
            return (0..<vector.count).map { vector[unchecked: $0] }
        }
        var hasOtherIndexes = false
        for index in indexed {
            let changes = try self.changes(of: index, in: current)
            guard !changes.entries.isEmpty else { continue }
            let property = core.schema.properties[index.property]
            var update = IndexUpdate(
                nodes, in: space, hasWords: index.kind == .fullText || property.collection != nil,
                isMixed: property.type == .mixed
            ) { object throws(WriteError) in
                guard let (cluster, row) = try self.objects.find(object) else {
                    throw .source(
                        FormatError(.noSuchObject, "an index leads to an object that does not exist").at(
                            table: self.core.schema.tableName, property: property.name, objectKey: object))
                }
                return try checked { () throws(FormatError) in
                    IndexKeyBytes(try cluster.value(row, of: index.column))
                }
            }
            roots[index.column.index] = Int64(try update.write(index.root, changes, &released).offset)
            hasOtherIndexes = true
        }
        var image = RecordImage(top.slots)
        if addedColumns > 0 || !enumerated.isEmpty {
            let count = (layout.columns.map(\.index).max() ?? -1) + 1
            roots += [Int64](repeating: 0, count: max(0, count - roots.count))
            hasOtherIndexes = true
            for column in enumerated {
                try objects.touchAll(column, emptyAt: Self.anyObject)
                try tombstones?.touchAll(column, emptyAt: Self.anyTombstone)
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

extension TableChanges.IndexedColumn.Entries {
    fileprivate var all: [IndexKeyBytes] {
        switch self {
        case .one(let value): [value]
        case .several(let values): values
        }
    }
}

extension [Int64] {
    /// Removes the last of those that equal a number, for each of some numbers.
    ///
    /// - Returns: whether there was one for each.
    fileprivate mutating func removeLast(ofEach numbers: [Int64]) -> Bool {
        guard numbers.count > 4 else {
            for number in numbers {
                guard let index = lastIndex(of: number) else { return false }
                remove(at: index)
            }
            return true
        }
        var counts: [Int64: Int] = [:]
        for number in numbers { counts[number, default: 0] += 1 }
        var left = numbers.count
        var kept: [Int64] = []
        kept.reserveCapacity(count)
        for number in reversed() {
            if left > 0, let times = counts[number], times > 0 {
                counts[number] = times - 1
                left -= 1
            } else {
                kept.append(number)
            }
        }
        self = kept.reversed()
        return left == 0
    }
}
