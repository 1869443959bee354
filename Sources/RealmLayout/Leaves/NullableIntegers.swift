/// A leaf of nullable integers: its first element is the sentinel that stands for null in the rest (Spec 30).
@usableFromInline
package struct NullableIntegers: Sendable, BitwiseCopyable {
    /// The sentinel, followed by the values.
    @usableFromInline package let elements: IntegerVector
    /// The number that stands for null.
    @usableFromInline package let sentinel: Int64

    /// Makes the leaf with these elements; nil when even the sentinel is missing.
    @inlinable
    package init?(_ elements: IntegerVector) {
        guard elements.count > 0 else { return nil }
        self.init(elements, sentinel: elements[unchecked: 0])
    }

    /// Makes the leaf when the sentinel is already known.
    @inlinable @inline(__always)
    package init(_ elements: IntegerVector, sentinel: Int64) {
        self.elements = elements
        self.sentinel = sentinel
    }

    /// Number of values.
    @inlinable @inline(__always)
    package var count: Int { elements.count &- 1 }

    /// The value at `index`, which must be below `count`; nil for null.
    @inlinable @inline(__always)
    package subscript(unchecked index: Int) -> Int64? {
        let element = elements[unchecked: index &+ 1]
        return element == sentinel ? nil : element
    }
}

extension NullableIntegers {
    /// The sentinel required for elements of `width` bits: the largest number of the width, so that Realm Core can
    /// decide from the bounds whether another value fits. Nil for 64 bits, where any number is allowed.
    package static func sentinel(ofWidth width: Int) -> Int64? {
        switch width {
        case 0: 0
        case 1, 2, 4: 1 << Int64(width) - 1
        case 8, 16, 32: 1 << Int64(width - 1) - 1
        default: nil
        }
    }

    /// Returns the width for values, and the sentinel.
    ///
    /// - Parameters:
    ///   - range: the range of the values that are not null; nil when there are none.
    ///   - isUsed: whether a number is among the values; called only when they need 64 bits.
    package static func form(
        of range: ValueRange?, isUsed: (Int64) -> Bool
    ) -> (width: Int, sentinel: Int64) {
        guard let range else { return (0, 0) }
        for width in [1, 2, 4, 8, 16, 32] {
            guard let largest = sentinel(ofWidth: width) else { continue }
            // Elements below 8 bits are unsigned.
            let lowest = width < 8 ? 0 : -largest - 1
            if range.lowest >= lowest, range.highest < largest { return (width, largest) }
        }
        var sentinel = Int64.max
        while range.highest >= sentinel, isUsed(sentinel) { sentinel -= 1 }
        return (64, sentinel)
    }
}
