/// The byte offset of a node, from the start of the (decrypted) file (Spec 20).
///
/// ```swift
/// let commit = try FileRepair(ByteSource(path: "app.realm")).snapshot(.root(Ref(4096)))
/// print(commit.commitNumber)
/// ```
public struct Ref: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// The offset in bytes.
    public let offset: Int

    /// Makes a ref from a byte offset.
    @inlinable
    public init(_ offset: Int) { self.offset = offset }

    /// Makes a ref from a number in a file; nil when no node can be there.
    ///
    /// - Parameter size: the size of the file, or of the database, in bytes.
    package init?(nodeAt number: UInt64, in size: Int) {
        guard let offset = Int(exactly: number), Ref(offset).mayBeNode(in: size) else { return nil }
        self.init(offset)
    }

    /// Whether a node may begin there: at a multiple of 8 after the file's header, with room for the node's header
    /// (Spec 20).
    ///
    /// - Parameter size: the size of the file, or of the database, in bytes.
    package func mayBeNode(in size: Int) -> Bool {
        offset & 7 == 0 && offset >= FileHeader.size && offset <= size - NodeHeader.size
    }

    /// Smaller offsets come first.
    public static func < (left: Ref, right: Ref) -> Bool { left.offset < right.offset }

    /// The offset in hexadecimal, `0x…`.
    public var description: String { "0x" + String(UInt(bitPattern: offset), radix: 16) }
}

/// The key of an object: unique in its table, immutable, and the sort order of objects (Spec 50).
///
/// ```swift
/// print(try people.object(ObjectKey(4))?.description ?? "no such object")
/// ```
public struct ObjectKey: Hashable, Comparable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// The number in the file.
    public let value: Int64

    /// Makes an object key from its number.
    @inlinable
    public init(_ value: Int64) { self.value = value }

    /// The key that stands for "no object".
    @inlinable public static var null: ObjectKey { ObjectKey(-1) }

    /// Whether the key belongs to a tombstone: an object that is linked to but does not exist (yet, or any more).
    @inlinable
    public var isUnresolved: Bool { value < -1 }

    /// Smaller numbers come first.
    public static func < (left: ObjectKey, right: ObjectKey) -> Bool { left.value < right.value }

    /// The number in decimal.
    public var description: String { String(value) }
}

/// The index of a column in its table: its position in clusters and in the table's arrays (Spec 60, 70). Differs from
/// the index of a property in the schema: backlink columns have an index too, and those of removed columns are reused.
@usableFromInline
package struct ColumnIndex: TypedIndex {
    @usableFromInline package let number: Int

    @inlinable
    package init(_ number: Int) { self.number = number }
}

/// The index of a property in its class, in schema order, which is the order of columns in the spec (Spec 60).
@usableFromInline
package struct PropertyIndex: TypedIndex {
    @usableFromInline package let number: Int

    @inlinable
    package init(_ number: Int) { self.number = number }
}

/// The position of a table among those of a snapshot, in slot order (Spec 70); empty slots and unreadable tables are
/// not counted. In a file being built or verified, the position among that file's tables.
@usableFromInline
package struct TablePosition: TypedIndex {
    @usableFromInline package let number: Int

    @inlinable
    package init(_ number: Int) { self.number = number }
}

/// The key of a table: its slot in the group, and a tag that distinguishes successive tables in the slot (Spec 70).
///
/// ```swift
/// print(people.schema.key.slot)
/// ```
public struct TableKey: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// The 32-bit number in the file.
    public let value: UInt32

    /// Makes a table key from its number.
    public init(_ value: UInt32) { self.value = value }

    /// The key that stands for "no table".
    public static let null = TableKey(0x7FFF_FFFF)

    /// The table's index in the group's arrays.
    public var slot: Int { Int(value & 0xFFFF) }

    /// The number in decimal.
    public var description: String { String(value) }
}

/// The key of a column: the position of its leaves, and its exact type (Spec 60).
package struct ColumnKey: Hashable, Sendable, CustomStringConvertible {
    /// The 64-bit number in the file.
    package let value: Int64

    /// Makes a column key from its number.
    package init(_ value: Int64) { self.value = value }

    /// Makes the key of a column in a table from which no column was ever removed: its tag is that of the table.
    package init(index: ColumnIndex, type: ColumnType, attributes: ColumnAttributes, table: TableKey) {
        value =
            Int64(index.number) | Int64(type.rawValue) << 16 | Int64(attributes.rawValue & 0xFF) << 22
            | Int64(table.value) << 30
    }

    /// The key that stands for "no column".
    package static let null = ColumnKey(0x7FFF_FFFF_FFFF_FFFF)

    /// Bits 0-15: the column's position in clusters (leaf slot minus one) and in the table's arrays.
    package var index: ColumnIndex { ColumnIndex(Int(truncatingIfNeeded: value & 0xFFFF)) }
    /// Bits 16-21: the number of the column's type.
    package var typeNumber: Int { Int(truncatingIfNeeded: (value >> 16) & 0x3F) }
    /// Bits 22-29: the attributes included in the key.
    package var attributes: ColumnAttributes {
        ColumnAttributes(rawValue: Int(truncatingIfNeeded: (value >> 22) & 0xFF))
    }
    /// Bits 30-61: a number that makes the key unique in the table's history.
    package var tag: UInt32 { UInt32(truncatingIfNeeded: value >> 30) }

    /// The number in decimal.
    package var description: String { String(value) }
}

extension FixedWidthInteger {
    /// The bytes in file order: lowest first.
    package var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }
}
