package import RealmCore
internal import RealmLayout

extension JSONValue {
    /// Parses comma-separated values: `30, "x", {"$oid": "…"}`.
    ///
    /// - Throws: `malformed` if the text is not JSON.
    package static func values(listed text: String) throws(DocumentError) -> [JSONValue] {
        let array = Array("[\(text)]".utf8)
        return try ByteView.with(array) { view throws(DocumentError) in try JSONValue(parsing: view).elements ?? [] }
    }
}

extension Value {
    /// Converts a value from either form of Extended JSON, or from plain JSON.
    ///
    /// - Returns: Nil unless `json` is a single value: arrays and objects that do not name a Realm type are rejected.
    package init?(extendedJSON json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let text): self = .string(text)
        case .array: return nil
        case .object(let members):
            guard members.count == 1, let value = Self.typed(members[0].0, members[0].1) else { return nil }
            self = value
        }
    }

    private static func typed(_ type: String, _ json: JSONValue) -> Value? {
        switch (type, json) {
        case ("$oid", .string(let text)): ObjectID(text).map { .objectId($0) }
        case ("$uuid", .string(let text)): UUIDBytes(text).map { .uuid($0) }
        case ("$numberInt", .string(let text)), ("$numberLong", .string(let text)): Int64(text).map { .int($0) }
        case ("$numberDouble", .string(let text)): Double(spelled: text).map { .double($0) }
        case ("$numberDecimal", .string(let text)): Decimal128Bits(parsing: text).map { .decimal128($0) }
        case ("$date", .string(let text)): Timestamp(iso8601: text).map { .timestamp($0) }
        case ("$date", .int(let milliseconds)): time(milliseconds)
        case ("$date", .object):
            Value(extendedJSON: json).flatMap { if case .int(let time) = $0 { self.time(time) } else { nil } }
        case ("$binary", .object):
            if case .string(let text)? = json["base64"], let bytes = Base64.bytes(text.utf8) {
                binary(bytes, subtype: json["subType"]?.text)
            } else {
                nil
            }
        default: nil
        }
    }

    private static func time(_ milliseconds: Int64) -> Value? {
        Timestamp(seconds: milliseconds / 1000, nanoseconds: milliseconds % 1000 * 1_000_000).map { .timestamp($0) }
    }

    private static func binary(_ bytes: [UInt8], subtype: String?) -> Value? {
        subtype == "04" || subtype == "4" ? UUIDBytes(bytes).map { .uuid($0) } : .binary(bytes)
    }
}
