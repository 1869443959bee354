package import RealmCore
package import RealmLayout

/// The values of a property in numbers. For a collection, the values are its elements, or the values of its entries.
package struct PropertyStatistics: Sendable {
    /// The number of values that could be read, null included.
    package internal(set) var count = 0
    /// The number of nulls among them.
    package internal(set) var nulls = 0
    /// The number of values that cannot be read; of an unreadable collection, 1.
    package internal(set) var unreadable = 0
    /// The distinct values, as stored and without null; nil for embedded objects.
    package internal(set) var distinct: DistinctCount?
    /// The longest string or binary in bytes, with its object; nil when there is none.
    package internal(set) var longest: Extent?
    /// The collection with the most elements, with its object; nil for other properties.
    package internal(set) var largestCollection: Extent?
    var least: KeptValue?
    var greatest: KeptValue?

    /// A size, with the object in which it was found first.
    package struct Extent: Equatable, Sendable {
        package let size: Int
        package let object: ObjectKey
    }

    /// - Parameter hashes: the number of hashes to keep of the values.
    init(isEmbedded: Bool, hashes: Int) { distinct = isEmbedded ? nil : DistinctCount(most: hashes) }

    /// The first value in the order of Realm's sets; nil when there is none. NaNs and links have no place in it.
    package var minimum: Value? { least?.publicValue }
    /// The last value in that order.
    package var maximum: Value? { greatest?.publicValue }

    mutating func noteLongest(_ size: Int, _ object: ObjectKey) {
        if longest.map({ size > $0.size }) ?? true { longest = Extent(size: size, object: object) }
    }

    mutating func noteCollection(_ size: Int, _ object: ObjectKey) {
        if largestCollection.map({ size > $0.size }) ?? true {
            largestCollection = Extent(size: size, object: object)
        }
    }
}
