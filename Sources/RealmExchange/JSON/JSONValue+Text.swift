extension JSONValue {
    /// The document on one line (RFC 8259).
    public var compact: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The document on several lines, indented by two spaces. Arrays without nested arrays or objects stay on one line.
    /// There is no trailing line break.
    public var pretty: String {
        var bytes: [UInt8] = []
        appendPretty(to: &bytes, indentation: 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the document as UTF-8, on one line.
    package func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): bytes.append(contentsOf: String(value).utf8)
        case .double(let value): Self.append(value, to: &bytes)
        case .string(let value): Self.append(value, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(member.0, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.1.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private func appendPretty(to bytes: inout [UInt8], indentation: Int) {
        func newLine(_ indentation: Int) {
            bytes.append(UInt8(ascii: "\n"))
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * indentation))
        }
        switch self {
        case .array(let values) where values.contains(where: \.isCompound):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                newLine(indentation + 1)
                value.appendPretty(to: &bytes, indentation: indentation + 1)
            }
            newLine(indentation)
            bytes.append(UInt8(ascii: "]"))
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(contentsOf: ", ".utf8) }
                value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members) where !members.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                newLine(indentation + 1)
                Self.append(member.0, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                member.1.appendPretty(to: &bytes, indentation: indentation + 1)
            }
            newLine(indentation)
            bytes.append(UInt8(ascii: "}"))
        default:
            append(to: &bytes)
        }
    }

    /// Whether this is a non-empty array or object.
    private var isCompound: Bool {
        switch self {
        case .array(let values): !values.isEmpty
        case .object(let members): !members.isEmpty
        default: false
        }
    }

    private static func append(_ number: Double, to bytes: inout [UInt8]) {
        if number.isFinite {
            // The shortest digits that give the same double; always valid JSON.
            bytes.append(contentsOf: number.description.utf8)
        } else {
            append(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity", to: &bytes)
        }
    }

    /// Appends `text` in quotes, with quotes, backslashes and control characters escaped.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
