internal import RealmLayout

/// The bytes that represent a value in a search index (Spec 80). Numbers, timestamps and short strings need no
/// allocation.
package struct IndexKeyBytes: Hashable, Sendable {
    /// Byte count; -1 for null.
    private let size: Int32
    /// Orders values with the same bytes, first by type; see `rank(of:)`.
    let rank: UInt8
    /// The first sixteen bytes, lowest first, padded with zeros.
    private let low: UInt64
    private let high: UInt64
    /// The complete bytes of long values, and the fractions of decimals.
    private let rest: Rest?

    private final class Rest: Hashable, Sendable {
        /// All bytes.
        let bytes: [UInt8]
        let fraction: UInt128

        init(_ bytes: [UInt8], _ fraction: UInt128) { (self.bytes, self.fraction) = (bytes, fraction) }

        static func == (left: Rest, right: Rest) -> Bool {
            left.bytes == right.bytes && left.fraction == right.fraction
        }

        func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(low)
        hasher.combine(high)
        if let rest { hasher.combine(rest) }
    }

    /// Orders values of equal rank by the fractional part of decimals, which is not in their bytes.
    package var fraction: UInt128 { rest?.fraction ?? Self.noFraction }
    /// The value without a fraction; negative fractions are lower.
    static let noFraction: UInt128 = 1 << 127

    package init(_ value: MixedValue) {
        switch value {
        case .null: self.init(size: -1, (0, 0), rank: Self.rank(of: .null))
        case .int(let number): self.init(size: 8, (UInt64(bitPattern: number), 0), rank: Self.rank(of: value))
        case .timestamp(let time):
            let words = (UInt64(bitPattern: time.seconds), UInt64(UInt32(bitPattern: time.nanoseconds)))
            self.init(size: 12, words, rank: Self.rank(of: value))
        case .string(let view) where view.count <= Self.inlineSize, .objectId(let view), .uuid(let view):
            self.init(size: Int32(view.count), Self.words(of: view), rank: Self.rank(of: value))
        default:
            let key = IndexKey(value, upTo: .max)
            guard key.count != nil else {
                self.init(.null)
                return
            }
            var fraction = Self.noFraction
            if case .decimal128(let value) = value, value.wholePart != nil { fraction = Self.fraction(of: value) }
            self.init(key.start, rank: Self.rank(of: value), fraction)
        }
    }

    /// Ranks values with the same bytes by type. A `Double` that is stored by its bits is ranked before or after the
    /// integers with the same eight bytes.
    private static func rank(of value: MixedValue) -> UInt8 {
        let ofType = 3 * value.rank + 1
        guard case .double(let bits) = value else { return ofType }
        let (number, whole) = (Double(bitPattern: bits), Int64(bitPattern: bits))
        guard Int32(exactly: number) == nil else { return ofType }
        // NaN precedes all numbers. Large whole numbers are compared as integers, because doubles cannot represent all
        // of them.
        guard !number.isNaN else { return ofType - 1 }
        if let exact = Int64(exactly: number) {
            return exact == whole ? ofType : exact < whole ? ofType - 1 : ofType + 1
        }
        return number < Double(whole) ? ofType - 1 : ofType + 1
    }

    /// Creates the bytes of a word; nil for null in a list of strings.
    package init(word bytes: [UInt8]?) { self.init(bytes, rank: 0, Self.noFraction) }

    private init(size: Int32, _ words: (low: UInt64, high: UInt64), rank: UInt8) {
        (self.size, low, high, self.rank, rest) = (size, words.low, words.high, rank, nil)
    }

    private init(_ bytes: [UInt8]?, rank: UInt8, _ fraction: UInt128) {
        self.rank = rank
        size = bytes.map { Int32(truncatingIfNeeded: $0.count) } ?? -1
        (low, high) = bytes.map { ByteView.with($0) { Self.words(of: $0) } } ?? (0, 0)
        let isInline = bytes.map { $0.count <= Self.inlineSize } ?? true
        rest = isInline && fraction == Self.noFraction ? nil : Rest(bytes ?? [], fraction)
    }

    static let inlineSize = 16

    /// Returns the first sixteen bytes as two numbers, lowest byte first, padded with zeros.
    static func words(of view: ByteView) -> (low: UInt64, high: UInt64) {
        func word(_ start: Int) -> UInt64 {
            let count = min(8, view.count - start)
            guard count > 0 else { return 0 }
            return count == 8 ? view.uint64(unchecked: start) : view.slice(unchecked: start, count: count).shortWord
        }
        return (word(0), word(8))
    }

    /// The bytes; nil for null.
    package var bytes: [UInt8]? {
        guard size >= 0 else { return nil }
        if let rest { return rest.bytes }
        return Array((low.littleEndianBytes + high.littleEndianBytes).prefix(Int(size)))
    }

    /// Returns the chunk on a level of an index.
    package func chunk(_ level: Int) -> Int32 {
        if let rest { return IndexChunk.at(level, of: size < 0 ? nil : Int(size)) { rest.bytes[$0] } }
        let left = Int(size) - level * 4
        guard size >= 0, left >= 0 else { return 0 }
        let word = level < 2 ? low : level < 4 ? high : 0
        var chunk = UInt32(truncatingIfNeeded: word >> (UInt64(level & 1) * 32))
        if left < 4 { chunk |= UInt32(UInt8(ascii: "X")) << UInt32(8 * left) }
        return Int32(bitPattern: chunk.byteSwapped)
    }

    /// The number; nil for values other than integers.
    package var number: Int64? { rest == nil && size == 8 ? Int64(bitPattern: low) : nil }

    /// The byte count, -1 for null, and the bytes as two numbers, lowest byte first; nil for long values and those
    /// with a fraction.
    var short: (size: Int32, low: UInt64, high: UInt64)? { rest == nil ? (size, low, high) : nil }

    /// Number of chunks, not counting the end chunk that follows a full last one.
    package var chunkCount: Int { size < 0 ? 1 : max(1, (Int(size) + 3) / 4) }

    /// Whether both have the same bytes, or are both null.
    package func hasSameBytes(as other: IndexKeyBytes) -> Bool {
        size == other.size && low == other.low && high == other.high
            && (size <= Self.inlineSize || rest?.bytes == other.rest?.bytes)
    }

    /// Compares bytes. Returns a negative number when these precede; null precedes all.
    package func orderOfBytes(_ other: IndexKeyBytes) -> Int {
        if hasSameBytes(as: other) { return 0 }
        if size < 0 || other.size < 0 { return size < 0 ? -1 : 1 }
        if low != other.low { return low.byteSwapped < other.low.byteSwapped ? -1 : 1 }
        if high != other.high { return high.byteSwapped < other.high.byteSwapped ? -1 : 1 }
        let (left, right) = (rest?.bytes ?? [], other.rest?.bytes ?? [])
        guard !left.isEmpty, !right.isEmpty else { return size < other.size ? -1 : 1 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    /// Compares values with the same bytes in a list of objects. Returns a negative number when this one precedes.
    package func orderInList(_ other: IndexKeyBytes) -> Int {
        if rank != other.rank { return rank < other.rank ? -1 : 1 }
        return fraction < other.fraction ? -1 : fraction > other.fraction ? 1 : 0
    }

    /// Encodes the fractional part of a decimal as a number that orders like decimals with the same integer part: the
    /// count of leading zeros, where fewer rank higher, then 34 digits.
    private static func fraction(of value: Decimal128Bits) -> UInt128 {
        guard let parts = value.parts, parts.exponent < 0 else { return noFraction }
        let places = -parts.exponent
        // Coefficients have at most 34 digits.
        var digits = places > digitCount ? parts.coefficient : parts.coefficient % power(places)
        guard digits != 0 else { return noFraction }
        var zeros = places - digitCount
        while digits < power(digitCount - 1) {
            digits *= 10
            zeros += 1
        }
        let magnitude = UInt128(mostZeros - zeros) << digitBits | digits
        return parts.isNegative ? noFraction - magnitude : noFraction + magnitude
    }

    private static let digitCount = 34
    /// Enough bits for 34 digits.
    private static let digitBits: UInt128 = 113
    /// Exceeds the number of zeros that exponents allow.
    private static let mostZeros = 8191

    private static func power(_ exponent: Int) -> UInt128 { (0..<exponent).reduce(1) { power, _ in power * 10 } }
}
