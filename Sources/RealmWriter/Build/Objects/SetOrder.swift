internal import RealmLayout
package import RealmReader

/// The order of elements in sets of format 24 (Spec 40).
package struct SetOrder {
    /// Where the bytes of values are.
    let bytes: ByteView
    /// Whether elements are decimals: null is a NaN to Realm Core then, and has its place among the others.
    let areDecimals: Bool

    /// Below 0 when `left` comes first, 0 for values of which a set holds one.
    func compare(_ left: FlatValue, _ right: FlatValue) -> Int {
        Self.compare(left.value(bytes), right.value(bytes), areDecimals: areDecimals)
    }

    /// The same for two elements of a set.
    package static func compare(_ left: MixedValue, _ right: MixedValue, areDecimals: Bool) -> Int {
        areDecimals ? decimal(left).order(decimal(right)) : left.setOrder(right)
    }

    private static func decimal(_ value: MixedValue) -> Decimal128Bits {
        if case .decimal128(let value) = value { return value }
        return .nullPattern
    }
}
