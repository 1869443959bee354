/// The common beginning and end of two states of a collection. Usually little has changed, and only the part in between
/// has to be compared.
package struct CommonEnds {
    /// The part in between, before and now.
    package let before: Range<Int>
    package let now: Range<Int>

    /// The number of elements in the common beginning.
    package var count: Int { before.lowerBound }

    /// Whether there is nothing in between.
    package var areAll: Bool { before.isEmpty && now.isEmpty }

    /// - Parameter areSame: whether an element is the same as before.
    @inlinable
    package init<Element>(_ old: [Element], _ new: [Element], _ areSame: (Element, Element) -> Bool) {
        let most = min(old.count, new.count)
        var first = 0
        while first < most, areSame(old[first], new[first]) { first += 1 }
        var last = 0
        while last < most - first, areSame(old[old.count - 1 - last], new[new.count - 1 - last]) { last += 1 }
        (before, now) = (first..<old.count - last, first..<new.count - last)
    }
}
