extension Array {
    /// The element at `index`; nil when there is none.
    package subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension Array {
    /// Maps each index below `count`, with capacity reserved up front up to `WorkBudget.largestReserve`.
    ///
    /// Avoids `init(unsafeUninitializedCapacity:)`, which looks up types at run time.
    @inline(__always)
    static func of<Failure>(
        _ count: Int, _ element: (Int) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(Swift.min(count, WorkBudget.largestReserve))
        for index in 0..<count { elements.append(try element(index)) }
        return elements
    }

    /// Maps each index below `count`; returns nil as soon as one result is nil. Counts from a file must be checked
    /// first, since capacity for all elements is reserved up front.
    @inline(__always)
    static func all(_ count: Int, _ element: (Int) -> Element?) -> [Element]? {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        for index in 0..<count {
            guard let element = element(index) else { return nil }
            elements.append(element)
        }
        return elements
    }
}
