// What operators do, under the names that RealmSwift has from Objective-C as well.

extension Decimal128 {
    /// Whether it comes behind another one; nil comes before all.
    public func isGreaterThan(_ other: Decimal128?) -> Bool { other.map { self > $0 } ?? true }
    /// Whether it comes behind another one, or is the same; nil comes before all.
    public func isGreaterThanOrEqual(to other: Decimal128?) -> Bool { other.map { self >= $0 } ?? true }
    /// Whether it comes before another one; nil comes before all.
    public func isLessThan(_ other: Decimal128?) -> Bool { other.map { self < $0 } ?? false }
    /// Whether it comes before another one, or is the same; nil comes before all.
    public func isLessThanOrEqual(to other: Decimal128?) -> Bool { other.map { self <= $0 } ?? false }
    /// The sum.
    public func decimalNumber(byAdding other: Decimal128) -> Decimal128 { self + other }
    /// The difference.
    public func decimalNumber(bySubtracting other: Decimal128) -> Decimal128 { self - other }
    /// The product.
    public func decimalNumberByMultiplying(by other: Decimal128) -> Decimal128 { self * other }
    /// The quotient.
    public func decimalNumberByDividing(by other: Decimal128) -> Decimal128 { self / other }
}

extension ObjectId {
    /// Whether it comes behind another one; nil comes before all.
    public func isGreaterThan(_ other: ObjectId?) -> Bool { other.map { self > $0 } ?? true }
    /// Whether it comes behind another one, or is the same; nil comes before all.
    public func isGreaterThanOrEqual(to other: ObjectId?) -> Bool { other.map { self >= $0 } ?? true }
    /// Whether it comes before another one; nil comes before all.
    public func isLessThan(_ other: ObjectId?) -> Bool { other.map { self < $0 } ?? false }
    /// Whether it comes before another one, or is the same; nil comes before all.
    public func isLessThanOrEqual(to other: ObjectId?) -> Bool { other.map { self <= $0 } ?? false }
}
