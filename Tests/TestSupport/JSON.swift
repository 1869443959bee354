private import CJSONC

/// A JSON value. Text is stored as bytes, because canonically equivalent Swift strings are equal; members keep their
/// order.
package indirect enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case text([UInt8])
    case array([JSON])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: JSON
    }

    /// Parses one JSON text; floating-point numbers are refused, because no dump has them.
    package init(parsing text: [UInt8]) throws {
        let tokener = json_tokener_new_ex(500)
        defer { json_tokener_free(tokener) }
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT)
        let root = text.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { json_tokener_parse_ex(tokener, $0.baseAddress, Int32($0.count)) }
        }
        guard json_tokener_get_error(tokener) == json_tokener_success else {
            throw TestSupportError("no JSON: \(String(decoding: text.prefix(200), as: UTF8.self))")
        }
        defer { json_object_put(root) }
        self = try JSON(root)
    }

    private init(_ node: OpaquePointer?) throws {
        switch json_object_get_type(node) {
        case json_type_null: self = .null
        case json_type_boolean: self = .bool(json_object_get_boolean(node) != 0)
        case json_type_int: self = .int(json_object_get_int64(node))
        case json_type_string:
            let start = UnsafeRawPointer(json_object_get_string(node))
            self = .text([UInt8](UnsafeRawBufferPointer(start: start, count: Int(json_object_get_string_len(node)))))
        case json_type_array:
            self = .array(
                try (0..<json_object_array_length(node)).map { try JSON(json_object_array_get_idx(node, $0)) })
        case json_type_object:
            var members: [Member] = []
            var entry = json_object_get_object(node).pointee.head
            while let current = entry {
                guard let name = current.pointee.k.map({ String(cString: $0.assumingMemoryBound(to: CChar.self)) })
                else { throw TestSupportError("a member without a name") }
                members.append(Member(name: name, value: try JSON(OpaquePointer(current.pointee.v))))
                entry = current.pointee.next
            }
            self = .object(members)
        default: throw TestSupportError("an unexpected kind of JSON value")
        }
    }
}

extension JSON {
    package func members() throws -> [Member] {
        guard case .object(let members) = self else { throw TestSupportError("expected an object: \(self)") }
        return members
    }

    package func elements() throws -> [JSON] {
        guard case .array(let elements) = self else { throw TestSupportError("expected an array: \(self)") }
        return elements
    }

    package func bytes() throws -> [UInt8] {
        guard case .text(let bytes) = self else { throw TestSupportError("expected a string: \(self)") }
        return bytes
    }

    package func string() throws -> String { String(decoding: try bytes(), as: UTF8.self) }

    package func int() throws -> Int64 {
        guard case .int(let value) = self else { throw TestSupportError("expected an integer: \(self)") }
        return value
    }

    package func bool() throws -> Bool {
        guard case .bool(let value) = self else { throw TestSupportError("expected a truth value: \(self)") }
        return value
    }
}

extension [JSON.Member] {
    /// The value of a member; throws when there is none.
    package subscript(required name: String) -> JSON {
        get throws {
            guard let member = first(where: { $0.name == name }) else { throw TestSupportError("no member \(name)") }
            return member.value
        }
    }

    /// The value of a member; nil when there is none.
    package subscript(optional name: String) -> JSON? { first { $0.name == name }?.value }
}
