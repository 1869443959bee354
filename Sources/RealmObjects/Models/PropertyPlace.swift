internal import RealmCore
internal import RealmLayout

/// The location of a property of an object in a realm.
struct PropertyPlace {
    /// Retained here, because the binding does not retain it.
    let realm: RealmInstance
    let binding: ClassBinding
    let key: ObjectKey
    let index: Int32

    init(_ binding: ClassBinding, _ key: ObjectKey, _ index: Int32) {
        (self.binding, self.key, self.index) = (binding, key, index)
        realm = binding.realm
    }

    var property: ModelProperty { binding.model.properties[Int(index)] }
    /// The position of the table, and the property in it.
    var table: TablePosition { binding.position }
    var tableProperty: PropertyIndex { binding.column(index) }
    /// The class and the property name, for messages.
    var name: String { "\(binding.model.className).\(property.name)" }
    /// The name of the property in the file.
    var column: String { property.columnName }
}
