internal import RealmLayout
internal import RealmReader

/// One property of a class, ready for the writing loop.
struct ExportField: BitwiseCopyable {
    /// The name as the sink takes it.
    let key: ByteView
    /// The form of the value, or of a collection's elements.
    let form: ScalarKind
    let shape: CollectionShape
    /// How elements of a collection are read.
    let elementType: LeafType
    /// Whether values in a dictionary of links are identities, not DBRefs.
    let hasPlainLinks: Bool
    /// The number of `target` in few bytes.
    let storedTarget: Int32
    /// The form of the primary key of the class that links lead to; nil where there is none.
    var targetIdentity: ScalarKind?

    /// The table that links lead to; `none` for a property of no links.
    var target: TablePosition { TablePosition(Int(truncatingIfNeeded: storedTarget)) }
}

/// One table, ready for the writing loop.
struct TablePlan: BitwiseCopyable {
    enum Identity: UInt8, BitwiseCopyable {
        case primaryKey
        case objectKey
    }

    /// The fields are `fields[firstField ..< firstField + fieldCount]` of the plan.
    let firstField: Int
    let fieldCount: Int
    let identity: Identity
    /// The number of the primary key among the fields; -1 for none.
    let primaryField: Int
    /// Whether the primary key is called `_id` and so not written a second time.
    let isPrimaryKeyIdentity: Bool
    let isEmbedded: Bool
    /// The bytes of all fields' keys and of the identity's together.
    let keyBytes: Int
    /// The class's name as a string of a DBRef.
    let name: ByteView
}
