/// What a Mixed leaf says of a value in its first array: the type, where the rest of the value is, and the value itself or its
/// place there (Spec 30).
@usableFromInline
package struct MixedComposite: BitwiseCopyable, Sendable {
    /// The number in the array; 0 for null.
    @usableFromInline package let element: Int64

    @inlinable @inline(__always)
    package init(_ element: Int64) { self.element = element }

    /// A value whose rest, if it has any, is in the part `slot`: in that of the composites there is none.
    ///
    /// - Parameter payload: the value itself, 56 bits with a sign, or its place in the part.
    package init(_ type: ColumnType, _ slot: MixedSlot, _ payload: Int64) {
        element = payload << 8 | Int64(slot.rawValue) << 5 | Int64(type.rawValue + 1)
    }

    package static let null = MixedComposite(0)

    @inlinable @inline(__always)
    package var isNull: Bool { element == 0 }

    /// The number of the type; -1 where there is none.
    @inlinable @inline(__always)
    package var typeNumber: Int { Int(truncatingIfNeeded: element & 31) &- 1 }

    /// The type; nil for a number that is none.
    package var type: ColumnType? { ColumnType(rawValue: typeNumber) }

    /// The number of the part with the rest of the value.
    @inlinable @inline(__always)
    package var slotNumber: Int { Int(truncatingIfNeeded: (element &>> 5) & 7) }

    /// The value itself, or its place in the part.
    @inlinable @inline(__always)
    package var payload: Int64 { element &>> 8 }
}
