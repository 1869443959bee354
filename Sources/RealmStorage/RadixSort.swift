/// An element that is sorted by a number.
@usableFromInline
package protocol RadixSortable: BitwiseCopyable {
    /// The sort key.
    var rank: UInt64 { get }
}

/// Stable sort by rank.
///
/// Sorts by a few bits at a time, beginning with the lowest, and skips bits that are equal in all ranks. Generic over
/// arrays in memory and those that may be on disk; specialised where it is used.
@usableFromInline
package enum RadixSort {
    /// Sorts elements.
    ///
    /// - Parameters:
    ///   - mostDigitBits: the most bits sorted by in one pass (default: by the number of elements).
    ///   - spare: makes another array of the same size, with any elements.
    @inlinable
    package static func sort<Elements: RandomAccessCollection & MutableCollection>(
        _ elements: inout Elements, mostDigitBits: UInt64? = nil, spare: (Elements) -> Elements
    ) where Elements.Element: RadixSortable, Elements.Index == Int {
        guard let first = elements.first?.rank else { return }
        var (differing, last, isSorted) = (UInt64(0), first, true)
        for element in elements {
            let rank = element.rank
            differing |= rank ^ first
            if rank < last { isSorted = false }
            last = rank
        }
        if isSorted { return }
        sort(&elements, differing, mostDigitBits: mostDigitBits, spare: spare)
    }

    /// Sorts elements that are not in order.
    ///
    /// - Parameter differing: the bits in which any ranks differ.
    @inlinable
    package static func sort<Elements: RandomAccessCollection & MutableCollection>(
        _ elements: inout Elements, _ differing: UInt64, mostDigitBits: UInt64? = nil, spare: (Elements) -> Elements
    ) where Elements.Element: RadixSortable, Elements.Index == Int {
        guard elements.count >= 64 else { return insertionSort(&elements) }
        var others = spare(elements)
        var shift = UInt64(differing.trailingZeroBitCount)
        let bits = 64 - UInt64(differing.leadingZeroBitCount) - shift
        let most = mostDigitBits ?? usualDigitBits(elements.count)
        let passes = (bits + most - 1) / most
        let digitBits = (bits + passes - 1) / passes
        let mask: UInt64 = 1 << digitBits - 1
        while shift < 64, differing >> shift != 0 {
            defer { shift += digitBits }
            guard (differing >> shift) & mask != 0 else { continue }
            var starts = [Int](repeating: 0, count: Int(mask) + 2)
            for element in elements { starts[Int(truncatingIfNeeded: (element.rank &>> shift) & mask) &+ 1] &+= 1 }
            for digit in 1..<starts.count { starts[digit] &+= starts[digit - 1] }
            for element in elements {
                let digit = Int(truncatingIfNeeded: (element.rank &>> shift) & mask)
                others[starts[digit]] = element
                starts[digit] &+= 1
            }
            swap(&elements, &others)
        }
    }

    /// Counters must fit into the processor's cache, and be few compared to the elements.
    @inlinable
    static func usualDigitBits(_ count: Int) -> UInt64 { count < 1 << 12 ? 8 : count < 1 << 17 ? 11 : 12 }

    @inlinable
    static func insertionSort<Elements: RandomAccessCollection & MutableCollection>(_ elements: inout Elements)
    where Elements.Element: RadixSortable, Elements.Index == Int {
        for index in elements.indices.dropFirst() {
            let element = elements[index]
            var place = index
            while place > elements.startIndex, elements[place - 1].rank > element.rank {
                elements[place] = elements[place - 1]
                place -= 1
            }
            elements[place] = element
        }
    }
}
