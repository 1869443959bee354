internal import RealmCore
internal import RealmLayout

/// A property in the form the writing loop needs.
struct ContentField {
    /// The property's index in the schema.
    let property: PropertyIndex
    let column: Column
    let form: ScalarKind
    let collection: CollectionKind?
}

/// A property with its leaf in the current cluster.
struct OpenField: BitwiseCopyable {
    let leaf: ColumnLeaf
    let form: ScalarKind
    let collection: CollectionKind?
    /// Type used to read the elements of a collection.
    let elementType: LeafType
    /// The table of link targets.
    let target: TablePosition?

    init(_ field: ContentField, _ leaf: ColumnLeaf) {
        self.leaf = leaf
        form = field.form
        collection = field.collection
        elementType = field.column.elementType
        target = field.column.target
    }
}
