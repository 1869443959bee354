internal import RealmLayout
internal import RealmReader

/// What the loop over fields does with a value: the form, and the encoding where it matters.
enum FieldStep: UInt8, BitwiseCopyable {
    /// Integers of any width, and of the widths that are whole bytes.
    case int
    case int8
    case int16
    case int32
    case int64
    case nullableInt
    case bool
    case double
    /// Short strings of any width, and of widths that are whole words.
    case shortString
    case shortString8
    case shortString16
    case shortString32
    case mediumString
    case bigString
    case timestamp
    case decimal128
    case objectId
    case uuid
    case link
    /// A link whose target's identity is an integer.
    case integerLink
    /// A link whose target's identity, a text, was looked up for many rows at once.
    case textLink
    case embedded
    /// A list or set.
    case list
    case dictionary
    /// What is too rare for a place in the loop.
    case other
}

/// A property with its leaf of the cluster at hand: what the loop over fields reads for a value, side by side.
struct FieldLeaf: BitwiseCopyable {
    /// The name as the sink takes it.
    let key: ByteView
    let leaf: ColumnLeaf
    let step: FieldStep
    /// Whether this is the document's identity, which is written even where it is null.
    let isIdentity: Bool
    /// Whether what is lost of the values is counted: of an identity that is written as a property, too, only there.
    let countsLoss: Bool
    private let storedNumber: Int32
    private let storedTarget: Int32

    /// The number of the field in the plan.
    var number: Int { Int(storedNumber) }
    /// The position of the table that links lead to; -1 for none.
    var targetPosition: Int { Int(storedTarget) }

    /// Decides once a leaf what is done for each of its values.
    ///
    /// - Parameter readsAhead: whether identities that are texts are looked up for many rows at once.
    init(_ number: Int, _ field: FieldPlan, _ leaf: ColumnLeaf, readsAhead: Bool) {
        key = field.key
        self.leaf = leaf
        step = Self.step(field, leaf, readsAhead)
        isIdentity = false
        countsLoss = true
        storedNumber = Int32(truncatingIfNeeded: number)
        storedTarget = field.target
    }

    /// The identity of a class's objects: their primary key under another name.
    init(identity field: FieldPlan, _ number: Int, _ leaf: ColumnLeaf, key: ByteView, countsLoss: Bool) {
        self.key = key
        self.leaf = leaf
        step = Self.step(field, leaf, false)
        isIdentity = true
        self.countsLoss = countsLoss
        storedNumber = Int32(truncatingIfNeeded: number)
        storedTarget = field.target
    }

    private static func step(_ field: FieldPlan, _ leaf: ColumnLeaf, _ readsAhead: Bool) -> FieldStep {
        switch field.shape {
        case .list, .set: return .list
        case .stringDictionary, .intDictionary: return .dictionary
        case .value: break
        }
        switch field.form {
        case .int: return integerStep(leaf)
        case .nullableInt: return .nullableInt
        case .bool: return .bool
        case .double: return .double
        case .timestamp: return .timestamp
        case .decimal128: return .decimal128
        case .objectId: return .objectId
        case .uuid: return .uuid
        case .link where field.targetIdentity == .int: return .integerLink
        case .link where field.targetIdentity == .string && readsAhead: return .textLink
        case .link: return .link
        case .embedded: return .embedded
        case .string: return stringStep(leaf)
        case .binary, .mixed, .float: return .other
        }
    }

    private static func integerStep(_ leaf: ColumnLeaf) -> FieldStep {
        switch leaf.integerWidth {
        case 8: .int8
        case 16: .int16
        case 32: .int32
        case 64: .int64
        default: .int
        }
    }

    private static func stringStep(_ leaf: ColumnLeaf) -> FieldStep {
        guard leaf.hasPlainStrings else { return .other }
        switch (leaf.encoding, leaf.shortStringWidth) {
        case (.shortStrings, 8): return .shortString8
        case (.shortStrings, 16): return .shortString16
        case (.shortStrings, 32): return .shortString32
        case (.shortStrings, _): return .shortString
        case (.mediumStrings, _): return .mediumString
        case (.bigStrings, _): return .bigString
        default: return .other
        }
    }
}

/// The fields of an object that are written, as leaves one after the other.
struct ObjectFields: BitwiseCopyable {
    let leaves: SlabView<FieldLeaf>
    let first: Int
    /// Behind the last.
    let end: Int
    /// The position of the object's table.
    let position: Int
}
