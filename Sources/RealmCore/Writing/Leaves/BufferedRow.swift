internal import RealmLayout

/// Buffers the values of an open object of an `ObjectWriter` until its end, for tables whose objects do not arrive in
/// stored order.
final class BufferedRow {
    /// One value for each property.
    let values = UnsharedArray<MixedValue>()
    private let isSet = UnsharedArray<Bool>()

    /// Begins an object with `count` properties.
    func begin(_ count: Int) {
        values.removeAll()
        values.append(repeating: .null, count: count)
        isSet.removeAll()
        isSet.append(repeating: false, count: count)
    }

    /// Sets a value; returns false if the property already has one.
    func put(_ property: PropertyIndex, _ value: MixedValue) -> Bool {
        guard !isSet[property.number] else { return false }
        isSet[property.number] = true
        values[property.number] = value
        return true
    }

    /// Whether a property has a value.
    func hasValue(_ property: PropertyIndex) -> Bool { isSet[property.number] }

    /// Sets missing collections to empty ones.
    func fillIn(_ properties: UnsharedArray<PropertyConstraint>) {
        for index in 0..<properties.count where !isSet[index] && properties[index].collection != nil {
            values[index] = .list(nil)
        }
    }
}
