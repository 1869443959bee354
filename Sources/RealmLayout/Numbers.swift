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

    /// The ref that a number from a file is; nil for a number that leads to no node.
    ///
    /// - Parameter size: the bytes that the file, or the database, has.
    package init?(nodeAt number: UInt64, in size: Int) {
        guard let offset = Int(exactly: number), Ref(offset).mayBeNode(in: size) else { return nil }
        self.init(offset)
    }

    /// Whether a node may begin there: at a multiple of 8 behind the file's header, with room for its own (Spec 20).
    ///
    /// - Parameter size: the bytes that the file, or the database, has.
    package func mayBeNode(in size: Int) -> Bool {
        offset & 7 == 0 && offset >= FileHeader.size && offset <= size - NodeHeader.size
    }

    /// Smaller offsets come first.
    public static func < (left: Ref, right: Ref) -> Bool { left.offset < right.offset }

    /// The offset in hexadecimal, `0x…`.
    public var description: String { "0x" + String(UInt(bitPattern: offset), radix: 16) }
}

/// The key of an object: unique in its table, never changed, the order of objects (Spec 50).
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

    /// Whether the key names a tombstone: an object that is linked to but does not exist (yet, or any more).
    @inlinable
    public var isUnresolved: Bool { value < -1 }

    /// Smaller numbers come first.
    public static func < (left: ObjectKey, right: ObjectKey) -> Bool { left.value < right.value }

    /// The number in decimal.
    public var description: String { String(value) }
}

/// The index of a column in its table: the place of its leaf in clusters, and of what the table's arrays say of it (Spec 60, 70). Not the
/// index of a property in the schema: columns of backlinks have an index too, and removed ones leave theirs to others.
@usableFromInline
package struct ColumnIndex: TypedIndex {
    @usableFromInline package let number: Int

    @inlinable
    package init(_ number: Int) { self.number = number }
}

/// The index of a property among those of its class, in the order of the schema, which is that of the columns in the spec (Spec 60).
@usableFromInline
package struct PropertyIndex: TypedIndex {
    @usableFromInline package let number: Int

    @inlinable
    package init(_ number: Int) { self.number = number }
}

/// The position of a table among those of a snapshot, in the order of their slots (Spec 70): empty slots, and tables that cannot be read,
/// are not counted. In a file that is made or verified, among the tables of that.
@usableFromInline
package struct TablePosition: TypedIndex {
    @usableFromInline package let number: Int

    @inlinable
    package init(_ number: Int) { self.number = number }
}

/// The key of a table: its slot in the group and a tag that tells its tenants apart (Spec 70).
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

/// The key of a column: where its leaves are, and its exact type (Spec 60).
package struct ColumnKey: Hashable, Sendable, CustomStringConvertible {
    /// The 64-bit number in the file.
    package let value: Int64

    /// Makes a column key from its number.
    package init(_ value: Int64) { self.value = value }

    /// Makes the key of a column of a table from which no column was removed before: its tag is that of the table.
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
    /// Bits 22-29: the attributes that a key carries.
    package var attributes: ColumnAttributes {
        ColumnAttributes(rawValue: Int(truncatingIfNeeded: (value >> 22) & 0xFF))
    }
    /// Bits 30-61: a number that makes the key unique in the table's history.
    package var tag: UInt32 { UInt32(truncatingIfNeeded: value >> 30) }

    /// The number in decimal.
    package var description: String { String(value) }
}

extension FixedWidthInteger {
    /// The bytes in the order of the file: the lowest first.
    package var littleEndianBytes: [UInt8] {
        (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    }
}
