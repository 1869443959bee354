internal import RealmLayout

/// What could not be read while documents were written: each place once, with how many objects miss a value for it.
struct UnreadableValues: Sendable {
    /// Values of objects that one damaged place costs.
    struct Place: Sendable {
        /// What is wrong, with the first of the objects in its path.
        var error: FormatError
        var count: Int
    }

    private struct Key: Hashable {
        let table: String?
        let property: String?
        let offset: Int?
        let detail: String
    }

    private var places: [Key: Place] = [:]
    /// All values, also those of places beyond `mostPlaces`.
    private(set) var count = 0

    /// How many places are told apart: files can be damaged everywhere.
    static let mostPlaces = 10_000

    /// Notes values that cannot be read.
    mutating func note(_ error: FormatError, count: Int = 1) {
        self.count += count
        add(Place(error: error, count: count))
    }

    /// Adds what another writer noted.
    mutating func add(_ other: UnreadableValues) {
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
    var sorted: [Place] {
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
    /// Whether it is about bytes of the file, which others may do without. A file that changes is another one, and work
    /// without an end is none that can be gone on with.
    var concernsValues: Bool { code != .fileChanged && code != .sharedNodes }
}
