internal import RealmCore
internal import RealmLayout

// Scalars.
extension ObjectEncoder {
    /// Converts a value that is neither a link nor composite, and copies its bytes.
    func flat(_ value: NewValue) -> FlatValue {
        switch value {
        case .int(let number): return .int(number)
        case .bool(let value): return .bool(value)
        case .float(let number): return .float(number.bitPattern)
        case .double(let number): return .double(number.bitPattern)
        case .decimal128(let number): return .decimal128(number)
        case .timestamp(let time): return .timestamp(time)
        case .string(let text): return bytes(text.utf8, .string)
        case .malformedString(let text): return bytes(text, .string)
        case .binary(let data): return bytes(data, .binary)
        case .objectId(let id): return bytes(id.bytes, .objectId)
        case .uuid(let id): return bytes(id.bytes, .uuid)
        case .null, .link, .primaryKeyLink, .embedded, .list, .dictionary: return .null
        }
    }

    private func bytes(_ new: some Sequence<UInt8>, _ type: ColumnType) -> FlatValue {
        let start = bytes.count
        for byte in new { bytes.append(byte) }
        return .bytes(type, start: start, count: bytes.count - start)
    }
}
