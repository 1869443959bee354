/// A leaf of integers of which some may be null: its first element stands for null in those behind it (Spec 30).
@usableFromInline
package struct NullableIntegers: Sendable, BitwiseCopyable {
    /// What stands for null, and then the values.
    @usableFromInline package let elements: IntegerVector
    /// The number that stands for null.
    @usableFromInline package let sentinel: Int64

    /// The leaf with these elements; nil where not even the first one is there.
    @inlinable
    package init?(_ elements: IntegerVector) {
        guard elements.count > 0 else { return nil }
        self.init(elements, sentinel: elements[unchecked: 0])
    }

    /// The same for elements whose first one is known.
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
    /// The number that has to stand for null in elements of `width` bits: the largest of the width, so that Realm Core can tell by
    /// its bounds whether another value fits. Nil for 64 bits, of which any number may.
    package static func sentinel(ofWidth width: Int) -> Int64? {
        switch width {
        case 0: 0
        case 1, 2, 4: 1 << Int64(width) - 1
        case 8, 16, 32: 1 << Int64(width - 1) - 1
        default: nil
        }
    }

    /// The width for values, and the number that stands for null.
    ///
    /// - Parameters:
    ///   - range: that of the values that are not null; nil when there is none.
    ///   - isUsed: whether a number is among the values; asked where they need 64 bits.
    package static func form(
        of range: ValueRange?, isUsed: (Int64) -> Bool
    ) -> (width: Int, sentinel: Int64) {
        guard let range else { return (0, 0) }
        for width in [1, 2, 4, 8, 16, 32] {
            guard let largest = sentinel(ofWidth: width) else { continue }
            // Narrow elements have no sign.
            let lowest = width < 8 ? 0 : -largest - 1
            if range.lowest >= lowest, range.highest < largest { return (width, largest) }
        }
        var sentinel = Int64.max
        while range.highest >= sentinel, isUsed(sentinel) { sentinel -= 1 }
        return (64, sentinel)
    }
}
