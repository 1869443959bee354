internal import RealmLayout
internal import RealmReader

/// What the loop over fields does with a value.
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
    /// A link whose target's identity, a text, was looked up for many rows at once.
    case textLink
    case embedded
    /// A list or set.
    case list
    case dictionary
    /// What is too rare for a place in the loop.
    case other
    /// Nothing: the leaf cannot be read.
    case lost
}

/// A property with its leaf of the cluster at hand: what the loop over fields reads for a value, side by side.
struct OpenExportField: BitwiseCopyable {
    /// The name as the sink takes it.
    let key: ByteView
    let leaf: ColumnLeaf
    let step: DecodeStep
    /// Whether this is the document's identity, which is written even where it is null.
    let isIdentity: Bool
    /// Whether what is lost of the values is counted: of an identity that is written as a property, too, only there.
    let countsLoss: Bool
    private let storedNumber: Int32
    private let storedTarget: Int32

    /// The number of the field in the plan.
    var number: Int { Int(storedNumber) }
    /// As in the field.
    var target: TablePosition { TablePosition(Int(storedTarget)) }

    /// Decides once a leaf what is done for each of its values.
    ///
    /// - Parameter readsAhead: whether identities that are texts are looked up for many rows at once.
    init(_ number: Int, _ field: ExportField, _ leaf: ColumnLeaf, readsAhead: Bool) {
        key = field.key
        self.leaf = leaf
        step = Self.step(field, leaf, readsAhead)
        isIdentity = false
        countsLoss = true
        storedNumber = Int32(truncatingIfNeeded: number)
        storedTarget = field.storedTarget
    }

    /// A property whose leaf cannot be read.
    ///
    /// - Parameter nowhere: stands for the leaf.
    init(lost number: Int, _ field: ExportField, _ nowhere: ColumnLeaf, key: ByteView? = nil) {
        self.key = key ?? field.key
        leaf = nowhere
        step = .lost
        isIdentity = key != nil
        countsLoss = false
        storedNumber = Int32(truncatingIfNeeded: number)
        storedTarget = field.storedTarget
    }

    /// The identity of a class's objects: their primary key under another name.
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
        switch field.shape {
        case .list, .set: return .list
        case .stringDictionary, .intDictionary: return .dictionary
        case .value: break
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

/// The fields of an object that are written, as leaves one after the other.
struct ObjectFields: BitwiseCopyable {
    let leaves: UncheckedSpan<OpenExportField>
    let first: Int
    /// Behind the last.
    let end: Int
    /// The position of the object's table.
    let position: TablePosition
}
