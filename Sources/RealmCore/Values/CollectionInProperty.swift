package import RealmLayout

/// A step from a collection to one of its elements.
package enum NestedStep<Key: Sendable>: Sendable {
    /// To an element of a list.
    case index(Int)
    /// To the value for a key of a dictionary. In Mixed values keys are strings.
    case key(Key)

    package func mapKey<New>(_ transform: (Key) -> New) -> NestedStep<New> {
        switch self {
        case .index(let index): .index(index)
        case .key(let key): .key(transform(key))
        }
    }
}

extension NestedStep: Equatable where Key: Equatable {}

extension CollectionKind {
    /// Whether a Mixed value is such a collection.
    package func isKind(of value: MixedValue) -> Bool {
        switch value {
        case .list: isList
        case .dictionary: isDictionary
        default: false
        }
    }
}

/// A collection of an object: that of a property, or one inside its Mixed value.
package struct CollectionInProperty: Sendable {
    /// The path from the property's value to the collection; empty for that value itself.
    package let path: [NestedStep<String>]
    /// The required kind of a collection inside a Mixed value; nil for either.
    package let kind: CollectionKind?

    /// - Parameters:
    ///   - path: the path to it.
    ///   - kind: the required kind.
    package init(path: [NestedStep<String>], kind: CollectionKind?) { (self.path, self.kind) = (path, kind) }
}
