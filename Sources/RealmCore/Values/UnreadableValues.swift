package import RealmLayout

/// Data that could not be read while values were output: each place once, with the number of values lost there.
package struct UnreadableValues: Sendable {
    /// Values lost because of one damaged place.
    package struct Place: Sendable {
        /// The error, with the first affected object in its path.
        package var error: FormatError
        package var count: Int
    }

    private struct Key: Hashable {
        let table: String?
        let property: String?
        let offset: Int?
        let detail: String
    }

    private var places: [Key: Place] = [:]
    /// Number of all lost values, including those of places beyond `mostPlaces`.
    package private(set) var count = 0

    /// Maximum number of distinct places, because a file can be damaged everywhere.
    static let mostPlaces = 10_000

    /// Makes the record of a file in which everything was readable so far.
    package init() {}

    /// Records values that cannot be read.
    package mutating func note(_ error: FormatError, count: Int = 1) {
        self.count += count
        add(Place(error: error, count: count))
    }

    /// Adds the values recorded by another writer.
    package mutating func add(_ other: UnreadableValues) {
        count += other.count
        for place in other.places.values { add(place) }
    }

    private mutating func add(_ place: Place) {
        let error = place.error
        let key = Key(table: error.table, property: error.property, offset: error.offset, detail: error.detail)
        guard var known = places[key] else {
            if places.count < Self.mostPlaces { places[key] = place }
            return
        }
        known.count += place.count
        if let first = error.objectKey, known.error.objectKey.map({ first < $0 }) ?? true { known.error = error }
        places[key] = known
    }

    /// The places by table and property, each in the order of objects.
    package var sorted: [Place] {
        places.values.inOrder { left, right in
            let (first, second) = (left.error, right.error)
            return (
                first.table ?? "", first.property ?? "", first.objectKey?.value ?? .min, first.offset ?? -1,
                first.detail
            )
                < (
                    second.table ?? "", second.property ?? "", second.objectKey?.value ?? .min, second.offset ?? -1,
                    second.detail
                )
        }
    }
}

extension FormatError {
    /// Whether the error concerns bytes of the file that can be left out. If the file changes it is no longer the same
    /// file, and unbounded work cannot be continued.
    package var concernsValues: Bool { code != .fileChanged && code != .sharedNodes }
}
