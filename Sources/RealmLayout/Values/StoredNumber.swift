/// A number of one of the types that share an order in Realm (Spec 40).
package enum StoredNumber: BitwiseCopyable, Sendable {
    case int(Int64)
    case float(bits: UInt32)
    case double(bits: UInt64)
    case decimal128(Decimal128Bits)

    /// Compares two numbers across types: negative when this one comes before `other`, 0 when they are equal. NaNs come
    /// before all other numbers; those of one type are ordered by their bits.
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

    /// The order in sets, which separates numbers of different types that only become equal by conversion: NaNs, and
    /// fractions compared with decimals.
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

    /// The number as a double; not meaningful for decimals.
    package var double: Double {
        switch self {
        case .int(let value): Double(value)
        case .float(let bits): Double(Float(bitPattern: bits))
        case .double(let bits): Double(bitPattern: bits)
        case .decimal128: 0
        }
    }

    /// The decimal nearest to the number, with the shortest digits that identify a double.
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

    /// Whether conversion to a decimal preserves the number.
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

    /// Compares exactly, even when a double cannot represent the integer.
    private static func compare(_ left: Int64, _ right: Double) -> Int {
        if right.isNaN { return 1 }
        if left.magnitude <= 1 << 53 { return compare(Double(left), right) }
        if right >= 0x1p63 { return -1 }
        if right < -0x1p63 { return 1 }
        return compare(left, Int64(right))
    }
}
