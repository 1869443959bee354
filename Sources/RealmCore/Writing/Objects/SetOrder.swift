internal import RealmLayout

/// The order of elements in sets of format 24 (Spec 40).
package struct SetOrder {
    /// The bytes of the values.
    let bytes: ByteView
    /// Whether elements are decimals. Realm Core then treats null as a NaN, sorted among the others.
    let areDecimals: Bool

    /// Compares two elements. Returns a negative number when `left` precedes, 0 for values that a set treats as equal.
    func compare(_ left: FlatValue, _ right: FlatValue) -> Int {
        Self.compare(left.value(bytes), right.value(bytes), areDecimals: areDecimals)
    }

    /// Compares two elements of a set.
    package static func compare(_ left: MixedValue, _ right: MixedValue, areDecimals: Bool) -> Int {
        areDecimals ? decimal(left).order(decimal(right)) : left.setOrder(right)
    }

    private static func decimal(_ value: MixedValue) -> Decimal128Bits {
        if case .decimal128(let value) = value { return value }
        return .nullPattern
    }
}
