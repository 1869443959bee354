internal import RealmCore
internal import RealmLayout

/// One property of a class, prepared for the writing loop.
struct ExportField: BitwiseCopyable {
    /// The name in the sink's form.
    let key: ByteView
    /// The form of the value, or of a collection's elements.
    let form: ScalarKind
    let collection: CollectionKind?
    /// The leaf type of a collection's elements.
    let elementType: LeafType
    /// Whether values in a dictionary of links are identities, not DBRefs.
    let hasPlainLinks: Bool
    /// `target` in compact form.
    let storedTarget: Int32
    /// The form of the target class's primary key; nil if there is none.
    var targetIdentity: ScalarKind?

    /// The target table of links; `none` for other properties.
    var target: TablePosition { TablePosition(Int(truncatingIfNeeded: storedTarget)) }
}

/// One table, prepared for the writing loop.
struct TablePlan: BitwiseCopyable {
    enum Identity: UInt8, BitwiseCopyable {
        case primaryKey
        case objectKey
    }

    /// The fields are `fields[firstField ..< firstField + fieldCount]` of the plan.
    let firstField: Int
    let fieldCount: Int
    let identity: Identity
    /// The number of the primary key among the fields; -1 if there is none.
    let primaryField: Int
    /// Whether the primary key is called `_id`, and so is not written a second time.
    let isPrimaryKeyIdentity: Bool
    let isEmbedded: Bool
    /// Total size of all fields' keys and the identity's key in bytes.
    let keyBytes: Int
    /// The class's name as a string of a DBRef.
    let name: ByteView
}
