internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Values by which rows are sorted, deduplicated and grouped: for each row the kind of its value, and the value itself,
/// either as numbers in value order (`QueryOrder`) or as a text.
struct SortKeyColumn: Sendable {
    /// Kinds of values in sorted order, one byte each.
    enum Kind: UInt8, Sendable {
        case null
        /// A NaN; its number holds its bits.
        case notANumber
        case value
        /// A link on the way leads nowhere.
        case missing
    }

    private(set) var kinds: [Kind]
    /// The values; for times the seconds, for ids the first eight bytes.
    private(set) var high: [UInt64]
    /// Nanoseconds, and the remaining bytes of ids; empty for other types.
    private(set) var low: [UInt64] = []
    /// Strings, instead of numbers.
    private(set) var texts: [ByteView] = []

    /// - Parameter type: nil for a column whose values are ranks.
    init(_ count: Int, of type: StoredPropertyType?) {
        kinds = .large(repeating: .missing, count: count)
        let isText = type == .string
        high = isText ? [] : .large(repeating: 0, count: count)
        if isText { texts = .large(repeating: .empty, count: count) }
        switch type {
        case .timestamp, .objectId, .uuid: low = .large(repeating: 0, count: count)
        default: break
        }
    }

    /// Ranks values of any type: the number of a value is its rank among all of them.
    init(_ values: [Value?]) {
        self.init(values.count, of: nil)
        var order: [Int] = []
        for (row, value) in values.enumerated() {
            switch value {
            case nil: kinds[row] = .missing
            case .null: kinds[row] = .null
            default:
                kinds[row] = .value
                order.append(row)
            }
        }
        order.sort { QueryOrder.compare(values[$0] ?? .null, values[$1] ?? .null) < 0 }
        var (rank, last) = (UInt64(0), Value.null)
        for row in order {
            let value = values[row] ?? .null
            // Compares with the first of several equal values, because the order of decimals and floating-point numbers
            // is not transitive.
            if QueryOrder.compare(last, value) != 0 { (rank, last) = (rank + 1, value) }
            high[row] = rank
        }
    }

    var count: Int { kinds.count }

    @inline(__always)
    mutating func set(_ row: Int, _ kind: Kind, _ number: UInt64 = 0) {
        kinds[row] = kind
        high[row] = number
    }

    @inline(__always)
    mutating func set(_ row: Int, _ number: UInt64, _ second: UInt64) {
        kinds[row] = .value
        high[row] = number
        low[row] = second
    }

    @inline(__always)
    mutating func setNull(_ row: Int) { kinds[row] = .null }

    @inline(__always)
    mutating func set(_ row: Int, _ text: ByteView?) {
        kinds[row] = text == nil ? .null : .value
        if let text { texts[row] = text }
    }

    /// The representation of the values.
    enum Form {
        case numbers, pairs, texts
    }

    var form: Form { texts.isEmpty ? low.isEmpty ? .numbers : .pairs : .texts }

    /// Creates rows without a value, in the form of another column.
    init(_ count: Int, likeThoseOf other: SortKeyColumn) {
        kinds = .large(repeating: .missing, count: count)
        high = other.texts.isEmpty ? .large(repeating: 0, count: count) : []
        if !other.low.isEmpty { low = .large(repeating: 0, count: count) }
        if !other.texts.isEmpty { texts = .large(repeating: .empty, count: count) }
    }

    mutating func copy(_ row: Int, of other: SortKeyColumn, to place: Int) {
        kinds[place] = other.kinds[row]
        if !other.high.isEmpty { high[place] = other.high[row] }
        if !other.low.isEmpty { low[place] = other.low[row] }
        if !other.texts.isEmpty { texts[place] = other.texts[row] }
    }

    /// The given rows, in the given order.
    func taking(_ rows: [UInt32]) -> SortKeyColumn {
        var result = SortKeyColumn(0, of: nil)
        result.kinds = .large(of: rows) { kinds[Int($0)] }
        if !high.isEmpty { result.high = .large(of: rows) { high[Int($0)] } }
        if !low.isEmpty { result.low = .large(of: rows) { low[Int($0)] } }
        if !texts.isEmpty { result.texts = .large(of: rows) { texts[Int($0)] } }
        return result
    }

    /// Appends rows of another column of the same form.
    mutating func append(_ rows: [UInt32], of other: SortKeyColumn) {
        kinds.append(contentsOf: rows.lazy.map { other.kinds[Int($0)] })
        if !other.high.isEmpty { high.append(contentsOf: rows.lazy.map { other.high[Int($0)] }) }
        if !other.low.isEmpty { low.append(contentsOf: rows.lazy.map { other.low[Int($0)] }) }
        if !other.texts.isEmpty { texts.append(contentsOf: rows.lazy.map { other.texts[Int($0)] }) }
    }

    /// Restores the original order of rows that were read in another order.
    ///
    /// - Parameter places: the original position of each row.
    func scattered(to places: [UInt32]) -> SortKeyColumn {
        var result = self
        for (row, place) in places.enumerated() {
            result.kinds[Int(place)] = kinds[row]
            if !high.isEmpty { result.high[Int(place)] = high[row] }
            if !low.isEmpty { result.low[Int(place)] = low[row] }
            if !texts.isEmpty { result.texts[Int(place)] = texts[row] }
        }
        return result
    }

    /// A number for each row that is never lower than those of rows before it in the order. Rows with equal numbers may
    /// differ.
    @inline(__always)
    func coarse(_ row: Int) -> UInt64 {
        let number = texts.isEmpty ? high[row] : Self.firstBytes(texts[row])
        return UInt64(kinds[row].rawValue) << 62 | number >> 2
    }

    /// Up to eight bytes as a number, the first byte as the highest.
    @inline(__always)
    static func firstBytes(_ text: ByteView) -> UInt64 {
        text.count >= 8 ? text.uint64(unchecked: 0).byteSwapped : text.shortWord.byteSwapped
    }

    /// Whether two rows have equal values.
    @inline(__always)
    func areEqual(_ left: Int, _ right: Int) -> Bool { isEqual(left, to: right, of: self) }

    /// Whether a row equals a row of another column of the same form.
    @inline(__always)
    func isEqual(_ row: Int, to otherRow: Int, of other: SortKeyColumn) -> Bool {
        guard kinds[row] == other.kinds[otherRow] else { return false }
        if !texts.isEmpty { return kinds[row] != .value || texts[row].elementsEqual(other.texts[otherRow]) }
        return high[row] == other.high[otherRow] && (low.isEmpty || low[row] == other.low[otherRow])
    }

    /// A hash of a row's value.
    @inline(__always)
    func hash(_ row: Int) -> UInt64 {
        var number = UInt64(kinds[row].rawValue)
        if texts.isEmpty {
            number ^= high[row] &* 0x9E37_79B9_7F4A_7C15
            if !low.isEmpty { number ^= (low[row] &+ 0x9E37_79B9) &* 0xC2B2_AE3D_27D4_EB4F }
        } else if kinds[row] == .value {
            number ^= TextHash.of(texts[row])
        }
        return (number ^ number >> 29) &* 0xBF58_476D_1CE4_E5B9
    }
}

/// Hashes of strings.
enum TextHash {
    @inline(__always)
    static func of(_ text: ByteView) -> UInt64 {
        var hash = UInt64(text.count) &* 0x9E37_79B9_7F4A_7C15
        var offset = 0
        while offset &+ 8 <= text.count {
            hash = (hash ^ text.uint64(unchecked: offset)) &* 0xBF58_476D_1CE4_E5B9
            hash ^= hash &>> 31
            offset &+= 8
        }
        let rest = text.slice(unchecked: offset, count: text.count &- offset).shortWord
        hash = (hash ^ rest) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash &>> 29
    }
}
