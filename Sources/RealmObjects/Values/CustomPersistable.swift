internal import RealmCore

/// The common part of `CustomPersistable` and `FailableCustomPersistable`.
public protocol _CustomPersistable: _RealmCollectionValueInsideOptional {
    /// The stored type.
    associatedtype PersistedType
    /// The stored value.
    var persistableValue: PersistedType { get }
}

/// A type that is stored as another one.
///
/// ```swift
/// struct Weight: CustomPersistable {
///     var grams: Int
///     var persistableValue: Int { grams }
///     init(persistedValue: Int) { grams = persistedValue }
/// }
/// class Parcel: Object {
///     @Persisted var weight: Weight
/// }
/// ```
public protocol CustomPersistable: _CustomPersistable {
    /// Creates a value from a stored one.
    init(persistedValue: PersistedType)
}

/// A type that is stored as another one, of which some values are invalid.
///
/// ```swift
/// struct Letter: FailableCustomPersistable {
///     var character: Character
///     var persistableValue: String { String(character) }
///     init?(persistedValue: String) {
///         guard persistedValue.count == 1, let first = persistedValue.first else { return nil }
///         character = first
///     }
/// }
/// class Key: Object {
///     @Persisted var label: Letter?
/// }
/// ```
public protocol FailableCustomPersistable: _CustomPersistable {
    /// Creates a value from a stored one; nil if that is invalid.
    init?(persistedValue: PersistedType)
}

extension _CustomPersistable {
    /// The traits of the stored type.
    public static var _traits: _PropertyTraits { PersistedType._traits.converted }
    /// Encodes the stored value.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { persistableValue._encoded(context) }
    /// The stored value, untyped.
    public var _dynamic: Any? { persistableValue._dynamic }
    /// Hashes the stored value.
    public func hash(into hasher: inout Hasher) { persistableValue.hash(into: &hasher) }
}

extension CustomPersistable {
    /// Returns the value for the default of the stored type.
    public static func _default() -> Self { Self(persistedValue: PersistedType._default()) }
    /// Decodes a value of the stored type.
    public static func _decoded(_ stored: _StoredValue) -> Self? {
        PersistedType._decoded(stored).map { Self(persistedValue: $0) }
    }
    /// Accepts values of this type, and those that the stored type accepts.
    public static func _converted(_ any: Any) -> Self? {
        if let value = any as? Self { return value }
        // An embedded object may be null in the file, even if the value of the program may not.
        if isNull(any), PersistedType._traits.type == .object { return _default() }
        return PersistedType._converted(any).map { Self(persistedValue: $0) }
    }
}

extension FailableCustomPersistable {
    /// Whether a value is valid for the stored type, so that only this type refuses it.
    static func isRefused(_ any: Any) -> Bool { PersistedType._converted(any) != nil }

    /// Returns the value for the default of the stored type.
    public static func _default() -> Self {
        guard let value = Self(persistedValue: PersistedType._default()) else {
            Failure.stop(
                "Failed to default construct a \(Self.self) using the default value for persisted type \(PersistedType.self)."
            )
        }
        return value
    }
    /// Decodes a value of the stored type.
    public static func _decoded(_ stored: _StoredValue) -> Self? {
        PersistedType._decoded(stored).flatMap { Self(persistedValue: $0) }
    }
    /// Accepts values of this type, and those that the stored type accepts.
    public static func _converted(_ any: Any) -> Self? {
        any as? Self ?? PersistedType._converted(any).flatMap { Self(persistedValue: $0) }
    }
}
