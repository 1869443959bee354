internal import CLibBSON
internal import RealmCore
internal import RealmLayout

/// Values that plain JSON and CSV spell as text, in the notation of exports.
extension ObjectImporter {
    /// The value that a text spells for a property of another type; nil if the text is invalid, which is counted.
    @inline(never)
    func value(ofText element: BSONElement, _ number: Int) -> MixedValue? {
        guard let text = element.value.string, let value = value(of: text, fields[unchecked: number].form) else {
            note(.wrongType, number, element.value, sample: element.sample)
            return nil
        }
        if !Self.isExact(value, text) { note(.inexactNumber, number, element.value, sample: element.sample) }
        return value
    }

    private func value(of text: String, _ form: ScalarKind) -> MixedValue? {
        switch form {
        case .int, .nullableInt: return Int64(text).map { .int($0) }
        case .bool: return Bool(spelled: text).map { .bool($0) }
        case .double: return Double(spelled: text).map { .double(bits: $0.bitPattern) }
        case .float:
            guard let value = Double(spelled: text) else { return nil }
            let float = value.isFinite ? Float(text) ?? Float(value) : Float(value)
            guard float.isFinite == value.isFinite else { return nil }
            return .float(bits: value.isNaN ? Float.nan.bitPattern : float.bitPattern)
        case .timestamp: return Timestamp(iso8601: text).map { .timestamp($0) }
        case .decimal128: return Decimal128Bits(parsing: text).map { .decimal128($0) }
        case .objectId: return Hexadecimal.objectId(text).map { .objectId(texts.add($0)) }
        case .uuid: return Hexadecimal.uuid(text).map { .uuid(texts.add($0)) }
        case .binary: return Base64.bytes(text.utf8).map { .binary(texts.add($0)) }
        case .string, .mixed, .link, .embedded: return nil
        }
    }

    /// Whether an integer is preserved exactly. For fractions, the nearest value is considered exact.
    private static func isExact(_ value: MixedValue, _ text: String) -> Bool {
        guard let integer = Int64(text) else {
            let isWhole = text.utf8.count > 18 && text.utf8.allSatisfy { "0123456789+-".utf8.contains($0) }
            return switch value {
            case .double(let bits) where isWhole: Double(bitPattern: bits).isMeant(byInteger: text)
            case .float(let bits) where isWhole: Double(Float(bitPattern: bits)).isMeant(byInteger: text)
            default: true
            }
        }
        switch value {
        case .double(let bits): return Int64(exactly: Double(bitPattern: bits)) == integer
        case .float(let bits): return Int64(exactly: Float(bitPattern: bits)) == integer
        default: return true
        }
    }
}

extension Bool {
    /// The value that a text spells, as exports (`true`), spreadsheets (`TRUE`) or Python (`True`) write it.
    init?(spelled text: String) {
        switch text {
        case "true", "TRUE", "True": self = true
        case "false", "FALSE", "False": self = false
        default: return nil
        }
    }
}

extension BSONElement {
    /// The value as abbreviated text; nil for nested values and types without a text form.
    var sample: String? {
        switch type {
        case .string:
            let text = value.slice(at: 0, count: min(value.count, 40))?.repairedString.singleLine ?? ""
            return "\"\(text)\(value.count > 40 ? "…" : "")\""
        case .int32, .int64: return integer.map { String($0) }
        case .double: return Double(bitPattern: word).description
        case .bool: return bool ? "true" : "false"
        default: return nil
        }
    }
}

extension Fingerprint {
    /// Creates the fingerprint of an identity spelled as text. Returns nil if the text does not have that form.
    init?(parsing text: String, _ form: ScalarKind) {
        switch form {
        case .int:
            guard let number = Int64(text) else { return nil }
            self.init(number)
        case .objectId, .uuid:
            let bytes = form == .uuid ? Hexadecimal.uuid(text) : Hexadecimal.objectId(text)
            guard let bytes else { return nil }
            self = ByteView.with(bytes) { Fingerprint(fixed: $0) }
        default: return nil
        }
    }
}

extension Hexadecimal {
    /// The 12 bytes of an ObjectId's 24 digits; nil for other text.
    static func objectId(_ text: String) -> [UInt8]? {
        text.utf8.count == 24 ? bytes(text.utf8) : nil
    }

    /// The 16 bytes of a UUID, with or without hyphens; nil for other text.
    static func uuid(_ text: String) -> [UInt8]? {
        text.utf8.count == 32 ? bytes(text.utf8) : uuidBytes(text.utf8)
    }
}

extension Decimal128Bits {
    /// The decimal that a text spells, as read by libbson; nil if it is invalid.
    init?(parsing text: String) {
        var value = bson_decimal128_t()
        guard unsafe bson_decimal128_from_string(text, &value) else { return nil }
        self.init(high: value.high, low: value.low)
    }
}
