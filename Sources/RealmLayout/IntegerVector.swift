/// The elements of a node of width type "bits": packed integers of 0, 1, 2, 4, 8, 16, 32 or 64 bits (Spec 20).
///
/// Every element lies inside one aligned 8-byte word, because each width divides 64 and payloads are padded to whole
/// words. So one load, one shift and one mask read an element of any width without a branch; width 0 reads a word of
/// zeros.
public struct IntegerVector: Sendable, BitwiseCopyable {
    @usableFromInline let words: ByteView
    @usableFromInline let mask: UInt64
    @usableFromInline let signBit: UInt64
    /// Number of elements.
    public let count: Int
    /// Bits an element: 0, 1, 2, 4, 8, 16, 32 or 64.
    public let width: Int

    /// No elements.
    package static let empty = IntegerVector(width: 0, count: 0, payload: .zeroWord)

    /// Views `count` elements of `width` bits.
    ///
    /// - Parameters:
    ///   - width: 0, 1, 2, 4, 8, 16, 32 or 64.
    ///   - payload: the payload including its padding, proven by the caller to have at least `count * width` bits
    ///     rounded up to whole 8-byte words. For width 0: any 8 readable bytes, which are loaded and masked away.
    @inlinable
    package init(width: Int, count: Int, payload: ByteView) {
        self.words = payload
        self.mask = width == 64 ? .max : (1 &<< UInt64(width)) &- 1
        // Widths below 8 hold unsigned numbers, the others two's complement.
        self.signBit = width < 8 ? 0 : 1 &<< UInt64(width &- 1)
        self.count = count
        self.width = width
    }

    /// The bits of element `index`, which the caller has proven to be below `count`, as an unsigned number.
    @inlinable
    package func unsigned(unchecked index: Int) -> UInt64 {
        let bit = index &* width
        let word = words.uint64(unchecked: (bit &>> 6) &<< 3)
        return (word &>> UInt64(truncatingIfNeeded: bit)) & mask
    }

    /// Element `index`, which the caller has proven to be below `count`.
    @inlinable
    package subscript(unchecked index: Int) -> Int64 {
        Int64(bitPattern: (unsigned(unchecked: index) ^ signBit) &- signBit)
    }

    /// Element `index`; traps outside `0 ..< count` (a mistake of the caller, never of a file).
    @inlinable
    public subscript(index: Int) -> Int64 {
        precondition(index >= 0 && index < count, "element index outside the vector")
        return self[unchecked: index]
    }

    /// Element `index` as an unsigned number, or nil outside `0 ..< count`.
    @inlinable
    package func unsigned(at index: Int) -> UInt64? {
        guard index >= 0, index < count else { return nil }
        return unsigned(unchecked: index)
    }

    /// Element `index`, or nil outside `0 ..< count`.
    @inlinable
    package func element(at index: Int) -> Int64? {
        guard index >= 0, index < count else { return nil }
        return self[unchecked: index]
    }

    /// The elements as numbers, in order.
    public var elements: [Int64] { (0..<count).map { self[unchecked: $0] } }
}

extension IntegerVector {
    /// The largest index whose element, read unsigned, is at most `key`; nil when all are greater.
    ///
    /// The elements must ascend; where they do not, some index in range comes back.
    @inlinable
    package func lastIndex(unsignedAtMost key: UInt64) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            if unsigned(unchecked: middle) <= key { low = middle &+ 1 } else { high = middle }
        }
        return low == 0 ? nil : low &- 1
    }
}
