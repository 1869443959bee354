import CLibBSON
import TestSupport

/// A BSON value as read by libbson's iterator. Text is bytes and numbers are bits: equal means identical.
indirect enum BSONValue: Hashable {
    case double(UInt64)
    case string([UInt8])
    case document([Field])
    case array([BSONValue])
    case binary(subtype: UInt32, [UInt8])
    case objectId([UInt8])
    case bool(Bool)
    case date(Int64)
    case null
    case int32(Int32)
    case int64(Int64)
    case decimal(high: UInt64, low: UInt64)
    /// Strings and generic binaries longer than dumps include: "length hash".
    case longString(String)
    case longBinary(String)

    struct Field: Hashable {
        let name: [UInt8]
        let value: BSONValue

        init(_ name: String, _ value: BSONValue) { self.init(Array(name.utf8), value) }

        init(_ name: [UInt8], _ value: BSONValue) {
            self.name = name
            self.value = value
        }
    }

    static func text(_ bytes: [UInt8]) -> BSONValue {
        bytes.count > DumpValue.longest ? .longString("\(bytes.count) \(sha256(bytes))") : .string(bytes)
    }

    static func data(_ bytes: [UInt8]) -> BSONValue {
        bytes.count > DumpValue.longest
            ? .longBinary("\(bytes.count) \(sha256(bytes))") : .binary(subtype: 0, bytes)
    }
}

extension BSONValue {
    /// Reads a document in libbson's representation.
    init(_ document: OpaquePointer) throws {
        guard let iter = realmfile_bson_iter_new(document) else { throw TestSupportError("no BSON document") }
        defer { bson_free(UnsafeMutableRawPointer(iter)) }
        self = .document(try Self.fields(iter))
    }

    private static func fields(_ iter: OpaquePointer) throws -> [Field] {
        var fields: [Field] = []
        while bson_iter_next(iter) {
            let name = bson_iter_key(iter).map { Array(String(cString: $0).utf8) } ?? []
            fields.append(Field(name, try BSONValue(at: iter)))
        }
        return fields
    }

    private init(at iter: OpaquePointer) throws {
        switch bson_iter_type(iter) {
        case BSON_TYPE_DOUBLE: self = .double(bson_iter_double(iter).bitPattern)
        case BSON_TYPE_UTF8:
            var length: UInt32 = 0
            let start = UnsafeRawPointer(bson_iter_utf8(iter, &length))
            self = .text([UInt8](UnsafeRawBufferPointer(start: start, count: Int(length))))
        case BSON_TYPE_DOCUMENT, BSON_TYPE_ARRAY:
            guard let child = realmfile_bson_iter_new_child(iter) else { throw TestSupportError("a broken document") }
            defer { bson_free(UnsafeMutableRawPointer(child)) }
            let fields = try Self.fields(child)
            guard bson_iter_type(iter) == BSON_TYPE_ARRAY else {
                self = .document(fields)
                return
            }
            guard fields.map(\.name) == fields.indices.map({ Array(String($0).utf8) }) else {
                throw TestSupportError("keys of an array that do not count from 0")
            }
            self = .array(fields.map(\.value))
        case BSON_TYPE_BINARY:
            var subtype = BSON_SUBTYPE_BINARY
            var length: UInt32 = 0
            var start: UnsafePointer<UInt8>?
            bson_iter_binary(iter, &subtype, &length, &start)
            let bytes = [UInt8](UnsafeBufferPointer(start: start, count: Int(length)))
            self = subtype == BSON_SUBTYPE_BINARY ? .data(bytes) : .binary(subtype: subtype.rawValue, bytes)
        case BSON_TYPE_OID:
            self = .objectId([UInt8](UnsafeRawBufferPointer(start: bson_iter_oid(iter), count: 12)))
        case BSON_TYPE_BOOL: self = .bool(bson_iter_bool(iter))
        case BSON_TYPE_DATE_TIME: self = .date(bson_iter_date_time(iter))
        case BSON_TYPE_NULL: self = .null
        case BSON_TYPE_INT32: self = .int32(bson_iter_int32(iter))
        case BSON_TYPE_INT64: self = .int64(bson_iter_int64(iter))
        case BSON_TYPE_DECIMAL128:
            var value = bson_decimal128_t()
            bson_iter_decimal128(iter, &value)
            self = .decimal(high: value.high, low: value.low)
        case let type: throw TestSupportError("a BSON value of type \(type.rawValue), which Realm has not")
        }
    }

    /// Parses Extended JSON with libbson.
    init(parsingJSON text: some Collection<UInt8>) throws {
        var error = bson_error_t()
        let text = Array(text)
        guard let document = bson_new_from_json(text, text.count, &error) else {
            throw TestSupportError("libbson does not parse \(String(decoding: text.prefix(400), as: UTF8.self))")
        }
        defer { bson_destroy(document) }
        try self.init(document)
    }

    /// Reads consecutive BSON documents, each of which libbson must find valid.
    static func documents(in bytes: [UInt8], allowingAnyKey: Bool = false) throws -> [BSONValue] {
        var flags = BSON_VALIDATE_UTF8.rawValue | BSON_VALIDATE_UTF8_ALLOW_NULL.rawValue
        if !allowingAnyKey { flags |= BSON_VALIDATE_DOLLAR_KEYS.rawValue | BSON_VALIDATE_DOT_KEYS.rawValue }
        var documents: [BSONValue] = []
        var offset = 0
        try bytes.withUnsafeBufferPointer { buffer in
            while offset < buffer.count {
                guard buffer.count - offset >= 5 else { throw TestSupportError("bytes after the last document") }
                let length = (0..<4).reduce(0) { $0 | Int(buffer[offset + $1]) << (8 * $1) }
                guard length <= buffer.count - offset, let start = buffer.baseAddress,
                    let document = bson_new_from_data(start + offset, length)
                else { throw TestSupportError("no BSON document at byte \(offset)") }
                defer { bson_destroy(document) }
                var place = 0
                guard bson_validate(document, bson_validate_flags_t(flags), &place) else {
                    throw TestSupportError("document \(documents.count) is not valid at its byte \(place)")
                }
                documents.append(try BSONValue(document))
                offset += length
            }
        }
        return documents
    }
}

extension BSONValue: CustomStringConvertible {
    var description: String {
        switch self {
        case .double(let bits): "double(\(Double(bitPattern: bits)))"
        case .string(let bytes): "\"\(String(decoding: bytes, as: UTF8.self))\""
        case .document(let fields):
            "{\(fields.map { "\(String(decoding: $0.name, as: UTF8.self)): \($0.value)" }.joined(separator: ", "))}"
        case .array(let values): "\(values)"
        case .binary(let subtype, let bytes): "binary\(subtype)(\(bytes))"
        case .objectId(let bytes): "objectId(\(bytes))"
        case .bool(let value): "\(value)"
        case .date(let value): "date(\(value))"
        case .null: "null"
        case .int32(let value): "int32(\(value))"
        case .int64(let value): "\(value)"
        case .decimal(let high, let low): "decimal(\(high), \(low))"
        case .longString(let text): "string#\(text)"
        case .longBinary(let text): "binary#\(text)"
        }
    }
}

/// Describes the first differences between documents.
func differences(_ expected: [BSONValue], _ found: [BSONValue], in place: String, limit: Int = 3) -> [String] {
    var result: [String] = []
    if expected.count != found.count {
        result.append("\(place): expected \(expected.count) documents, found \(found.count)")
    }
    for (index, (left, right)) in zip(expected, found).enumerated() where left != right && result.count < limit {
        guard case .document(let left) = left, case .document(let right) = right else {
            result.append("\(place) \(index): expected \(left), found \(right)")
            continue
        }
        if left.map(\.name) != right.map(\.name) {
            let names = [left, right].map { $0.map { String(decoding: $0.name, as: UTF8.self) } }
            result.append("\(place) \(index): expected fields \(names[0]), found \(names[1])")
        }
        for (one, other) in zip(left, right) where one != other {
            result.append(
                "\(place) \(index).\(String(decoding: one.name, as: UTF8.self)): expected "
                    + "\(String("\(one.value)".prefix(300))), found \(String("\(other.value)".prefix(300)))")
        }
    }
    return result
}
