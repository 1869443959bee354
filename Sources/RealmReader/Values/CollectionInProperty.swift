/// A step from a collection to what is in it.
package enum NestedStep: Hashable, Sendable {
    /// To an element of a list.
    case index(Int)
    /// To the value of a key of a dictionary.
    case key(String)
}

/// What a collection inside of a Mixed value is.
package enum NestedKind: Sendable {
    case list, dictionary

    /// Whether a value is such a collection.
    package func isKind(of value: MixedValue) -> Bool {
        switch value {
        case .list: self == .list
        case .dictionary: self == .dictionary
        default: false
        }
    }
}

/// A collection of an object: that of a property, or one inside of a Mixed value there.
package struct CollectionInProperty: Sendable {
    /// The way from the property's value to the collection; empty for that value itself.
    package let path: [NestedStep]
    /// What the collection is, where it is inside of a Mixed value; nil for either.
    package let kind: NestedKind?

    /// - Parameters:
    ///   - path: the way to it.
    ///   - kind: what it must be.
    package init(path: [NestedStep], kind: NestedKind?) { (self.path, self.kind) = (path, kind) }
}
