internal import RealmCore
internal import RealmLayout
internal import RealmStore

extension PropertyDefinition {
    /// The replacement for null in a property, or in the elements of its collection, that cannot be null.
    var zero: NewValue {
        switch type {
        case .int: .int(0)
        case .bool: .bool(false)
        case .string: .string("")
        case .binary: .binary([])
        case .timestamp: Timestamp(seconds: 0, nanoseconds: 0).map { .timestamp($0) } ?? .null
        case .float: .float(0)
        case .double: .double(0)
        case .decimal128: .decimal128(Decimal128Bits(Int64(0)))
        case .objectId: ObjectID([UInt8](repeating: 0, count: 12)).map { .objectId($0) } ?? .null
        case .uuid: UUIDBytes([UInt8](repeating: 0, count: 16)).map { .uuid($0) } ?? .null
        case .mixed, .link: .null
        }
    }
}
