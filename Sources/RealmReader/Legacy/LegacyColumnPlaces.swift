internal import RealmLayout

/// What is where in a columns array: the root of each column, followed by its search index if it has one (Spec 100).
struct LegacyColumnPlaces: Sendable {
    /// The column that an element of the array belongs to.
    struct Place {
        let column: Int
        let isIndex: Bool
    }

    /// nil when the spec cannot be understood.
    let spec: LegacySpec?
    /// The search indexes that an upgrade has moved to where those of today are, by column.
    private let movedIndexes: IntegerVector?
    /// All places, once they are known; found when they are needed, as most arrays are only passed by.
    private var places: [Place]?

    init(_ spec: LegacySpec?, movedIndexes: IntegerVector? = nil) {
        self.spec = spec
        self.movedIndexes = movedIndexes
    }

    /// Finds all places, for an array whose elements will be asked for one after the other.
    func prepared(for node: Node) -> LegacyColumnPlaces {
        var result = self
        result.places = all(in: node)
        return result
    }

    /// The place of element `index`; nil when the array does not fit to the spec there.
    func place(at index: Int, of node: Node) -> Place? { (places ?? all(in: node))[safe: index] }

    /// What the elements of an array with these columns are; may be more or fewer than a damaged one has.
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

    /// What a column is called.
    func name(of column: LegacySpec.Column, in snapshot: Snapshot) -> String {
        column.type == .backLink ? "backlinks from \(snapshot.legacyOrigin(of: column))" : column.name
    }
}
