internal import RealmCore
internal import RealmLayout

/// A value with the equality of sets: texts are compared by their bytes, numbers by their magnitude, NaN by its bits.
/// Swift treats two spellings of a text as equal, and NaN as different from itself.
struct DistinctValue: Hashable {
    let value: Value

    init(_ value: Value) { self.value = value }

    /// Creates the value of an element of a collection, or of a key; nil for objects and collections.
    init?<Element: _Persistable>(of element: Element) {
        let type = Element._traits.type
        if type == .object { return nil }
        if type == .any {
            switch element as? AnyRealmValue {
            case .object, .list, .dictionary: return nil
            default: break
            }
        }
        guard let value = storedValue(element) else { return nil }
        self.init(value)
    }

    static func == (left: DistinctValue, right: DistinctValue) -> Bool {
        guard let number = left.value.number, let other = right.value.number else { return left.value == right.value }
        return number.setOrder(other) == 0
    }

    func hash(into hasher: inout Hasher) {
        switch value.number {
        case nil: value.hash(into: &hasher)
        case .decimal128(let number)?: Decimal128(number).hash(into: &hasher)
        case let number?: number.double.hash(into: &hasher)
        }
    }
}
