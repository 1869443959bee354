internal import RealmLayout
internal import RealmReader
internal import RealmVerifier

/// The bytes that a search index makes of a Mixed value (Spec 80).
struct IndexKeyBytes {
    /// nil for null.
    let bytes: [UInt8]?
    /// The order of objects whose values have the same bytes.
    let rank: UInt8

    init(_ value: MixedValue) {
        switch value {
        case .null: (bytes, rank) = (nil, 0)
        case .bool(let value): (bytes, rank) = (Self.littleEndian(value ? 1 : 0, 8), 1)
        case .int(let value): (bytes, rank) = (Self.littleEndian(UInt64(bitPattern: value), 8), 2)
        case .float(let bits):
            (bytes, rank) = (
                Self.number(
                    Int32(exactly: Float(bitPattern: bits)).map { Int64($0) }, Self.littleEndian(UInt64(bits), 4)), 2
            )
        case .double(let bits):
            (bytes, rank) = (
                Self.number(Int32(exactly: Double(bitPattern: bits)).map { Int64($0) }, Self.littleEndian(bits, 8)), 2
            )
        case .decimal128(let value):
            (bytes, rank) = (
                Self.number(value.wholeNumber, Self.littleEndian(value.low, 8) + Self.littleEndian(value.high, 8)), 2
            )
        case .string(let view): (bytes, rank) = (view.bytes, 3)
        case .binary(let view): (bytes, rank) = (view.bytes, 4)
        case .timestamp(let time): (bytes, rank) = (Self.bytes(of: time), 5)
        case .objectId(let view): (bytes, rank) = (view.bytes, 6)
        case .uuid(let view): (bytes, rank) = (view.bytes, 7)
        case .link(let table, let key):
            (bytes, rank) = (
                Self.littleEndian(UInt64(table.value), 4) + Self.littleEndian(UInt64(bitPattern: key.value), 8), 8
            )
        case .list: (bytes, rank) = (Array("__List__".utf8), 9)
        case .dictionary: (bytes, rank) = (Array("__Dictionary__".utf8), 9)
        }
    }

    static func bytes(of time: Timestamp) -> [UInt8] {
        littleEndian(UInt64(bitPattern: time.seconds), 8) + littleEndian(UInt64(bitPattern: Int64(time.nanoseconds)), 4)
    }

    private static func littleEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    /// Whole numbers are as integers.
    private static func number(_ whole: Int64?, _ bytes: [UInt8]) -> [UInt8] {
        whole.map { littleEndian(UInt64(bitPattern: $0), 8) } ?? bytes
    }
}
