public import RealmLayout

/// A leaf of a column, or of a collection's B+tree, in any of the file's encodings (Spec 30).
///
/// Created once per leaf; values are then read in place, by index, without buffering or allocation. A trivial value of
/// fixed size: it can be stored in tables and copied freely.
@usableFromInline
package struct ColumnLeaf: Sendable, BitwiseCopyable {
    @usableFromInline
    package enum Encoding: UInt8, Sendable, BitwiseCopyable {
        case integers
        case nullableIntegers
        case bools
        case floats
        case doubles
        case shortStrings
        case mediumStrings
        case bigStrings
        case mediumBinaries
        case bigBinaries
        case timestamps
        case decimals128
        case decimals64
        case decimals32
        case nullDecimals
        case zeroDecimals
        case objectIds
        case uuids
        case links
        case mixed
        case collections
        case backlinks
    }

    @usableFromInline package let encoding: Encoding
    /// Whether `indexes` maps elements to the distinct strings that the other fields describe.
    @usableFromInline package let isEnumerated: Bool
    /// Whether null means an empty string or binary, as in non-nullable columns of formats 2 to 9.
    @usableFromInline let nullIsEmpty: Bool
    @usableFromInline let storedCount: UInt32
    /// Number of distinct strings of an enumerated leaf.
    @usableFromInline let distinctCount: UInt32
    /// The ref of the leaf.
    @usableFromInline package let ref: Ref
    /// Values, object keys, refs, end offsets, seconds, or composites, by encoding.
    @usableFromInline let integers: IntegerVector
    /// Null flags, nanoseconds, or the slots of a Mixed leaf, by encoding.
    @usableFromInline let auxiliary: IntegerVector
    /// For an enumerated leaf: each element's index among the distinct strings.
    @usableFromInline package let indexes: IntegerVector
    /// The payload of fixed-size values, or the blob of medium strings and binaries.
    @usableFromInline let bytes: ByteView
    /// The sentinel of nullable integers; the bias of links; bytes per element of short strings; the flag of medium
    /// values that are not null.
    @usableFromInline let parameter: Int64

    /// Number of elements.
    @inlinable @inline(__always)
    package var count: Int { Int(truncatingIfNeeded: storedCount) }

    init(
        _ encoding: Encoding, _ node: Node, count: Int, integers: IntegerVector? = nil,
        auxiliary: IntegerVector? = nil, bytes: ByteView? = nil, parameter: Int64 = 0, nullIsEmpty: Bool = false
    ) {
        self.encoding = encoding
        self.isEnumerated = false
        self.nullIsEmpty = nullIsEmpty
        self.storedCount = UInt32(truncatingIfNeeded: count)
        self.distinctCount = 0
        self.ref = node.ref
        // Fields that the encoding does not use are never read; they get arbitrary values.
        let integers = integers ?? node.elements
        self.integers = integers
        self.auxiliary = auxiliary ?? integers
        self.indexes = integers
        self.bytes = bytes ?? node.payload
        self.parameter = parameter
    }

    /// Makes an empty leaf, as a substitute for an unreadable one.
    ///
    /// - Parameter node: any node; nothing is read from it.
    package init(lostAt node: Node) { self.init(.integers, node, count: 0) }

    /// Makes an enumerated leaf: `indexes` into the distinct strings of `values`.
    init(indexes: IntegerVector, of values: ColumnLeaf, ref: Ref) {
        self.encoding = values.encoding
        self.isEnumerated = true
        self.nullIsEmpty = values.nullIsEmpty
        self.storedCount = UInt32(truncatingIfNeeded: indexes.count)
        self.distinctCount = values.storedCount
        self.ref = ref
        self.integers = values.integers
        self.auxiliary = values.auxiliary
        self.indexes = indexes
        self.bytes = values.bytes
        self.parameter = values.parameter
    }

    // MARK: Views for each encoding, valid only for leaves with that encoding

    @inlinable @inline(__always)
    var nullableIntegers: NullableIntegers { NullableIntegers(integers, sentinel: parameter) }

    @inlinable @inline(__always)
    var timestamps: StoredTimestamps { StoredTimestamps(seconds: nullableIntegers, nanoseconds: auxiliary) }

    @inlinable @inline(__always)
    var mediumValues: MediumValues {
        MediumValues(ends: integers, nullFlags: auxiliary, bytes: bytes, valueFlag: parameter)
    }

    @inlinable @inline(__always)
    var shortStrings: ShortStrings {
        ShortStrings(count: count, width: Int(truncatingIfNeeded: parameter), bytes: bytes)
    }

    @usableFromInline
    @inline(never)
    package func bad(_ index: Int, _ detail: String) -> FormatError {
        FormatError(.badLeaf, at: ref.offset, "element \(index) of the leaf: \(detail)")
    }
}
