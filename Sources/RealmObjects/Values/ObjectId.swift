internal import RealmCore
internal import RealmLayout
internal import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An identifier of 12 bytes: seconds since 1970, five random bytes of the process, and a counter.
///
/// ```swift
/// let id = ObjectId.generate()
/// print(id.stringValue, id.timestamp, try ObjectId(string: "507f1f77bcf86cd799439011") < id)
/// ```
public struct ObjectId: Sendable {
    let stored: ObjectID

    init(_ id: ObjectID) { stored = id }

    /// Parses an identifier of 24 hexadecimal digits.
    ///
    /// - Throws: `Realm.Error` with the code `fail` for other text.
    public init(string: String) throws {
        guard string.utf8.count == 24, let id = ObjectID(string) else {
            throw Realm.Error(.fail, "Object IDs must be 24 hexadecimal digits, not '\(string)'")
        }
        self.init(id)
    }

    /// Creates an identifier from a text in the program.
    ///
    /// - Precondition: the text has 24 hexadecimal digits.
    public init(_ string: StaticString) {
        guard let id = ObjectID("\(string)") else {
            Failure.stop("'\(string)' is no object ID of 24 hexadecimal digits")
        }
        self.init(id)
    }

    /// Creates the identifier of zeros; `generate()` returns a new one.
    public init() { self.init(ObjectID(high: 0, low: 0)) }

    /// Creates an identifier with a time; the rest is as in a new one.
    ///
    /// - Parameters:
    ///   - timestamp: the time, stored in whole seconds.
    ///   - machineIdentifier: the three bytes after the time.
    ///   - processIdentifier: the two bytes after these.
    public init(timestamp: Date, machineIdentifier: Int? = nil, processIdentifier: Int? = nil) {
        let seconds = UInt64(UInt32(truncatingIfNeeded: timestamp.timestamp.seconds))
        let machine = UInt64(truncatingIfNeeded: machineIdentifier ?? Int(Self.process >> 16)) & 0xFF_FFFF
        let process = UInt64(truncatingIfNeeded: processIdentifier ?? Int(Self.process)) & 0xFFFF
        let count = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue & 0xFF_FFFF
        self.init(
            ObjectID(high: seconds << 32 | machine << 8 | process >> 8, low: UInt32(process & 0xFF) << 24 | count))
    }

    /// Creates an identifier with a time and the numbers after it.
    public init(timestamp: Date, machineId: Int, processId: Int) {
        self.init(timestamp: timestamp, machineIdentifier: machineId, processIdentifier: processId)
    }

    /// Returns a new identifier.
    public static func generate() -> ObjectId { ObjectId(timestamp: Date()) }

    /// The time of creation, to the second.
    public var timestamp: Date { Date(timeIntervalSince1970: Double(stored.high >> 32)) }

    /// 24 hexadecimal digits.
    public var stringValue: String { stored.description }

    private static let process = UInt64.random(in: 0..<1 << 40)
    private static let counter = Atomic<UInt32>(.random(in: 0..<1 << 24))
}

extension ObjectId: Hashable, Comparable, CustomStringConvertible, Codable {
    /// Whether all bytes are equal.
    public static func == (left: ObjectId, right: ObjectId) -> Bool { left.stored == right.stored }
    /// Compares the bytes, and thus the times.
    public static func < (left: ObjectId, right: ObjectId) -> Bool {
        (left.stored.high, left.stored.low) < (right.stored.high, right.stored.low)
    }
    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(stored) }
    /// 24 hexadecimal digits.
    public var description: String { stringValue }
    /// Decodes 24 hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        try self.init(string: decoder.singleValueContainer().decode(String.self))
    }
    /// Encodes 24 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}

extension ObjectId: _RealmCollectionValueInsideOptional, _PrimaryKey, _Indexable {
    /// Stored as itself.
    public typealias PersistedType = ObjectId
    /// An ObjectId.
    public static var _traits: _PropertyTraits { _PropertyTraits(.objectId) }
    /// Returns a new identifier.
    public static func _default() -> ObjectId { generate() }
    /// Decodes an ObjectId.
    public static func _decoded(_ stored: _StoredValue) -> ObjectId? {
        if case .objectId(let id) = stored.value { ObjectId(id) } else { nil }
    }
    /// Encodes an ObjectId.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.objectId(stored)) }
    /// Accepts an ObjectId, and its text.
    public static func _converted(_ any: Any) -> ObjectId? {
        if let id = any as? ObjectId { return id }
        return (any as? String).flatMap { try? ObjectId(string: $0) }
    }
}
