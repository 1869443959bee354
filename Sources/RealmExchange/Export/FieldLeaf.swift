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
    /// A link whose target's identity, a text, was looked up for many rows at once.
    case textLink
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
    let step: FieldStep
    private let storedNumber: Int32

    /// The number of the field in the plan.
    var number: Int { Int(storedNumber) }

    /// Decides once a leaf what is done for each of its values.
    ///
    /// - Parameter isTextLink: whether it is a link whose targets' identities are looked up for many rows at once.
    init(_ number: Int, _ field: FieldPlan, _ leaf: ColumnLeaf, isTextLink: Bool = false) {
        key = field.key
        self.leaf = leaf
        step = isTextLink ? .textLink : Self.step(field, leaf)
        storedNumber = Int32(truncatingIfNeeded: number)
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
        case .string where !leaf.hasPlainStrings: return .other
        case .string where leaf.encoding == .shortStrings: return .shortString
        case .string where leaf.encoding == .mediumStrings: return .mediumString
        case .string where leaf.encoding == .bigStrings: return .bigString
        case .string, .binary, .mixed, .float, .objectId, .uuid: return .other
        }
    }
}
