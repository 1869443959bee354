import CJSONC
import RealmExchange
import TestSupport

/// A value of plain JSON, either read with json-c or expected.
indirect enum PlainJSON: Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    /// A number with a point or an exponent, as written.
    case number(String)
    case string([UInt8])
    case array([PlainJSON])
    case object([Member])
    /// Expected only: strings and binaries for which the dump has "length hash".
    case longString(String)
    case longBinary(String)

    struct Member: Hashable {
        let name: [UInt8]
        let value: PlainJSON
    }

    /// Parses one JSON text, strictly.
    init(parsing text: some Collection<UInt8>) throws {
        let tokener = json_tokener_new_ex(500)
        defer { json_tokener_free(tokener) }
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8)
        // Names of members are C strings in json-c, which would end at a NUL.
        let text = Self.replacingNULs(Array(text))
        let root = text.withUnsafeBytes { bytes in
            json_tokener_parse_ex(tokener, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
        var error = json_tokener_get_error(tokener)
        if error == json_tokener_continue {
            // A number at the very end may continue until json-c sees an end.
            json_tokener_parse_ex(tokener, "\0", 1)
            error = json_tokener_get_error(tokener)
        }
        guard error == json_tokener_success else {
            throw TestSupportError("not JSON: \(String(decoding: text.prefix(300), as: UTF8.self))")
        }
        defer { json_object_put(root) }
        self.init(root)
    }

    /// A substitute for NUL between the text and the parsed value.
    private static let mark = Array("\u{10FFFE}".utf8)

    /// Returns the text with the escape of `mark` in place of that of NUL.
    private static func replacingNULs(_ text: [UInt8]) -> [UInt8] {
        let escape = Array("u0000".utf8)
        guard text.firstRange(of: escape) != nil else { return text }
        var result: [UInt8] = []
        var offset = 0
        while offset < text.count {
            guard text[offset] == UInt8(ascii: "\\"), offset + 1 < text.count else {
                result.append(text[offset])
                offset += 1
                continue
            }
            if text[(offset + 1)...].starts(with: escape) {
                result += mark
                offset += 6
            } else {
                result += text[offset...(offset + 1)]
                offset += 2
            }
        }
        return result
    }

    private static func restoringNULs(_ text: [UInt8]) -> [UInt8] {
        text.firstRange(of: mark) == nil
            ? text : Array(text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: [0]))
    }

    private init(_ node: OpaquePointer?) {
        switch json_object_get_type(node) {
        case json_type_boolean: self = .bool(json_object_get_boolean(node) != 0)
        case json_type_int: self = .int(json_object_get_int64(node))
        // json-c keeps the text of a number.
        case json_type_double: self = .number(String(cString: json_object_to_json_string(node)))
        case json_type_string:
            let start = UnsafeRawPointer(json_object_get_string(node))
            let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: Int(json_object_get_string_len(node))))
            self = .string(Self.restoringNULs(bytes))
        case json_type_array:
            self = .array((0..<json_object_array_length(node)).map { PlainJSON(json_object_array_get_idx(node, $0)) })
        case json_type_object:
            var members: [Member] = []
            var entry = json_object_get_object(node).pointee.head
            while let current = entry {
                let name = current.pointee.k.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
                members.append(
                    Member(
                        name: Self.restoringNULs(Array(name.utf8)), value: PlainJSON(OpaquePointer(current.pointee.v))))
                entry = current.pointee.next
            }
            self = .object(members)
        default: self = .null
        }
    }

    subscript(name: String) -> PlainJSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == Array(name.utf8) }?.value
    }

    var text: String? {
        if case .string(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
    }

    /// Whether `found` meets this expectation.
    func accepts(_ found: PlainJSON) -> Bool {
        switch (self, found) {
        case (.longString(let digest), .string(let bytes)): digest == "\(bytes.count) \(sha256(bytes))"
        case (.longBinary(let digest), .string(let bytes)):
            unbased64(bytes).map { digest == "\($0.count) \(sha256($0))" } ?? false
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.accepts($1) }
        case (.object(let left), .object(let right)):
            left.map(\.name) == right.map(\.name) && zip(left, right).allSatisfy { $0.value.accepts($1.value) }
        default: self == found
        }
    }
}

extension PlainJSON: ExpectedValue {
    static func document(_ fields: [(name: [UInt8], value: PlainJSON)]) -> PlainJSON {
        .object(fields.map { Member(name: $0.name, value: $0.value) })
    }

    static func converted(_ value: DumpValue) throws -> (value: PlainJSON, loss: LossKind?) {
        guard case .plain(let tag, let bytes) = value else { return (.null, nil) }
        let text = String(decoding: bytes, as: UTF8.self)
        func string(_ text: String) -> PlainJSON { .string(Array(text.utf8)) }
        switch tag {
        case "i": return (Int64(text).map { .int($0) } ?? .null, nil)
        case "t": return (.bool(text == "true"), nil)
        case "s": return (.string(bytes), nil)
        case "sx": return (string(String(decoding: try unhexed(text), as: UTF8.self)), .malformedText)
        case "s#": return (.longString(text), nil)
        case "b": return (string(based64(try unhexed(text))), nil)
        case "b#": return (.longBinary(text), nil)
        case "oid", "uuid": return (string(text), nil)
        case "f":
            let value = UInt32(text, radix: 16).map { Float(bitPattern: $0) } ?? 0
            return (value.isFinite ? .number(value.description) : string(name(of: Double(value))), nil)
        case "d":
            let value = UInt64(text, radix: 16).map { Double(bitPattern: $0) } ?? 0
            return (value.isFinite ? .number(value.description) : string(name(of: value)), nil)
        case "dec": return (string(try decimalText(text)), nil)
        case "ts": return (string(try isoText(text)), nil)
        default: throw TestSupportError("a tag that is not known: \(tag)")
        }
    }

    private static func name(of value: Double) -> String {
        value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    }
}

/// Describes the first differences between documents.
func differences(_ expected: [PlainJSON], _ found: [PlainJSON], in place: String) -> [String] {
    var result: [String] = []
    if expected.count != found.count {
        result.append("\(place): expected \(expected.count) documents, found \(found.count)")
    }
    for (index, (left, right)) in zip(expected, found).enumerated() where !left.accepts(right) && result.count < 3 {
        guard case .object(let left) = left, case .object(let right) = right, left.map(\.name) == right.map(\.name)
        else {
            result.append("\(place) \(index): expected \(left), found \(right)")
            continue
        }
        for (one, other) in zip(left, right) where !one.value.accepts(other.value) {
            let name = String(decoding: one.name, as: UTF8.self)
            result.append("\(place) \(index).\(name): expected \(one.value), found \(other.value)")
        }
    }
    return result
}
