/// Finds objects of an intact file in the `lost_and_found` classes of a new one: with all their values, in another
/// class.
struct LostAndFound {
    private let new: Objects
    /// The class that contains the objects of each original class.
    private var classes: [String: String] = [:]

    init(_ original: Objects, _ new: Objects) {
        self.new = new
        let others = new.properties.keys.filter { original.properties[$0] == nil }
        guard !others.isEmpty else { return }
        // Classes whose names are lost are identified by their content.
        var equal: [String: [String: Int]] = [:]
        for (identity, values) in original.values where new.values[identity] == nil {
            for other in others where new.values[Objects.Identity(table: other, key: identity.key)] == values {
                equal[identity.table, default: [:]][other, default: 0] += 1
            }
        }
        classes = equal.mapValues { counts in
            counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? ""
        }
    }

    /// Whether an object exists with all its values.
    func has(_ object: Objects.Identity, _ values: [UInt64]) -> Bool {
        guard let other = classes[object.table] else { return false }
        return new.values[Objects.Identity(table: other, key: object.key)] == values
    }
}
