internal import RealmLayout
internal import RealmReader
internal import RealmTransactions
internal import RealmWriter

/// A model class in the file of a realm: where its table is, and which of its properties is which of the table's.
@safe
final class ClassBinding {
    /// The realm keeps its bindings.
    private unowned(unsafe) let state: RealmInstance
    let model: ModelClass
    private(set) var position: TablePosition
    /// As many as the model has properties. They are asked for with each property that is read, and change in migrations only: an array that
    /// may change is asked each time whether it is about to.
    private let columns: UnsafeMutableBufferPointer<PropertyIndex>
    /// Finds objects in the realm's snapshot, from one to those near to it without a search; nil until something asks for them.
    private var seeker: ObjectLookup?
    /// The table where the file has none, or none any more.
    private var missing: Table?

    init(_ state: RealmInstance, _ model: ModelClass, _ table: Table, isMissing: Bool = false) {
        unsafe self.state = state
        self.model = model
        // The other table is one of another database, in which the number means something else.
        position = isMissing ? .none : table.position
        missing = isMissing ? table : nil
        seeker = ObjectLookup(table)
        let columns = model.columns(of: table.schema.properties)
        unsafe self.columns = .allocate(capacity: columns.count)
        _ = unsafe self.columns.initialize(from: columns)
    }

    deinit { unsafe columns.deallocate() }

    var realm: RealmInstance { unsafe state }

    /// The property of the table that a property of the model is; `none` for one that the table has not.
    @inline(__always)
    func column(_ index: Int32) -> PropertyIndex { unsafe columns[Int(truncatingIfNeeded: index)] }

    /// The table in the realm's snapshot.
    var table: Table {
        if let missing { return missing }
        if let seeker { return seeker.table }
        let table = realm.snapshot.table(at: position)
        seeker = ObjectLookup(table)
        return table
    }

    /// The object with a key in the realm's snapshot; nil where there is none.
    ///
    /// - Throws: what the way to it throws.
    func stored(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        let table = table
        // Threads share a frozen realm: nothing is noted there.
        return missing != nil || realm.isFrozen ? try table.object(key) : try seeker?.object(key)
    }

    /// Finds the table and its properties again where others have come or gone.
    func follow(from old: Snapshot, to new: Snapshot) {
        guard missing == nil else { return }
        let schema = old.cores[position].schema
        let next = new.position(of: schema.key)
        position = next ?? .none
        let properties = next.map { new.cores[$0].schema.properties } ?? []
        for index in unsafe columns.indices where unsafe columns[index] != .none {
            let key = unsafe schema.properties[columns[index]].columnKey
            unsafe columns[index] = properties.propertyIndex { $0.columnKey == key } ?? .none
        }
        guard next == nil else { return }
        // It has no objects any more.
        let empty = SchemaDefinition([TableDefinition(class: model.className, [])])
        missing = try? RealmStore(inMemory: empty).snapshot().table(named: model.className)
    }

    /// Lets the version go that the table is of: while something has it, its space in the file is not used again.
    func letGo() { seeker = nil }

    /// A view of an object of the class.
    func object(_ key: ObjectKey, _ stored: StoredObject? = nil) -> ObjectBase {
        let object = model.type.init()
        object.show(self, key, stored)
        return object
    }
}
