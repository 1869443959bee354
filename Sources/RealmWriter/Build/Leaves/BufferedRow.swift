internal import RealmLayout
internal import RealmReader

/// An open object of an `ObjectWriter` whose values wait for its end: those of tables whose objects do not come in the order
/// in which they are stored.
final class BufferedRow {
    /// One a property.
    let values = UnsharedArray<MixedValue>()
    private let isSet = UnsharedArray<Bool>()

    /// Begins an object with so many properties.
    func begin(_ count: Int) {
        values.removeAll()
        values.append(repeating: .null, count: count)
        isSet.removeAll()
        isSet.append(repeating: false, count: count)
    }

    /// Whether there was no value yet.
    func put(_ property: PropertyIndex, _ value: MixedValue) -> Bool {
        guard !isSet[property.number] else { return false }
        isSet[property.number] = true
        values[property.number] = value
        return true
    }

    /// Whether a property has a value.
    func hasValue(_ property: PropertyIndex) -> Bool { isSet[property.number] }

    /// Makes collections that were not set empty.
    func fillIn(_ properties: UnsharedArray<PropertyConstraint>) {
        for index in 0..<properties.count where !isSet[index] && properties[index].collection != nil {
            values[index] = .list(nil)
        }
    }
}
