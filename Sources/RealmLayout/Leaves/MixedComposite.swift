/// An element of the first array of a Mixed leaf: the type, the part that holds the rest of the value, and the value
/// itself or its index in that part (Spec 30).
@usableFromInline
package struct MixedComposite: BitwiseCopyable, Sendable {
    /// The number in the array; 0 for null.
    @usableFromInline package let element: Int64

    @inlinable @inline(__always)
    package init(_ element: Int64) { self.element = element }

    /// Makes the composite of a value whose payload is in the part `slot`; `.composites` stands for the composite
    /// itself.
    ///
    /// - Parameter payload: the value itself, as 56 signed bits, or its index in the part.
    package init(_ type: ColumnType, _ slot: MixedSlot, _ payload: Int64) {
        element = payload << 8 | Int64(slot.rawValue) << 5 | Int64(type.rawValue + 1)
    }

    package static let null = MixedComposite(0)

    @inlinable @inline(__always)
    package var isNull: Bool { element == 0 }

    /// The number of the type; -1 for null.
    @inlinable @inline(__always)
    package var typeNumber: Int { Int(truncatingIfNeeded: element & 31) &- 1 }

    /// The type; nil for an unknown number.
    package var type: ColumnType? { ColumnType(rawValue: typeNumber) }

    /// The number of the part that holds the rest of the value.
    @inlinable @inline(__always)
    package var slotNumber: Int { Int(truncatingIfNeeded: (element &>> 5) & 7) }

    /// The value itself, or its index in the part.
    @inlinable @inline(__always)
    package var payload: Int64 { element &>> 8 }
}

extension MixedComposite {
    /// Whether values of a type may have their payload in a part of the leaf; `.composites` stands for the composite
    /// itself.
    package static func isPayload(of type: ColumnType, in slot: MixedSlot) -> Bool {
        switch type {
        case .int: slot == .composites || slot == .integers
        case .bool: slot == .composites
        case .float, .double, .link: slot == .integers
        case .timestamp, .decimal128, .typedLink: slot == .pairs
        case .string, .binary, .objectId, .uuid: slot == .strings
        case .list, .dictionary: slot == .collections
        case .mixed, .linkList, .backLink, .set: false
        }
    }

    /// Whether an integer is stored in the payload itself: it has room for 56 bits, but Realm Core stores only 32-bit
    /// numbers there.
    package static func isInline(_ number: Int64) -> Bool { Int64(Int32(truncatingIfNeeded: number)) == number }
}

/// Two integers in the pairs part of a Mixed leaf that form one value (Spec 30).
package struct MixedPair: BitwiseCopyable, Sendable {
    package let first: Int64
    package let second: Int64

    package init(_ first: Int64, _ second: Int64) {
        self.first = first
        self.second = second
    }

    package init(_ time: Timestamp) { self.init(time.seconds, Int64(time.nanoseconds)) }

    package init(_ decimal: Decimal128Bits) {
        self.init(Int64(bitPattern: decimal.low), Int64(bitPattern: decimal.high))
    }

    package init(_ table: TableKey, _ key: ObjectKey) { self.init(Int64(table.value), key.value) }

    /// The pair as a timestamp; nil when the nanoseconds are a second or more.
    package var timestamp: Timestamp? { Timestamp(seconds: first, nanoseconds: second) }

    package var decimal: Decimal128Bits {
        Decimal128Bits(high: UInt64(bitPattern: second), low: UInt64(bitPattern: first))
    }

    /// The object that the pair refers to; the table is nil when the number is not a table key.
    package var link: (table: TableKey?, key: ObjectKey) {
        (UInt32(exactly: first).map { TableKey($0) }, ObjectKey(second))
    }
}

extension IntegerVector {
    /// The pair at `index` in the pairs part; nil when there is none.
    package func pair(at index: Int64) -> MixedPair? {
        guard index >= 0, index < count / 2 else { return nil }
        let position = Int(truncatingIfNeeded: index) &* 2
        return MixedPair(self[unchecked: position], self[unchecked: position &+ 1])
    }
}
