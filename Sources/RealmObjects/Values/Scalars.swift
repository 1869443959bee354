internal import RealmReader
internal import RealmWriter

extension Bool: _RealmCollectionValueInsideOptional, _Indexable {
    /// It is stored as it is.
    public typealias PersistedType = Bool
    /// A truth value.
    public static var _traits: _PropertyTraits { _PropertyTraits(.bool) }
    /// `false`
    public static func _default() -> Bool { false }
    /// The value of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Bool {
        object.storedBool(index)
    }
    /// Takes a truth value.
    public static func _decoded(_ stored: _StoredValue) -> Bool? {
        if case .bool(let truth) = stored.value { truth } else { nil }
    }
    /// A truth value.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.bool(self)) }
    /// Takes truth values, and the integers 0 and 1.
    public static func _converted(_ any: Any) -> Bool? {
        if let truth = any as? Bool { return truth }
        guard let number = any as? any BinaryInteger, let bit = Int8(exactly: number), bit == 0 || bit == 1 else {
            return nil
        }
        return bit == 1
    }
}

extension Float: _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType {
    /// It is stored as it is.
    public typealias PersistedType = Float
    /// A float.
    public static var _traits: _PropertyTraits { _PropertyTraits(.float) }
    /// Zero.
    public static func _default() -> Float { 0 }
    /// The value of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Float {
        object.storedFloat(index)
    }
    /// Takes a float.
    public static func _decoded(_ stored: _StoredValue) -> Float? {
        if case .float(let number) = stored.value { number } else { nil }
    }
    /// A float.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.float(self)) }
    /// Takes floats, doubles and integers.
    public static func _converted(_ any: Any) -> Float? {
        if let number = any as? Float { return number }
        if let number = any as? Double { return Float(number) }
        return (any as? any BinaryInteger).map { Float($0) }
    }
}

extension Double: _RealmCollectionValueInsideOptional, MinMaxType, AddableType, SortableType {
    /// It is stored as it is.
    public typealias PersistedType = Double
    /// A double.
    public static var _traits: _PropertyTraits { _PropertyTraits(.double) }
    /// Zero.
    public static func _default() -> Double { 0 }
    /// The value of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Double {
        object.storedDouble(index)
    }
    /// Takes a double.
    public static func _decoded(_ stored: _StoredValue) -> Double? {
        if case .double(let number) = stored.value { number } else { nil }
    }
    /// A double.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.double(self)) }
    /// Takes doubles, floats and integers.
    public static func _converted(_ any: Any) -> Double? {
        if let number = any as? Double { return number }
        if let number = any as? Float { return Double(number) }
        return (any as? any BinaryInteger).map { Double($0) }
    }
}

extension String: _RealmCollectionValueInsideOptional, _PrimaryKey, _Indexable, SortableType, _MapKey {
    /// It is stored as it is.
    public typealias PersistedType = String
    /// Text.
    public static var _traits: _PropertyTraits { _PropertyTraits(.string) }
    /// The empty text.
    public static func _default() -> String { "" }
    /// The text of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> String {
        object.storedString(index)
    }
    /// Takes text; of bytes that are no text those that are, with U+FFFD in place of others.
    public static func _decoded(_ stored: _StoredValue) -> String? {
        switch stored.value {
        case .string(let text): text
        case .malformedString(let bytes): String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }
    /// Text.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.string(self)) }
    /// The key itself.
    public var _text: String { self }
    /// The text itself.
    public init?(_text: String) { self = _text }
}
