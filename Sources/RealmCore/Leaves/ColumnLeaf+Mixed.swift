public import RealmLayout

/// A value of a Mixed that still refers to the bytes of the file (Spec 30).
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
    /// Whether two values are the same bit by bit, of one snapshot or of two with the same tables. Numbers of different
    /// types differ, as do the two zeros. Collections are the same if they have the same ref.
    package func hasSameBits(as other: MixedValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.int(let one), .int(let other)): one == other
        case (.bool(let one), .bool(let other)): one == other
        case (.float(let one), .float(let other)): one == other
        case (.double(let one), .double(let other)): one == other
        case (.timestamp(let one), .timestamp(let other)): one == other
        case (.decimal128(let one), .decimal128(let other)): one == other
        case (.string(let one), .string(let other)), (.binary(let one), .binary(let other)),
            (.objectId(let one), .objectId(let other)), (.uuid(let one), .uuid(let other)):
            one.elementsEqual(other)
        case (.link(let table, let one), .link(let otherTable, let other)): table == otherTable && one == other
        case (.list(let one), .list(let other)), (.dictionary(let one), .dictionary(let other)): one == other
        default: false
        }
    }

    /// The rank of the value's type in sets (Spec 40) and indexes (Spec 80): all numbers share one. Before format 23
    /// strings and binaries also shared one in sets.
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
    /// - Throws: `badLeaf` for an unknown type or a missing payload.
    @inlinable @inline(__always)
    package func mixed(at index: Int, in space: NodeSpace) throws(FormatError) -> MixedValue {
        try mixedLeaf.value(at: index, in: space)
    }

    /// The leaf as a Mixed leaf; valid only for the encoding `mixed`.
    @inlinable
    var mixedLeaf: MixedLeaf { MixedLeaf(ref: ref, types: integers, slots: auxiliary) }
}
