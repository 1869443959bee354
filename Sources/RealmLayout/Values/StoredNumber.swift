/// A number of one of the types that Realm orders together (Spec 40).
package enum StoredNumber: BitwiseCopyable, Sendable {
    case int(Int64)
    case float(bits: UInt32)
    case double(bits: UInt64)
    case decimal128(Decimal128Bits)

    /// Below 0 when the number comes before `other`, 0 when both are the same number, whatever their types. NaNs come before
    /// all other numbers, those of one type in the order of their bits.
    package func order(_ other: StoredNumber) -> Int {
        switch (self, other) {
        case (.int(let left), .int(let right)): Self.compare(left, right)
        case (.float(let left), .float(let right)):
            Self.compare(Double(Float(bitPattern: left)), Double(Float(bitPattern: right)), UInt64(left), UInt64(right))
        case (.decimal128, _), (_, .decimal128): decimal.order(other.decimal)
        case (.int(let left), _): Self.compare(left, other.double)
        case (_, .int(let right)): -Self.compare(right, double)
        default: Self.compare(double, other.double, double.bitPattern, other.double.bitPattern)
        }
    }

    /// The order in sets, which holds numbers of different types apart that only look equal after a conversion: NaNs, and
    /// fractions beside decimals.
    package func setOrder(_ other: StoredNumber) -> Int {
        let types = Self.compare(type, other.type)
        if types != 0, isNaN, other.isNaN { return types }
        let found = order(other)
        guard found == 0, types != 0, max(type, other.type) == Self.decimalType else { return found }
        return isWhole && other.isWhole ? found : types
    }

    private static let decimalType = 3

    private var type: Int {
        switch self {
        case .int: 0
        case .float: 1
        case .double: 2
        case .decimal128: Self.decimalType
        }
    }

    /// The number as a double; of decimals nothing that counts.
    package var double: Double {
        switch self {
        case .int(let value): Double(value)
        case .float(let bits): Double(Float(bitPattern: bits))
        case .double(let bits): Double(bitPattern: bits)
        case .decimal128: 0
        }
    }

    /// The decimal nearest to the number, with as many digits as tell a double from its neighbours.
    package var decimal: Decimal128Bits {
        switch self {
        case .int(let number): Decimal128Bits(number)
        case .float(let bits): Decimal128Bits(Float(bitPattern: bits))
        case .double(let bits): Decimal128Bits(Double(bitPattern: bits))
        case .decimal128(let value): value
        }
    }

    private var isNaN: Bool {
        switch self {
        case .float, .double: double.isNaN
        case .int, .decimal128: false
        }
    }

    /// Whether the conversion to a decimal keeps the number as it is.
    private var isWhole: Bool {
        switch self {
        case .float, .double: Int32(exactly: double) != nil
        case .int, .decimal128: true
        }
    }

    private static func compare<T: Comparable>(_ left: T, _ right: T) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    private static func compare(_ left: Double, _ right: Double, _ leftBits: UInt64, _ rightBits: UInt64) -> Int {
        switch (left.isNaN, right.isNaN) {
        case (true, true): compare(leftBits, rightBits)
        case (true, false): -1
        case (false, true): 1
        case (false, false): compare(left, right)
        }
    }

    /// Exactly, whatever a double can hold of the integer.
    private static func compare(_ left: Int64, _ right: Double) -> Int {
        if right.isNaN { return 1 }
        if left.magnitude <= 1 << 53 { return compare(Double(left), right) }
        if right >= 0x1p63 { return -1 }
        if right < -0x1p63 { return 1 }
        return compare(left, Int64(right))
    }
}
