#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A type that a value is had as at once, whatever its own `Decodable` would ask for.
protocol LeafDecodable: StoredValueConvertible {}

extension Int: LeafDecodable {}
extension Int8: LeafDecodable {}
extension Int16: LeafDecodable {}
extension Int32: LeafDecodable {}
extension Int64: LeafDecodable {}
extension UInt: LeafDecodable {}
extension UInt8: LeafDecodable {}
extension UInt16: LeafDecodable {}
extension UInt32: LeafDecodable {}
extension UInt64: LeafDecodable {}
extension Bool: LeafDecodable {}
extension Float: LeafDecodable {}
extension Double: LeafDecodable {}
extension Date: LeafDecodable {}
extension UUID: LeafDecodable {}
extension Data: LeafDecodable {}
extension URL: LeafDecodable {}
extension Decimal: LeafDecodable {}
extension Timestamp: LeafDecodable {}
extension ObjectID: LeafDecodable {}
extension UUIDBytes: LeafDecodable {}
extension Decimal128Bits: LeafDecodable {}

/// A text is also that of an ObjectId, a UUID or a decimal: what models that were made from a schema have for them.
extension String: LeafDecodable {
    /// The text that a value is for a model: its own, or that of an ObjectId, a UUID or a decimal.
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

extension LeafDecodable where Self: Decodable {
    /// Decodes the value of a file; from what others encoded, its text.
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

extension ObjectID: Decodable {
    /// Decodes an ObjectId of a file, or its text.
    public init(from decoder: any Decoder) throws { try self.init(from: decoder) { ObjectID($0) } }
}

extension UUIDBytes: Decodable {
    /// Decodes a UUID of a file, or its text.
    public init(from decoder: any Decoder) throws { try self.init(from: decoder) { UUIDBytes($0) } }
}

extension Decimal128Bits: Decodable {
    /// Decodes a decimal of a file, or its text.
    public init(from decoder: any Decoder) throws { try self.init(from: decoder) { Decimal128Bits($0) } }
}

extension Timestamp: Decodable {
    /// Decodes a timestamp of a file; there is no other form.
    public init(from decoder: any Decoder) throws { try self.init(from: decoder) { _ in nil } }
}
