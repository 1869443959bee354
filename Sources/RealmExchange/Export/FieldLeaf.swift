internal import RealmLayout
internal import RealmReader

/// What the loop over fields does with a value: the form, and the encoding where it matters.
enum FieldStep: UInt8, BitwiseCopyable {
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
    case embedded
    case collection
    /// What is too rare for a place in the loop.
    case other
}

/// A property with its leaf of the cluster at hand: what the loop over fields reads for a value, side by side.
struct FieldLeaf: BitwiseCopyable {
    /// The name as the sink takes it.
    let key: ByteView
    let leaf: ColumnLeaf
    /// The number of the field in the plan.
    let number: Int
    let step: FieldStep

    /// Decides once a leaf what is done for each of its values.
    init(_ number: Int, _ field: FieldPlan, _ leaf: ColumnLeaf) {
        key = field.key
        self.leaf = leaf
        self.number = number
        step = Self.step(field, leaf)
    }

    private static func step(_ field: FieldPlan, _ leaf: ColumnLeaf) -> FieldStep {
        guard field.shape == .value else { return .collection }
        switch field.form {
        case .int: return .int
        case .nullableInt: return .nullableInt
        case .bool: return .bool
        case .double: return .double
        case .timestamp: return .timestamp
        case .decimal128: return .decimal128
        case .link: return .link
        case .embedded: return .embedded
        case .string where leaf.isEnumerated: return .other
        case .string where leaf.encoding == .shortStrings: return .shortString
        case .string where leaf.encoding == .mediumStrings: return .mediumString
        case .string where leaf.encoding == .bigStrings: return .bigString
        case .string, .binary, .mixed, .float, .objectId, .uuid: return .other
        }
    }
}
