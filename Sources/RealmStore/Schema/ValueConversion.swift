internal import RealmCore
internal import RealmLayout

/// Conversion of values to other types (Spec 220).
///
/// - Numbers keep their value; for floats and doubles it is the nearest finite one. Booleans are 0 and 1.
/// - Numbers, booleans, ObjectIds and UUIDs are converted to text and back in their written form, and binaries as
///   UTF-8.
/// - Any value but a collection can become a Mixed value. A Mixed value is converted by its own type.
enum ValueConversion {
    /// Converts a value; nil if that is not possible. The caller handles null.
    static func convert(_ value: MixedValue, to type: StoredPropertyType, _ bytes: BytesArena) -> MixedValue? {
        switch (value, type) {
        case (.link, _), (.list, _), (.dictionary, _), (.null, _), (_, .link): nil
        case (_, .mixed), (.int, .int), (.bool, .bool), (.float, .float), (.double, .double), (.string, .string),
            (.binary, .binary), (.timestamp, .timestamp), (.decimal128, .decimal128), (.objectId, .objectId),
            (.uuid, .uuid):
            value
        case (.string(let view), .binary): .binary(view)
        case (.binary(let view), .string): view.string == nil ? nil : .string(view)
        case (.string(let view), _): view.string.flatMap { parse($0, type, bytes) }
        case (_, .string): text(of: value).map { .string(bytes.copy($0)) }
        case (_, .int), (_, .bool), (_, .float), (_, .double), (_, .decimal128):
            number(of: value).flatMap { convert($0, to: type) }
        default: nil
        }
    }

    private static func number(of value: MixedValue) -> StoredNumber? {
        switch value {
        case .int(let number): .int(number)
        case .bool(let value): .int(value ? 1 : 0)
        case .float(let bits): .float(bits: bits)
        case .double(let bits): .double(bits: bits)
        case .decimal128(let number): .decimal128(number)
        default: nil
        }
    }

    private static func convert(_ number: StoredNumber, to type: StoredPropertyType) -> MixedValue? {
        switch type {
        case .int: whole(number).map { .int($0) }
        case .bool:
            switch whole(number) {
            case 0: .bool(false)
            case 1: .bool(true)
            default: nil
            }
        case .float:
            double(number).flatMap { double in
                let float = Float(double)
                return float.isInfinite && double.isFinite ? nil : .float(bits: float.bitPattern)
            }
        case .double: double(number).map { .double(bits: $0.bitPattern) }
        case .decimal128: .decimal128(number.decimal)
        default: nil
        }
    }

    private static func whole(_ number: StoredNumber) -> Int64? {
        switch number {
        case .int(let number): return number
        case .float, .double: return Int64(exactly: number.double)
        case .decimal128(let value):
            guard let whole = value.wholePart, Decimal128Bits(whole).order(value) == 0 else { return nil }
            return whole
        }
    }

    private static func double(_ number: StoredNumber) -> Double? {
        guard case .decimal128(let value) = number else { return number.double }
        guard let double = Double(value.description), double.isFinite || value.parts == nil else { return nil }
        return double
    }

    private static func text(of value: MixedValue) -> String? {
        switch value {
        case .int(let number): "\(number)"
        case .bool(let value): "\(value)"
        case .float(let bits): "\(Float(bitPattern: bits))"
        case .double(let bits): "\(Double(bitPattern: bits))"
        case .decimal128(let number): "\(number)"
        case .objectId(let view): Hexadecimal.text(view.bytes)
        case .uuid(let view): Hexadecimal.uuidText(view.bytes)
        default: nil
        }
    }

    private static func parse(_ text: String, _ type: StoredPropertyType, _ bytes: BytesArena) -> MixedValue? {
        switch type {
        case .int: Int64(text).map { .int($0) }
        case .bool: Bool(text).map { .bool($0) }
        case .float: Float(text).map { .float(bits: $0.bitPattern) }
        case .double: Double(text).map { .double(bits: $0.bitPattern) }
        case .decimal128: Decimal128Bits(text).map { .decimal128($0) }
        case .objectId: ObjectID(text).map { .objectId($0.withBytes { bytes.copy($0) }) }
        case .uuid: UUIDBytes(text).map { .uuid($0.withBytes { bytes.copy($0) }) }
        default: nil
        }
    }

    /// Describes a value for messages.
    static func words(_ value: MixedValue) -> String {
        switch value {
        case .string(let view): "the string \"\(String(view.repairedString.prefix(60)).singleLine)\""
        default: text(of: value).map { "\(value.kindName) of \($0)" } ?? value.kindName
        }
    }
}
