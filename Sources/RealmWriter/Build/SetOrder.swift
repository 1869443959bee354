internal import RealmLayout
internal import RealmReader

/// The order of elements in sets of format 24 (Spec 40).
struct SetOrder {
    /// Where the bytes of values are.
    let bytes: ByteView
    /// Whether elements are decimals: null is a NaN to Realm Core then, and has its place among the others.
    let areDecimals: Bool

    /// Below 0 when `left` comes first, 0 for values of which a set holds one.
    func compare(_ left: FlatValue, _ right: FlatValue) -> Int {
        areDecimals ? decimal(left).order(decimal(right)) : left.value(bytes).setOrder(right.value(bytes))
    }

    private func decimal(_ value: FlatValue) -> Decimal128Bits {
        if case .decimal128(let value) = value { return value }
        return Decimal128Bits(high: NullPattern.decimal128High, low: NullPattern.decimal128Low)
    }
}
