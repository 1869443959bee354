package import RealmLayout

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

extension Collection {
    /// The index of the element with a name: prefers the one with identical bytes, then any that is equal as text.
    package func firstIndex(named name: String, _ nameOf: (Element) -> String) -> Index? {
        firstIndex { nameOf($0).hasBytes(of: name) } ?? firstIndex { nameOf($0) == name }
    }
}

extension [StoredProperty] {
    /// The property with that name. Not generic, since loops of other modules look up names.
    package func propertyIndex(named name: String) -> PropertyIndex? {
        firstIndex(named: name) { $0.name }.map { PropertyIndex($0) }
    }

    /// The first property that satisfies a condition.
    package func propertyIndex(where isMeant: (StoredProperty) -> Bool) -> PropertyIndex? {
        firstIndex(where: isMeant).map { PropertyIndex($0) }
    }

    /// The indexes of the properties.
    package var propertyIndexes: Range<PropertyIndex> { PropertyIndex(0)..<PropertyIndex(count) }

    /// The property at an index.
    package subscript(index: PropertyIndex) -> StoredProperty { self[index.number] }
}

extension String {
    /// Whether both have the same bytes, which equal strings need not have.
    package func hasBytes(of other: String) -> Bool {
        // Unequal strings have different bytes, and comparing strings is faster than comparing bytes one by one.
        guard self == other else { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { left in
            unsafe other.utf8.withContiguousStorageIfAvailable { right in unsafe left.elementsEqual(right) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
