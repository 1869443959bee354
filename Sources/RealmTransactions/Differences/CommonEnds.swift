/// What two states of a collection begin and end with alike: mostly little has changed, and only what is between has to be compared.
package struct CommonEnds {
    /// What is between, before and now.
    package let before: Range<Int>
    package let now: Range<Int>

    /// How many elements they begin with alike.
    package var count: Int { before.lowerBound }

    /// Whether nothing is between.
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
