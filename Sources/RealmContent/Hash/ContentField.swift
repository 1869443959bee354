internal import RealmLayout
internal import RealmReader

/// A property as the writing loop needs it.
struct ContentField {
    /// The property's index in the schema.
    let property: PropertyIndex
    let column: Column
    let form: ScalarKind
    let shape: CollectionShape
}

/// A property with its leaf of the cluster at hand.
struct OpenField: BitwiseCopyable {
    let leaf: ColumnLeaf
    let form: ScalarKind
    let shape: CollectionShape
    /// How elements of a collection are read.
    let elementType: LeafType
    /// The table that links lead to.
    let target: TablePosition?

    init(_ field: ContentField, _ leaf: ColumnLeaf) {
        self.leaf = leaf
        form = field.form
        shape = field.shape
        elementType = field.column.elementType
        target = field.column.target
    }
}
