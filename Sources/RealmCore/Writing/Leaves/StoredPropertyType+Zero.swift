internal import RealmLayout

extension StoredPropertyType {
    /// Default value of a property that cannot be null: zero, or an empty value.
    package var zero: MixedValue {
        switch self {
        case .int: .int(0)
        case .bool: .bool(false)
        case .float: .float(bits: 0)
        case .double: .double(bits: 0)
        case .string: .string(.empty)
        case .binary: .binary(.empty)
        case .timestamp: Timestamp(seconds: 0, nanoseconds: 0).map { .timestamp($0) } ?? .null
        case .decimal128: .decimal128(.zero)
        case .objectId: .objectId(Self.zeros.slice(unchecked: 0, count: 12))
        case .uuid: .uuid(Self.zeros)
        case .mixed, .link: .null
        }
    }

    private static let zeros = ByteView.copy(of: [UInt8](repeating: 0, count: 16))
}
