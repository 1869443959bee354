public import RealmLayout

/// A value of a Mixed, still in the bytes of the file (Spec 30).
@usableFromInline
package enum MixedValue: Sendable, BitwiseCopyable {
    case null
    case int(Int64)
    case bool(Bool)
    case float(bits: UInt32)
    case double(bits: UInt64)
    case string(ByteView)
    case binary(ByteView)
    case timestamp(Timestamp)
    case decimal128(Decimal128Bits)
    case objectId(ByteView)
    case uuid(ByteView)
    case link(TableKey, ObjectKey)
    /// A list; nil for an empty one.
    case list(Ref?)
    /// A dictionary; nil for an empty one.
    case dictionary(Ref?)
}

extension MixedValue {
    /// What comes first among values of different types, in sets (Spec 40) and indexes (Spec 80): numbers of any type are one.
    /// Before format 23 strings and binaries were one in sets, too.
    @inlinable package var rank: UInt8 {
        switch self {
        case .null: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .string: 3
        case .binary: 4
        case .timestamp: 5
        case .objectId: 6
        case .uuid: 7
        case .link: 8
        case .list, .dictionary: 9
        }
    }
}

extension ColumnLeaf {
    /// The Mixed value at `index`, which must be below `count`.
    ///
    /// - Throws: `badLeaf` for an unknown type or a payload that is not there.
    @inlinable @inline(__always)
    package func mixed(at index: Int, in space: NodeSpace) throws(FormatError) -> MixedValue {
        try mixedLeaf.value(at: index, in: space)
    }

    /// The leaf as one of Mixed values, which it must be.
    @inlinable
    var mixedLeaf: MixedLeaf { MixedLeaf(ref: ref, types: integers, slots: auxiliary) }
}
