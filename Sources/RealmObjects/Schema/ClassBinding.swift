internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// A model class in the file of a realm: the position of its table, and the table's property for each of its own.
@safe
final class ClassBinding {
    /// The realm owns its bindings.
    private unowned(unsafe) let state: RealmInstance
    let model: ModelClass
    private(set) var position: TablePosition
    /// One for each property of the model. They are accessed whenever a property is read, and change in migrations
    /// only: each access to a mutable array would check for exclusive access.
    private let columns: UnsafeMutableBufferPointer<PropertyIndex>
    /// Finds objects in the realm's snapshot, and nearby ones without a search; nil until it is needed.
    private var lookup: ObjectLookup?
    /// The substitute for a table that the file does not have, or no longer has.
    private var missing: Table?

    init(_ state: RealmInstance, _ model: ModelClass, _ table: Table, isMissing: Bool = false) {
        unsafe self.state = state
        self.model = model
        // The substitute belongs to another database, in which the position means something else.
        position = isMissing ? .none : table.position
        missing = isMissing ? table : nil
        lookup = ObjectLookup(table)
        let columns = model.columns(of: table.schema.properties)
        unsafe self.columns = .allocate(capacity: columns.count)
        _ = unsafe self.columns.initialize(from: columns)
    }

    deinit { unsafe columns.deallocate() }

    var realm: RealmInstance { unsafe state }

    /// Returns the property of the table for a property of the model; `none` if the table does not have it.
    @inline(__always)
    func column(_ index: Int32) -> PropertyIndex { unsafe columns[Int(truncatingIfNeeded: index)] }

    /// The table in the realm's snapshot.
    var table: Table {
        if let missing { return missing }
        if let lookup { return lookup.table }
        let table = realm.snapshot.table(at: position)
        lookup = ObjectLookup(table)
        return table
    }

    /// Returns the object with a key in the realm's snapshot; nil if there is none.
    ///
    /// - Throws: errors of the lookup.
    func stored(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        let table = table
        // Threads share a frozen realm, so nothing is cached there.
        return missing != nil || realm.isFrozen ? try table.object(key) : try lookup?.object(key)
    }

    /// Finds the table and its properties again, after others were added or removed.
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
        // The class has no objects any more.
        let empty = SchemaDefinition([TableDefinition(class: model.className, [])])
        missing = try? RealmStore(inMemory: empty).snapshot().table(named: model.className)
    }

    /// Releases the version of the table: while it is held, its space in the file is not reused.
    func letGo() { lookup = nil }

    /// Returns a view of an object of the class.
    func object(_ key: ObjectKey, _ stored: StoredObject? = nil) -> ObjectBase {
        let object = model.type.init()
        object.show(self, key, stored)
        return object
    }
}
