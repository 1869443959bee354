internal import RealmCore
internal import RealmLayout

extension MixedValue {
    /// A hash of the value as stored, the same in every process; nil for null and for collections.
    var storedHash: UInt64? {
        switch self {
        case .null, .list, .dictionary: nil
        case .int(let number): Self.mix(UInt64(bitPattern: number))
        case .bool(let truth): Self.mix(truth ? 1 : 0, 1)
        case .float(let bits): Self.mix(UInt64(bits), 2)
        case .double(let bits): Self.mix(bits, 3)
        case .string(let text): Self.mix(StringHash.of(text), 4)
        case .binary(let bytes): Self.mix(StringHash.of(bytes), 5)
        case .timestamp(let time):
            Self.mix(Self.mix(UInt64(bitPattern: time.seconds)), UInt64(UInt32(bitPattern: time.nanoseconds)) << 3 | 6)
        case .decimal128(let decimal): Self.mix(Self.mix(decimal.low) &+ decimal.high, 7)
        case .objectId(let bytes): Self.mix(StringHash.of(bytes), 8)
        case .uuid(let bytes): Self.mix(StringHash.of(bytes), 9)
        case .link(let table, let key): Self.mix(UInt64(bitPattern: key.value), UInt64(table.value) << 4 | 10)
        }
    }

    /// Spreads the bits of a number; different numbers of one kind have different results.
    private static func mix(_ number: UInt64, _ kind: UInt64 = 0) -> UInt64 {
        var bits = number &+ kind &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// Whether the value has a place in an order: not for null, NaNs, links and collections.
    var isOrdered: Bool {
        switch self {
        case .null, .link, .list, .dictionary: false
        case .float(let bits): !Float(bitPattern: bits).isNaN
        case .double(let bits): !Double(bitPattern: bits).isNaN
        case .decimal128(let decimal): !decimal.isNaN
        default: true
        }
    }

    /// The bytes of a string or of binary data.
    var text: ByteView? {
        switch self {
        case .string(let bytes), .binary(let bytes): bytes
        default: nil
        }
    }
}

/// A value of a Mixed that does not refer to the bytes of the file.
struct KeptValue: Sendable {
    private let value: MixedValue
    private let bytes: [UInt8]

    init(_ value: MixedValue) {
        self.value = value
        bytes =
            switch value {
            case .string(let view), .binary(let view), .objectId(let view), .uuid(let view): view.bytes
            default: []
            }
    }

    /// Whether it comes before another value in the order of Realm's sets.
    func isBefore(_ other: MixedValue) -> Bool { with { $0.setOrder(other) < 0 } }
    func isAfter(_ other: MixedValue) -> Bool { with { $0.setOrder(other) > 0 } }

    private func with<R>(_ body: (MixedValue) -> R) -> R {
        switch value {
        case .string: ByteView.with(bytes) { body(.string($0)) }
        case .binary: ByteView.with(bytes) { body(.binary($0)) }
        case .objectId: ByteView.with(bytes) { body(.objectId($0)) }
        case .uuid: ByteView.with(bytes) { body(.uuid($0)) }
        default: body(value)
        }
    }

    /// The value for users.
    var publicValue: Value {
        switch value {
        case .null, .link, .list, .dictionary: .null
        case .int(let number): .int(number)
        case .bool(let truth): .bool(truth)
        case .float(let bits): .float(Float(bitPattern: bits))
        case .double(let bits): .double(Double(bitPattern: bits))
        case .string:
            String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .malformedString(bytes)
        case .binary: .binary(bytes)
        case .timestamp(let time): .timestamp(time)
        case .decimal128(let decimal): .decimal128(decimal)
        case .objectId: ByteView.with(bytes) { .objectId(ObjectID($0)) }
        case .uuid: ByteView.with(bytes) { .uuid(UUIDBytes($0)) }
        }
    }
}
