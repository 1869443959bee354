package import RealmLayout

/// A value without references, for buffering; bytes are in a separate array.
package enum FlatValue: BitwiseCopyable {
    case null
    case int(Int64)
    case bool(Bool)
    case float(UInt32)
    case double(UInt64)
    case timestamp(Timestamp)
    case decimal128(Decimal128Bits)
    case link(TableKey, ObjectKey)
    case list(Ref?)
    case dictionary(Ref?)
    /// A string, binary, ObjectId or UUID.
    case bytes(ColumnType, start: Int, count: Int)

    /// Copies a value, and appends its bytes to `array`.
    package static func copy(of value: MixedValue, to array: UnsharedArray<UInt8>) -> FlatValue {
        switch value {
        case .null: .null
        case .int(let value): .int(value)
        case .bool(let value): .bool(value)
        case .float(let bits): .float(bits)
        case .double(let bits): .double(bits)
        case .timestamp(let time): .timestamp(time)
        case .decimal128(let value): .decimal128(value)
        case .link(let table, let key): .link(table, key)
        case .list(let root): .list(root)
        case .dictionary(let root): .dictionary(root)
        case .string(let view): bytes(.string, view, array)
        case .binary(let view): bytes(.binary, view, array)
        case .objectId(let view): bytes(.objectId, view, array)
        case .uuid(let view): bytes(.uuid, view, array)
        }
    }

    private static func bytes(_ type: ColumnType, _ view: ByteView, _ array: UnsharedArray<UInt8>) -> FlatValue {
        let start = array.count
        array.append(view)
        return .bytes(type, start: start, count: view.count)
    }

    /// Returns the value with its bytes at another offset.
    package func moved(by distance: Int) -> FlatValue {
        guard case .bytes(let type, let start, let count) = self else { return self }
        return .bytes(type, start: start + distance, count: count)
    }

    /// Returns the original value.
    ///
    /// - Parameter bytes: A view of the array.
    package func value(_ bytes: ByteView) -> MixedValue {
        switch self {
        case .null: return .null
        case .int(let value): return .int(value)
        case .bool(let value): return .bool(value)
        case .float(let bits): return .float(bits: bits)
        case .double(let bits): return .double(bits: bits)
        case .timestamp(let time): return .timestamp(time)
        case .decimal128(let value): return .decimal128(value)
        case .link(let table, let key): return .link(table, key)
        case .list(let root): return .list(root)
        case .dictionary(let root): return .dictionary(root)
        case .bytes(let type, let start, let count):
            let view = bytes.slice(at: start, count: count) ?? .empty
            return switch type {
            case .binary: .binary(view)
            case .objectId: .objectId(view)
            case .uuid: .uuid(view)
            default: .string(view)
            }
        }
    }
}
