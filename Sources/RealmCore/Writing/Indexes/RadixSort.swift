package import RealmStorage

/// Sorts by rank; stable.
package func radixSort<Element: RadixSortable>(_ elements: UnsharedArray<Element>) {
    var sorted = elements
    // Keys of one table mostly differ in 20 bits or fewer. The counters of 13 stay in the processor's cache.
    RadixSort.sort(&sorted, mostDigitBits: 13) { elements in
        let other = UnsharedArray<Element>(in: elements.folder)
        other.resize(elements.count)
        return other
    }
    if sorted !== elements { elements.swap(with: sorted) }
}
