internal import RealmLayout
internal import RealmReader

/// A model class in the file of a realm: where its table is, and which of its properties is which of the table's.
final class ClassBinding {
    /// The realm keeps its bindings.
    private unowned(unsafe) let state: RealmState
    let model: ModelClass
    let position: TablePosition
    private let columns: [PropertyIndex]
    private var tableOfStamp: (table: Table, stamp: UInt64)?
    /// The table where the file has none, and never will.
    private let missing: Table?

    init(_ state: RealmState, _ model: ModelClass, _ table: Table, isMissing: Bool = false) {
        unsafe self.state = state
        self.model = model
        // The other table is one of another database, in which the number means something else.
        position = isMissing ? .none : table.position
        missing = isMissing ? table : nil
        tableOfStamp = (table, state.stamp)
        columns = model.columns(of: table.schema.properties)
    }

    var realm: RealmState { unsafe state }

    /// The property of the table that a property of the model is; `none` for one that the table has not.
    @inline(__always)
    func column(_ index: Int32) -> PropertyIndex { columns[Int(truncatingIfNeeded: index)] }

    /// The table in the realm's snapshot.
    var table: Table {
        if let missing { return missing }
        let realm = realm
        if let tableOfStamp, tableOfStamp.stamp == realm.stamp { return tableOfStamp.table }
        let table = realm.snapshot.table(at: position)
        tableOfStamp = (table, realm.stamp)
        return table
    }

    /// Lets the version go that the table is of: while something has it, its space in the file is not used again.
    func letGo() { tableOfStamp = nil }

    /// A view of an object of the class.
    func object(_ key: ObjectKey, _ stored: StoredObject? = nil) -> ObjectBase {
        let object = model.type.init()
        object.show(self, key, stored)
        return object
    }
}
