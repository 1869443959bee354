internal import RealmLayout
internal import RealmReader

/// A value as sets tell values apart: texts by their bytes, numbers by their size, what is not a number by its bits. Swift takes texts for the
/// same that are written in two ways, and what is not a number for different from itself.
struct DistinctValue: Hashable {
    let value: Value

    init(_ value: Value) { self.value = value }

    /// An element of a collection, or a key; nil for objects and collections, which are what they are whatever equals them.
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
