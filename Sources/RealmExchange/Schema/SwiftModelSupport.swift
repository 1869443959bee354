/// Supporting declarations of generated Swift models.
enum SwiftModelSupport {
    /// Returns a string literal with everything but printable ASCII escaped.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case " "..."~": result.unicodeScalars.append(scalar)
            default: result += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return result + "\""
    }

    /// Decoder settings for dates.
    static let dateComment = """
        //
        // Dates are text in plain JSON (ISO 8601), which a JSONDecoder has to be told:
        //
        //     decoder.dateDecodingStrategy = .iso8601
        //
        // That is enough for whole seconds. Where there are fractions of seconds, in all or in some:
        //
        //     decoder.dateDecodingStrategy = .custom { decoder in
        //         let text = try decoder.singleValueContainer().decode(String.self)
        //         let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        //         return try Date(text, strategy: style)
        //     }

        """

    /// Decoder settings for numbers that JSON cannot represent.
    static let numberComment = """
        //
        // Numbers that JSON does not have are text in it, which a JSONDecoder has to be told where there are any:
        //
        //     decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        //         positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")

        """

    static let anyRealmValue = """
        /// A value of any type, which `mixed` properties hold.
        ///
        /// Decodes what an export as plain JSON holds. JSON does not tell dates, bytes, decimals and identifiers from
        /// strings: they arrive as strings.
        indirect enum AnyRealmValue: Codable, Hashable, Sendable {
            case null
            case bool(Bool)
            case int(Int)
            case float(Float)
            case double(Double)
            case string(String)
            case data(Data)
            case date(Date)
            case decimal128(String)
            case objectId(String)
            case uuid(UUID)
            /// An object of any class, by its key.
            case link(className: String, key: AnyRealmValue)
            case list([AnyRealmValue])
            case dictionary([String: AnyRealmValue])

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    self = .null
                } else if let value = try? container.decode(Bool.self) {
                    self = .bool(value)
                } else if let value = try? container.decode(Int.self) {
                    self = .int(value)
                } else if let value = try? container.decode(Double.self) {
                    self = .double(value)
                } else if let value = try? container.decode(String.self) {
                    self = .string(value)
                } else if let values = try? container.decode([AnyRealmValue].self) {
                    self = .list(values)
                } else {
                    let values = try container.decode([String: AnyRealmValue].self)
                    if values.count == 2, case .string(let name)? = values["$ref"], let key = values["$id"] {
                        self = .link(className: name, key: key)
                    } else {
                        self = .dictionary(values)
                    }
                }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .null: try container.encodeNil()
                case .bool(let value): try container.encode(value)
                case .int(let value): try container.encode(value)
                case .float(let value): try container.encode(value)
                case .double(let value): try container.encode(value)
                case .string(let value), .decimal128(let value), .objectId(let value): try container.encode(value)
                case .data(let value): try container.encode(value)
                case .date(let value): try container.encode(value)
                case .uuid(let value): try container.encode(value)
                case .link(let name, let key): try container.encode(["$ref": .string(name), "$id": key])
                case .list(let values): try container.encode(values)
                case .dictionary(let values): try container.encode(values)
                }
            }
        }

        """

    static let box = """
        /// Holds a value outside of the struct that it belongs to, so that a struct can contain its own type.
        indirect enum Box<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
            case value(Value)

            /// The value.
            var value: Value {
                switch self {
                case .value(let value): value
                }
            }

            init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }

            func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
        }

        """
}
