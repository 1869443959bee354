package import RealmLayout

/// The elements of a columns array: the root of each column, followed by its search index if it has one (Spec 100).
package struct LegacyColumnPlaces: Sendable {
    /// The column that an element of the array belongs to.
    package struct Place {
        package let column: Int
        package let isIndex: Bool
    }

    /// nil when the spec cannot be interpreted.
    package let spec: LegacySpec?
    /// The search indexes, by column, that an upgrade has moved to their current location.
    private let movedIndexes: IntegerVector?
    /// All places, if computed in advance; most arrays are only passed by.
    private var places: [Place]?

    package init(_ spec: LegacySpec?, movedIndexes: IntegerVector? = nil) {
        self.spec = spec
        self.movedIndexes = movedIndexes
    }

    /// Computes all places, for an array whose elements are requested one by one.
    package func prepared(for node: Node) -> LegacyColumnPlaces {
        var result = self
        result.places = all(in: node)
        return result
    }

    /// The place of element `index`, if all places are known; nil when the array does not match the spec there.
    package func known(at index: Int) -> Place? { places?[safe: index] }

    /// The place of element `index`; nil when the array does not match the spec there.
    package func place(at index: Int, of node: Node) -> Place? { (places ?? all(in: node))[safe: index] }

    /// The places of an array with these columns; a damaged array may have more or fewer elements.
    func all(in node: Node) -> [Place] {
        guard let spec else { return [] }
        // An upgrade moves all indexes out of the array at once.
        let holdsIndexes = movedIndexes == nil || node.count > spec.columns.count
        var places: [Place] = []
        for (number, column) in spec.columns.enumerated() {
            places.append(Place(column: number, isIndex: false))
            if holdsIndexes, column.isIndexed, movedIndexes?.element(at: number) ?? 0 == 0 {
                places.append(Place(column: number, isIndex: true))
            }
        }
        return places
    }
}
