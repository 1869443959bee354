internal import RealmReader

/// What `CustomPersistable` and `FailableCustomPersistable` have in common.
public protocol _CustomPersistable: _RealmCollectionValueInsideOptional {
    /// The type that is stored.
    associatedtype PersistedType
    /// The value that is stored.
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
    /// Makes a value of a stored one.
    init(persistedValue: PersistedType)
}

/// A type that is stored as another one, not all of whose values fit.
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
    /// Makes a value of a stored one; nil where it does not fit.
    init?(persistedValue: PersistedType)
}

extension _CustomPersistable {
    /// The traits of what is stored.
    public static var _traits: _PropertyTraits { PersistedType._traits.converted }
    /// The value that is stored.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { persistableValue._encoded(context) }
    /// What is stored, as users see it.
    public var _dynamic: Any? { persistableValue._dynamic }
    /// Hashes what is stored.
    public func hash(into hasher: inout Hasher) { persistableValue.hash(into: &hasher) }
}

extension CustomPersistable {
    /// What the default of the stored type makes.
    public static func _default() -> Self { Self(persistedValue: PersistedType._default()) }
    /// Takes what the stored type takes.
    public static func _decoded(_ stored: _StoredValue) -> Self? {
        PersistedType._decoded(stored).map { Self(persistedValue: $0) }
    }
    /// Takes a value, and one that the stored type takes.
    public static func _converted(_ any: Any) -> Self? {
        if let value = any as? Self { return value }
        // An embedded object may be null in the file, also where the program has a value that may not.
        if isNull(any), PersistedType._traits.type == .object { return _default() }
        return PersistedType._converted(any).map { Self(persistedValue: $0) }
    }
}

extension FailableCustomPersistable {
    /// Whether a value is one of the type that is stored: then it is this type that does not take it.
    static func isRefused(_ any: Any) -> Bool { PersistedType._converted(any) != nil }

    /// What the default of the stored type makes.
    public static func _default() -> Self {
        guard let value = Self(persistedValue: PersistedType._default()) else {
            Failure.stop(
                "Failed to default construct a \(Self.self) using the default value for persisted type \(PersistedType.self)."
            )
        }
        return value
    }
    /// Takes what the stored type takes.
    public static func _decoded(_ stored: _StoredValue) -> Self? {
        PersistedType._decoded(stored).flatMap { Self(persistedValue: $0) }
    }
    /// Takes a value, and one that the stored type takes.
    public static func _converted(_ any: Any) -> Self? {
        any as? Self ?? PersistedType._converted(any).flatMap { Self(persistedValue: $0) }
    }
}
