internal import RealmCore
package import RealmLayout

/// The changes of one commit, as its changeset tells them (Spec 80). It contains no values.
package struct CommitChanges: Sendable {
    /// The tables, in the order in which the commit changed them first.
    package private(set) var tables: [ChangedTable] = []
    /// The reason why the rest of the changeset cannot be read; nil when all of it was read.
    package private(set) var problem: String?

    /// The changes of a table.
    package struct ChangedTable: Sendable {
        /// The key of the table.
        package let key: TableKey
        package fileprivate(set) var isAdded = false
        package fileprivate(set) var isRemoved = false
        package fileprivate(set) var isRenamed = false
        package fileprivate(set) var addedColumns: [ColumnKey] = []
        package fileprivate(set) var removedColumns: [ColumnKey] = []
        package fileprivate(set) var renamedColumns: [ColumnKey] = []
        /// Whether all objects were removed by one instruction, as Realm Core 6 did.
        package fileprivate(set) var isCleared = false
        /// The objects that were added; also those that the commit removed again.
        package fileprivate(set) var added: [ObjectKey] = []
        /// The objects that were removed.
        package fileprivate(set) var removed: [ObjectKey] = []
        /// The objects that existed before and still exist, with the columns that were set, in the order of the first
        /// change.
        package fileprivate(set) var changed: [ChangedObject] = []

        fileprivate var places: [ObjectKey: Int] = [:]
        fileprivate var isSet: Set<Place> = []
        fileprivate var isNew: Set<ObjectKey> = []
        fileprivate var isGone: Set<ObjectKey> = []

        /// A column of an object.
        fileprivate struct Place: Hashable {
            let column: ColumnKey
            let object: ObjectKey
        }

        fileprivate init(_ key: TableKey) { self.key = key }
    }

    /// An object with changed columns.
    package struct ChangedObject: Equatable, Sendable {
        package let key: ObjectKey
        /// The columns, in the order of the first change.
        package fileprivate(set) var columns: [ColumnKey]
    }

    private var numbers: [TableKey: Int] = [:]
    private var selected: TableKey?
    private var collection: (column: ColumnKey, object: ObjectKey)?

    init(_ bytes: ByteView) {
        var parser = Changeset(bytes)
        while !parser.isAtEnd {
            let start = parser.offset
            guard let instruction = parser.next() else {
                problem = Changeset.problem(at: start)
                break
            }
            apply(instruction)
        }
        for index in tables.indices { tables[index].finish() }
    }

    private mutating func apply(_ instruction: Changeset.Instruction) {
        switch instruction {
        case .addTable(let key): change(key) { $0.isAdded = true }
        case .removeTable(let key): change(key) { $0.isRemoved = true }
        case .renameTable(let key): change(key) { $0.isRenamed = true }
        case .selectTable(let key): selected = key
        case .addColumn(let key): change(selected) { $0.addedColumns.append(key) }
        case .removeColumn(let key): change(selected) { $0.removedColumns.append(key) }
        case .renameColumn(let key): change(selected) { $0.renamedColumns.append(key) }
        case .addObject(let key): change(selected) { $0.add(key) }
        case .removeObject(let key): change(selected) { $0.remove(key) }
        case .removeAllObjects: change(selected) { $0.isCleared = true }
        case .set(let column, let object): change(selected) { $0.set(column, object) }
        case .selectCollection(let column, let object): collection = (column, object)
        case .changeCollection:
            guard let collection else { return }
            change(selected) { $0.set(collection.column, collection.object) }
        case .changeTarget: break
        }
    }

    private mutating func change(_ key: TableKey?, _ body: (inout ChangedTable) -> Void) {
        // Without a selected table the instruction says nothing.
        guard let key else { return }
        let number = numbers[key] ?? tables.count
        if number == tables.count {
            numbers[key] = number
            tables.append(ChangedTable(key))
        }
        body(&tables[number])
    }
}

extension CommitChanges.ChangedTable {
    fileprivate mutating func add(_ key: ObjectKey) {
        if isNew.insert(key).inserted { added.append(key) }
    }

    fileprivate mutating func remove(_ key: ObjectKey) {
        if isGone.insert(key).inserted { removed.append(key) }
    }

    fileprivate mutating func set(_ column: ColumnKey, _ object: ObjectKey) {
        guard isSet.insert(Place(column: column, object: object)).inserted else { return }
        if let place = places[object] {
            changed[place].columns.append(column)
        } else {
            places[object] = changed.count
            changed.append(.init(key: object, columns: [column]))
        }
    }

    /// Leaves out changes of objects that are new or gone.
    fileprivate mutating func finish() {
        if !isNew.isEmpty || !isGone.isEmpty {
            let (new, gone) = (isNew, isGone)
            changed.removeAll { new.contains($0.key) || gone.contains($0.key) }
        }
        (places, isSet, isNew, isGone) = ([:], [], [], [])
    }
}
