/// Something that is sorted by a number.
protocol RadixSortable {
    /// The number.
    var rank: UInt64 { get }
}

/// Sorts by number; what has equal numbers keeps its order.
///
/// Looks at the bytes of the numbers one by one from the last, and only at those in which numbers differ: keys of one table
/// mostly differ in two or three.
func radixSort<Element: RadixSortable & BitwiseCopyable>(_ elements: PlainArray<Element>) {
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
    let other = PlainArray<Element>()
    other.resize(elements.count)
    for shift in stride(from: UInt64(0), to: 64, by: 8) where (differing >> shift) & 0xFF != 0 {
        var starts = [Int](repeating: 0, count: 257)
        for element in elements { starts[Int((element.rank >> shift) & 0xFF) + 1] += 1 }
        for digit in 1..<257 { starts[digit] += starts[digit - 1] }
        for element in elements {
            let digit = Int((element.rank >> shift) & 0xFF)
            other[starts[digit]] = element
            starts[digit] += 1
        }
        elements.swap(with: other)
    }
}
