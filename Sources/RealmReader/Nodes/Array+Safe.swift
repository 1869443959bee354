package import RealmLayout

extension Array {
    /// The element at `index`; nil when there is none.
    package subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension Array {
    /// What is made of each index below `count`, with room for all of them from the start as far as `WorkBudget.largestReserve`.
    ///
    /// Not with `init(unsafeUninitializedCapacity:)`, which looks for types at run time.
    @inline(__always)
    static func of<Failure>(
        _ count: Int, _ element: (Int) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(Swift.min(count, WorkBudget.largestReserve))
        for index in 0..<count { elements.append(try element(index)) }
        return elements
    }

    /// What is made of each index below `count`; nil as soon as one of them is nil. Counts that a file may say are to be checked first:
    /// there is room for all elements from the start.
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
    /// Where the element of a name is: of those whose names are equal as text, the one with the same bytes, if there is one.
    package func firstIndex(named name: String, _ nameOf: (Element) -> String) -> Index? {
        firstIndex { nameOf($0).hasBytes(of: name) } ?? firstIndex { nameOf($0) == name }
    }
}

extension [StoredProperty] {
    /// The property of that name. Not generic: loops of other modules look for names.
    package func propertyIndex(named name: String) -> PropertyIndex? {
        firstIndex(named: name) { $0.name }.map { PropertyIndex($0) }
    }

    /// The first property of which something is true.
    package func propertyIndex(where isMeant: (StoredProperty) -> Bool) -> PropertyIndex? {
        firstIndex(where: isMeant).map { PropertyIndex($0) }
    }

    /// The indexes of the properties.
    package var propertyIndexes: Range<PropertyIndex> { PropertyIndex(0)..<PropertyIndex(count) }

    /// The property at an index.
    package subscript(index: PropertyIndex) -> StoredProperty { self[index.number] }
}

extension String {
    /// Whether both are the same bytes, as equal texts need not be.
    package func hasBytes(of other: String) -> Bool {
        // Texts that are not equal have other bytes, and comparing texts is faster than comparing bytes one by one.
        guard self == other else { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { left in
            unsafe other.utf8.withContiguousStorageIfAvailable { right in unsafe left.elementsEqual(right) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
