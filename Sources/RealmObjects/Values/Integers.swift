internal import RealmCore

/// An integer type; all of them take 64 bits in the file.
public protocol _RealmInteger: _RealmCollectionValueInsideOptional, FixedWidthInteger {}

extension _RealmInteger {
    /// An int.
    public static var _traits: _PropertyTraits { _PropertyTraits(.int) }
    /// Returns zero.
    public static func _default() -> Self { 0 }
    /// Decodes an int; if it does not fit the type, its low bits.
    public static func _decoded(_ stored: _StoredValue) -> Self? {
        if case .int(let number) = stored.value { Self(truncatingIfNeeded: number) } else { nil }
    }
    /// Encodes an int.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { _EncodedValue(.int(Int64(self))) }
    /// Accepts integers that fit, and Booleans as 1 and 0.
    public static func _converted(_ any: Any) -> Self? {
        if let number = any as? Self { return number }
        if let number = any as? any BinaryInteger { return Self(exactly: number) }
        if let number = any as? Double { return Self(exactly: number) }
        return (any as? Bool).map { $0 ? 1 : 0 }
    }
}

// Reading is written out for each type, so that clients call it without a generic function in between: loops over
// objects do it most of all.

extension Int: _RealmInteger, _PrimaryKey, _Indexable, MinMaxType, AddableType, SortableType {
    /// Stored as itself.
    public typealias PersistedType = Int
    /// Reads the number of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Int {
        Int(truncatingIfNeeded: object.storedInt(index))
    }
}

extension Int8: _RealmInteger, _PrimaryKey, _Indexable, MinMaxType, AddableType, SortableType {
    /// Stored as itself.
    public typealias PersistedType = Int8
    /// Reads the number of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Int8 {
        Int8(truncatingIfNeeded: object.storedInt(index))
    }
}

extension Int16: _RealmInteger, _PrimaryKey, _Indexable, MinMaxType, AddableType, SortableType {
    /// Stored as itself.
    public typealias PersistedType = Int16
    /// Reads the number of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Int16 {
        Int16(truncatingIfNeeded: object.storedInt(index))
    }
}

extension Int32: _RealmInteger, _PrimaryKey, _Indexable, MinMaxType, AddableType, SortableType {
    /// Stored as itself.
    public typealias PersistedType = Int32
    /// Reads the number of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Int32 {
        Int32(truncatingIfNeeded: object.storedInt(index))
    }
}

extension Int64: _RealmInteger, _PrimaryKey, _Indexable, MinMaxType, AddableType, SortableType {
    /// Stored as itself.
    public typealias PersistedType = Int64
    /// Reads the number of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Int64 {
        Int64(truncatingIfNeeded: object.storedInt(index))
    }
}
