// Operators under the names that RealmSwift also has from Objective-C.

extension Decimal128 {
    /// Whether it is greater than another one; nil is less than all.
    public func isGreaterThan(_ other: Decimal128?) -> Bool { other.map { self > $0 } ?? true }
    /// Whether it is greater than another one, or equal; nil is less than all.
    public func isGreaterThanOrEqual(to other: Decimal128?) -> Bool { other.map { self >= $0 } ?? true }
    /// Whether it is less than another one; nil is less than all.
    public func isLessThan(_ other: Decimal128?) -> Bool { other.map { self < $0 } ?? false }
    /// Whether it is less than another one, or equal; nil is less than all.
    public func isLessThanOrEqual(to other: Decimal128?) -> Bool { other.map { self <= $0 } ?? false }
    /// Returns the sum.
    public func decimalNumber(byAdding other: Decimal128) -> Decimal128 { self + other }
    /// Returns the difference.
    public func decimalNumber(bySubtracting other: Decimal128) -> Decimal128 { self - other }
    /// Returns the product.
    public func decimalNumberByMultiplying(by other: Decimal128) -> Decimal128 { self * other }
    /// Returns the quotient.
    public func decimalNumberByDividing(by other: Decimal128) -> Decimal128 { self / other }
}

extension ObjectId {
    /// Whether it is greater than another one; nil is less than all.
    public func isGreaterThan(_ other: ObjectId?) -> Bool { other.map { self > $0 } ?? true }
    /// Whether it is greater than another one, or equal; nil is less than all.
    public func isGreaterThanOrEqual(to other: ObjectId?) -> Bool { other.map { self >= $0 } ?? true }
    /// Whether it is less than another one; nil is less than all.
    public func isLessThan(_ other: ObjectId?) -> Bool { other.map { self < $0 } ?? false }
    /// Whether it is less than another one, or equal; nil is less than all.
    public func isLessThanOrEqual(to other: ObjectId?) -> Bool { other.map { self <= $0 } ?? false }
}
