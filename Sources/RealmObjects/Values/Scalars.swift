internal import RealmCore

extension Bool: _RealmCollectionValueInsideOptional, _Indexable {
    /// Stored as itself.
    public typealias PersistedType = Bool
    /// A Boolean.
    public static var _traits: _PropertyTraits { _PropertyTraits(.bool) }
    /// Returns `false`.
    public static func _default() -> Bool { false }
    /// Reads the value of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Bool {
        object.storedBool(index)
    }
    /// Decodes a Boolean.
    public static func _decoded(_ stored: _StoredValue) -> Bool? {
        if case .bool(let truth) = stored.value { truth } else { nil }
    }
    /// Encodes a Boolean.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.bool(self)) }
    /// Accepts Booleans, and the integers 0 and 1.
    public static func _converted(_ any: Any) -> Bool? {
        if let truth = any as? Bool { return truth }
        guard let number = any as? any BinaryInteger, let bit = Int8(exactly: number), bit == 0 || bit == 1 else {
            return nil
        }
        return bit == 1
    }
}

extension Float: _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType {
    /// Stored as itself.
    public typealias PersistedType = Float
    /// A float.
    public static var _traits: _PropertyTraits { _PropertyTraits(.float) }
    /// Returns zero.
    public static func _default() -> Float { 0 }
    /// Reads the value of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Float {
        object.storedFloat(index)
    }
    /// Decodes a float.
    public static func _decoded(_ stored: _StoredValue) -> Float? {
        if case .float(let number) = stored.value { number } else { nil }
    }
    /// Encodes a float.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.float(self)) }
    /// Accepts floats, doubles and integers.
    public static func _converted(_ any: Any) -> Float? {
        if let number = any as? Float { return number }
        if let number = any as? Double { return Float(number) }
        return (any as? any BinaryInteger).map { Float($0) }
    }
}

extension Double: _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType {
    /// Stored as itself.
    public typealias PersistedType = Double
    /// A double.
    public static var _traits: _PropertyTraits { _PropertyTraits(.double) }
    /// Returns zero.
    public static func _default() -> Double { 0 }
    /// Reads the value of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Double {
        object.storedDouble(index)
    }
    /// Decodes a double.
    public static func _decoded(_ stored: _StoredValue) -> Double? {
        if case .double(let number) = stored.value { number } else { nil }
    }
    /// Encodes a double.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.double(self)) }
    /// Accepts doubles, floats and integers.
    public static func _converted(_ any: Any) -> Double? {
        if let number = any as? Double { return number }
        if let number = any as? Float { return Double(number) }
        return (any as? any BinaryInteger).map { Double($0) }
    }
}

extension String: _RealmCollectionValueInsideOptional, _PrimaryKey, _Indexable, SortableType, _MapKey {
    /// Stored as itself.
    public typealias PersistedType = String
    /// Text.
    public static var _traits: _PropertyTraits { _PropertyTraits(.string) }
    /// Returns the empty text.
    public static func _default() -> String { "" }
    /// Reads the text of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> String {
        object.storedString(index)
    }
    /// Decodes text; bytes that are not text become U+FFFD.
    public static func _decoded(_ stored: _StoredValue) -> String? {
        switch stored.value {
        case .string(let text): text
        case .malformedString(let bytes): String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }
    /// Encodes text.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.string(self)) }
    /// The key itself.
    public var _text: String { self }
    /// The text itself.
    public init?(_text: String) { self = _text }
}
