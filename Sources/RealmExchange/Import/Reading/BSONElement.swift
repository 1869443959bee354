internal import RealmCore
package import RealmLayout

/// The types of BSON elements (bsonspec.org, version 1.1).
package enum BSONType: UInt8, BitwiseCopyable {
    case double = 0x01
    case string = 0x02
    case document = 0x03
    case array = 0x04
    case binary = 0x05
    case undefined = 0x06
    case objectId = 0x07
    case bool = 0x08
    case date = 0x09
    case null = 0x0A
    case regularExpression = 0x0B
    case pointer = 0x0C
    case code = 0x0D
    case symbol = 0x0E
    case codeWithScope = 0x0F
    case int32 = 0x10
    case timestamp = 0x11
    case int64 = 0x12
    case decimal128 = 0x13
    case maximumKey = 0x7F
    case minimumKey = 0xFF

    /// The type in words.
    var words: String {
        switch self {
        case .double: "a double"
        case .string: "a string"
        case .document: "a document"
        case .array: "an array"
        case .binary: "a binary"
        case .undefined: "undefined"
        case .objectId: "an objectId"
        case .bool: "a bool"
        case .date: "a date"
        case .null: "null"
        case .regularExpression: "a regular expression"
        case .pointer: "a DBPointer"
        case .code: "code"
        case .symbol: "a symbol"
        case .codeWithScope: "code with scope"
        case .int32: "an int32"
        case .timestamp: "an internal timestamp"
        case .int64: "an int64"
        case .decimal128: "a decimal128"
        case .maximumKey: "MaxKey"
        case .minimumKey: "MinKey"
        }
    }
}

/// An element of a BSON document: views of its bytes.
package struct BSONElement: BitwiseCopyable {
    package let key: ByteView
    /// The value without its length field; for a string without the terminating zero, for a document or array in full.
    package let value: ByteView
    /// The type code in the document, always a valid one.
    package let code: UInt8
    /// The subtype of a binary value.
    package let subtype: UInt8

    var type: BSONType { BSONType(rawValue: code) ?? .undefined }

    /// Whether the element has a type. Faster than comparing `type`.
    @inline(__always)
    package func isOf(_ type: BSONType) -> Bool { code == type.rawValue }

    /// The number of a value of eight bytes.
    @inline(__always) var word: UInt64 { value.uint64(unchecked: 0) }
    @inline(__always) var int64: Int64 { Int64(bitPattern: word) }
    @inline(__always) var int32: Int32 { Int32(bitPattern: value.uint32(unchecked: 0)) }
    @inline(__always) package var bool: Bool { value.byte(unchecked: 0) != 0 }
    @inline(__always) var decimal: Decimal128Bits { Decimal128Bits(high: value.uint64(unchecked: 8), low: word) }

    /// An integer of either size.
    @inline(__always)
    var integer: Int64? {
        isOf(.int64) ? int64 : isOf(.int32) ? Int64(int32) : nil
    }

    /// Whether this is a document that begins with an element of that name.
    func begins(with name: StaticName) -> Bool {
        // The first name follows a length of four bytes and a type.
        guard isOf(.document), value.count > 5 + name.text.count else { return false }
        let start = value.slice(unchecked: 5, count: name.text.count)
        return start.isSame(as: name.text) && value.byte(unchecked: 5 &+ name.text.count) == 0
    }
}
