internal import CJSONC
internal import RealmCore
internal import RealmLayout

extension JSONValue {
    /// Maximum nesting of a schema or sidecar: documents have at most 100 levels, each of which takes three here.
    private static var depth: Int32 { 500 }

    /// Parses one JSON text with json-c.
    ///
    /// - Throws: `malformed` with the place.
    init(parsing text: ByteView) throws(DocumentError) {
        guard let changed = try JSONEscapes.withoutNul(text) else {
            try self.init(parsingNames: text)
            return
        }
        self = try ByteView.with(changed) { text throws(DocumentError) in try JSONValue(parsingNames: text) }
    }

    /// Parses a text that has no NUL in names.
    private init(parsingNames text: ByteView) throws(DocumentError) {
        guard text.count < Int(Int32.max) else { throw DocumentError(.tooLarge, "a JSON text of \(text.count) bytes") }
        guard let tokener = unsafe json_tokener_new_ex(Self.depth) else {
            throw DocumentError(.malformed, "no memory to parse JSON")
        }
        defer { unsafe json_tokener_free(tokener) }
        unsafe json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8)
        let root = unsafe json_tokener_parse_ex(
            tokener, text.base.assumingMemoryBound(to: CChar.self), Int32(text.count))
        defer { unsafe json_object_put(root) }
        let error = unsafe json_tokener_get_error(tokener)
        guard error == json_tokener_success else {
            // json-c describes a text that ends early as "continue".
            let reason =
                error == json_tokener_continue
                ? "it ends early" : unsafe String(cString: json_tokener_error_desc(error))
            throw DocumentError(
                .malformed, at: unsafe json_tokener_get_parse_end(tokener), "not JSON: \(reason.singleLine)")
        }
        unsafe self = try JSONValue(root)
    }

    /// Copies a json-c value, whose depth is limited.
    @unsafe
    private init(_ node: OpaquePointer?) throws(DocumentError) {
        switch unsafe json_object_get_type(node) {
        case json_type_boolean: self = .bool(unsafe json_object_get_boolean(node) != 0)
        case json_type_int: self = .int(unsafe json_object_get_int64(node))
        case json_type_double:
            let number = unsafe json_object_get_double(node)
            // json-c keeps the original text of a number.
            let text = unsafe String(cString: json_object_get_string(node))
            guard number.isFinite || !text.utf8.contains(where: { (48...57).contains($0) }) else {
                throw DocumentError(.malformed, "the number \(text.singleLine) is out of range")
            }
            self = .double(number)
        case json_type_string:
            let length = unsafe Int(json_object_get_string_len(node))
            let start = unsafe UnsafeRawPointer(json_object_get_string(node))
            self = .string(
                unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self))
        case json_type_array:
            var elements: [JSONValue] = []
            for index in unsafe 0..<json_object_array_length(node) {
                elements.append(unsafe try JSONValue(json_object_array_get_idx(node, index)))
            }
            self = .array(elements)
        case json_type_object:
            var members: [(String, JSONValue)] = []
            var entry = unsafe json_object_get_object(node).pointee.head
            while let current = unsafe entry {
                let name = unsafe current.pointee.k.map {
                    unsafe String(cString: $0.assumingMemoryBound(to: CChar.self))
                }
                members.append((name ?? "", unsafe try JSONValue(OpaquePointer(current.pointee.v))))
                unsafe entry = current.pointee.next
            }
            self = .object(members)
        default: self = .null
        }
    }

    /// The text, if this is a string.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The number, if this is an integer.
    var integer: Int64? {
        if case .int(let number) = self { number } else { nil }
    }

    var isTrue: Bool {
        if case .bool(true) = self { true } else { false }
    }

    var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    var members: [(String, JSONValue)]? {
        if case .object(let members) = self { members } else { nil }
    }
}
