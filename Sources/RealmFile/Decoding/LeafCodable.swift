#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A type that is decoded and encoded as a single stored value, bypassing its own `Decodable` and `Encodable`
/// conformances.
protocol LeafCodable: StoredValueConvertible, NewValueConvertible {}

extension Int: LeafCodable {}
extension Int8: LeafCodable {}
extension Int16: LeafCodable {}
extension Int32: LeafCodable {}
extension Int64: LeafCodable {}
extension UInt: LeafCodable {}
extension UInt8: LeafCodable {}
extension UInt16: LeafCodable {}
extension UInt32: LeafCodable {}
extension UInt64: LeafCodable {}
extension Bool: LeafCodable {}
extension Float: LeafCodable {}
extension Double: LeafCodable {}
extension Date: LeafCodable {}
extension UUID: LeafCodable {}
extension Data: LeafCodable {}
extension URL: LeafCodable {}
extension Decimal: LeafCodable {}
extension Timestamp: LeafCodable {}
extension ObjectID: LeafCodable {}
extension UUIDBytes: LeafCodable {}
extension Decimal128Bits: LeafCodable {}

/// Also accepts an ObjectId, a UUID or a decimal as its text, because models generated from a schema use strings for
/// them.
extension String: LeafCodable {
    /// The text of a value as a model sees it: a string itself, or the text of an ObjectId, a UUID or a decimal.
    static func ofModel(_ value: Value) -> String? {
        switch value {
        case .string(let text): text
        case .objectId(let id): id.description
        case .uuid(let id): id.description
        case .decimal128(let number): number.description
        default: nil
        }
    }
}

extension LeafCodable where Self: Decodable {
    /// Decodes a stored value directly, or its text from other decoders.
    fileprivate init(from decoder: any Decoder, text make: (String) -> Self?) throws {
        let container = try decoder.singleValueContainer()
        if decoder is StoredDecoder {
            self = try container.decode(Self.self)
        } else if let made = make(try container.decode(String.self)) {
            self = made
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no text of \(Self.self)")
        }
    }
}

extension LeafCodable where Self: Encodable {
    /// Encodes a value directly for a file, or its text for other encoders.
    fileprivate func encode(_ text: String, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if encoder is NewValueEncoder { try container.encode(self) } else { try container.encode(text) }
    }
}

extension ObjectID: Codable {
    /// Encodes an ObjectId: as such for a file, as text elsewhere.
    public func encode(to encoder: any Encoder) throws { try encode(description, to: encoder) }

    /// Decodes an ObjectId: as such from a file, from its text elsewhere.
    public init(from decoder: any Decoder) throws { try self.init(from: decoder) { ObjectID($0) } }
}

extension UUIDBytes: Codable {
    /// Encodes a UUID: as such for a file, as text elsewhere.
    public func encode(to encoder: any Encoder) throws { try encode(description, to: encoder) }

    /// Decodes a UUID: as such from a file, from its text elsewhere.
    public init(from decoder: any Decoder) throws { try self.init(from: decoder) { UUIDBytes($0) } }
}

extension Decimal128Bits: Codable {
    /// Encodes a decimal: as such for a file, as text elsewhere.
    public func encode(to encoder: any Encoder) throws { try encode(description, to: encoder) }

    /// Decodes a decimal: as such from a file, from its text elsewhere.
    public init(from decoder: any Decoder) throws { try self.init(from: decoder) { Decimal128Bits($0) } }
}

extension Timestamp: Decodable {
    /// Decodes a timestamp from a file. There is no text form.
    public init(from decoder: any Decoder) throws { try self.init(from: decoder) { _ in nil } }
}
