internal import RealmCore
internal import RealmLayout

/// The handling of a value in the field loop.
enum DecodeStep: UInt8, BitwiseCopyable {
    case int
    case nullableInt
    case bool
    case double
    case shortString
    case mediumString
    case bigString
    case timestamp
    case decimal128
    case link
    /// A link whose target has a text identity, looked up for many rows at once.
    case textLink
    case embedded
    /// A list or set.
    case list
    case dictionary
    /// Kinds that are too rare to be handled by the loop.
    case other
    /// None: the leaf cannot be read.
    case lost
}

/// A property with its leaf in the current cluster: the data of a field for the loop over values, in one place.
struct OpenExportField: BitwiseCopyable {
    /// The name in the sink's form.
    let key: ByteView
    let leaf: ColumnLeaf
    let step: DecodeStep
    /// Whether this is the document's identity, which is written even if it is null.
    let isIdentity: Bool
    /// Whether losses of the values are counted. An identity that is also written as a property is counted only there.
    let countsLoss: Bool
    private let storedNumber: Int32
    private let storedTarget: Int32

    /// The number of the field in the plan.
    var number: Int { Int(storedNumber) }
    /// The target table of the field.
    var target: TablePosition { TablePosition(Int(storedTarget)) }

    /// Chooses the handling of a leaf's values once per leaf.
    ///
    /// - Parameter readsAhead: Whether text identities are looked up for many rows at once.
    init(_ number: Int, _ field: ExportField, _ leaf: ColumnLeaf, readsAhead: Bool) {
        key = field.key
        self.leaf = leaf
        step = Self.step(field, leaf, readsAhead)
        isIdentity = false
        countsLoss = true
        storedNumber = Int32(truncatingIfNeeded: number)
        storedTarget = field.storedTarget
    }

    /// Creates a field whose leaf cannot be read.
    ///
    /// - Parameter nowhere: A placeholder for the leaf.
    init(lost number: Int, _ field: ExportField, _ nowhere: ColumnLeaf, key: ByteView? = nil) {
        self.key = key ?? field.key
        leaf = nowhere
        step = .lost
        isIdentity = key != nil
        countsLoss = false
        storedNumber = Int32(truncatingIfNeeded: number)
        storedTarget = field.storedTarget
    }

    /// Creates the identity of a class's objects: their primary key under another name.
    init(identity field: ExportField, _ number: Int, _ leaf: ColumnLeaf, key: ByteView, countsLoss: Bool) {
        self.key = key
        self.leaf = leaf
        step = Self.step(field, leaf, false)
        isIdentity = true
        self.countsLoss = countsLoss
        storedNumber = Int32(truncatingIfNeeded: number)
        storedTarget = field.storedTarget
    }

    private static func step(_ field: ExportField, _ leaf: ColumnLeaf, _ readsAhead: Bool) -> DecodeStep {
        switch field.collection {
        case .list, .set: return .list
        case .dictionary: return .dictionary
        case nil: break
        }
        switch field.form {
        case .int: return .int
        case .nullableInt: return .nullableInt
        case .bool: return .bool
        case .double: return .double
        case .timestamp: return .timestamp
        case .decimal128: return .decimal128
        case .link where field.targetIdentity == .string && readsAhead: return .textLink
        case .link: return .link
        case .embedded: return .embedded
        case .string: return stringStep(leaf)
        case .binary, .mixed, .float, .objectId, .uuid: return .other
        }
    }

    private static func stringStep(_ leaf: ColumnLeaf) -> DecodeStep {
        guard leaf.hasPlainStrings else { return .other }
        return switch leaf.encoding {
        case .shortStrings: .shortString
        case .mediumStrings: .mediumString
        case .bigStrings: .bigString
        default: .other
        }
    }
}

/// The fields of an object to write, as consecutive leaves.
struct ObjectFields: BitwiseCopyable {
    let leaves: UncheckedSpan<OpenExportField>
    let first: Int
    /// The index after the last leaf.
    let end: Int
    /// The position of the object's table.
    let position: TablePosition
}
