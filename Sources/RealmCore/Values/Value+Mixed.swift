internal import RealmLayout

extension Value {
    /// Copies a Mixed value; nil for links and collections.
    package init?(scalar value: MixedValue) {
        switch value {
        case .null: self = .null
        case .int(let number): self = .int(number)
        case .bool(let truth): self = .bool(truth)
        case .float(let bits): self = .float(Float(bitPattern: bits))
        case .double(let bits): self = .double(Double(bitPattern: bits))
        case .string(let bytes): self = bytes.string.map { .string($0) } ?? .malformedString(bytes.bytes)
        case .binary(let bytes): self = .binary(bytes.bytes)
        case .timestamp(let time): self = .timestamp(time)
        case .decimal128(let number): self = .decimal128(number)
        case .objectId(let bytes): self = .objectId(ObjectID(bytes))
        case .uuid(let bytes): self = .uuid(UUIDBytes(bytes))
        case .link, .list, .dictionary: return nil
        }
    }
}
