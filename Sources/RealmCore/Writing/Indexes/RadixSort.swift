/// An element that is sorted by a number.
package protocol RadixSortable {
    /// The sort key.
    var rank: UInt64 { get }
}

/// Sorts by rank; stable.
///
/// Processes some bits at a time from the lowest, and only the range of bits that differ. Keys of one table mostly
/// differ in 20 bits or fewer.
package func radixSort<Element: RadixSortable & BitwiseCopyable>(_ elements: UnsharedArray<Element>) {
    guard elements.count > 1 else { return }
    var differing: UInt64 = 0
    var isSorted = true
    let first = elements[0].rank
    var last = first
    for element in elements {
        differing |= element.rank ^ first
        if element.rank < last { isSorted = false }
        last = element.rank
    }
    if isSorted { return }
    let other = UnsharedArray<Element>(in: elements.folder)
    other.resize(elements.count)
    var shift = UInt64(differing.trailingZeroBitCount)
    let bits = 64 - UInt64(differing.leadingZeroBitCount) - shift
    // The counters of a digit of this size stay in the processor's cache.
    let mostDigitBits: UInt64 = 13
    let passes = (bits + mostDigitBits - 1) / mostDigitBits
    let digitBits = (bits + passes - 1) / passes
    let mask: UInt64 = 1 << digitBits - 1
    let starts = UnsharedArray<Int>()
    while shift < 64, differing >> shift != 0 {
        defer { shift += digitBits }
        guard (differing >> shift) & mask != 0 else { continue }
        starts.removeAll()
        starts.append(repeating: 0, count: Int(mask) + 2)
        for element in elements { starts[Int((element.rank >> shift) & mask) + 1] &+= 1 }
        for digit in 1..<starts.count { starts[digit] &+= starts[digit - 1] }
        for element in elements {
            let digit = Int((element.rank >> shift) & mask)
            other[starts[digit]] = element
            starts[digit] &+= 1
        }
        elements.swap(with: other)
    }
}
