internal import RealmCore
internal import RealmLayout

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Data: _RealmCollectionValueInsideOptional, SortableType, _QueryBinary {
    /// Stored as itself.
    public typealias PersistedType = Data
    /// Bytes.
    public static var _traits: _PropertyTraits { _PropertyTraits(.data) }
    /// Returns empty data.
    public static func _default() -> Data { Data() }
    /// Decodes bytes.
    public static func _decoded(_ stored: _StoredValue) -> Data? {
        if case .binary(let bytes) = stored.value { Data(bytes) } else { nil }
    }
    /// Encodes bytes.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.binary([UInt8](self))) }
}

extension Date: _RealmCollectionValueInsideOptional, _Indexable, MinMaxType, SortableType, _QueryNumeric {
    /// Stored as itself.
    public typealias PersistedType = Date
    /// A point in time.
    public static var _traits: _PropertyTraits { _PropertyTraits(.date) }
    /// Returns the current time.
    public static func _default() -> Date { Date() }
    /// Reads the point in time of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Date {
        object.storedTime(index).map { Date($0) } ?? _default()
    }
    /// Decodes a point in time; a `Date` is accurate to about a microsecond.
    public static func _decoded(_ stored: _StoredValue) -> Date? {
        if case .timestamp(let time) = stored.value { Date(time) } else { nil }
    }
    /// Encodes a point in time.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.timestamp(timestamp)) }

    init(_ time: Timestamp) {
        // Relative to the reference date, as in the SDK: a value is read as the same double that was written.
        self.init(
            timeIntervalSinceReferenceDate: Double(time.seconds) - Self.timeIntervalBetween1970AndReferenceDate
                + Double(time.nanoseconds) / 1_000_000_000)
    }

    /// The point in time in the file, rounded towards zero as in RealmSwift; `RealmFile` rounds to nearest.
    var timestamp: Timestamp {
        let time = timeIntervalSinceReferenceDate
        guard time.isFinite else { return time.isNaN ? Date(timeIntervalSince1970: 0).timestamp : Self.limit(time > 0) }
        var seconds = time.rounded(.towardZero)
        var nanoseconds = ((time - seconds) * 1_000_000_000).rounded(.towardZero)
        seconds += Self.timeIntervalBetween1970AndReferenceDate
        // Seconds and nanoseconds have the same sign.
        if seconds > 0, nanoseconds < 0 {
            seconds -= 1
            nanoseconds += 1_000_000_000
        } else if seconds < 0, nanoseconds > 0 {
            seconds += 1
            nanoseconds -= 1_000_000_000
        }
        guard let whole = Int64(exactly: seconds),
            let timestamp = Timestamp(seconds: whole, nanoseconds: Int64(nanoseconds))
        else { return Self.limit(time > 0) }
        return timestamp
    }

    private static func limit(_ isFuture: Bool) -> Timestamp {
        Timestamp(seconds: isFuture ? .max : .min, nanoseconds: 0) ?? Date().timestamp
    }
}

extension UUID: _RealmCollectionValueInsideOptional, _PrimaryKey, _Indexable {
    /// Stored as itself.
    public typealias PersistedType = UUID
    /// A UUID.
    public static var _traits: _PropertyTraits { _PropertyTraits(.UUID) }
    /// Returns a new UUID.
    public static func _default() -> UUID { UUID() }
    /// Decodes a UUID.
    public static func _decoded(_ stored: _StoredValue) -> UUID? {
        if case .uuid(let id) = stored.value { UUID(id) } else { nil }
    }
    /// Encodes a UUID.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.uuid(stored)) }
    /// Accepts a UUID, and its text.
    public static func _converted(_ any: Any) -> UUID? {
        any as? UUID ?? (any as? String).flatMap { UUID(uuidString: $0) }
    }

    init(_ id: UUIDBytes) {
        let (high, low) = (id.high.bigEndian, id.low.bigEndian)
        self.init(uuid: unsafe unsafeBitCast((high, low), to: uuid_t.self))
    }

    var stored: UUIDBytes {
        let (high, low) = unsafe unsafeBitCast(uuid, to: (UInt64, UInt64).self)
        return UUIDBytes(high: high.bigEndian, low: low.bigEndian)
    }
}

/// Converts a value of a Foundation type to its stored form; nil for other types.
func foundationValue(_ any: Any) -> Value? {
    switch any {
    case let data as Data: .binary([UInt8](data))
    case let date as Date: .timestamp(date.timestamp)
    case let id as UUID: .uuid(id.stored)
    default: nil
    }
}
