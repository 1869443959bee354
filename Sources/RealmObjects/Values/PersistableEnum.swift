internal import RealmCore

/// An enum whose raw values are stored.
///
/// ```swift
/// enum Size: String, PersistableEnum { case small, large }
/// ```
public protocol PersistableEnum: _RealmCollectionValueInsideOptional, RawRepresentable, CaseIterable, MinMaxType,
    Comparable
where RawValue: Comparable & _RealmCollectionValueInsideOptional, PersistedType == RawValue {}

extension PersistableEnum {
    /// Creates the first case.
    public init() { self = Self._default() }
    /// Compares the raw values.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    /// The traits of the raw values.
    public static var _traits: _PropertyTraits { RawValue._traits }
    /// Returns the first case.
    public static func _default() -> Self {
        guard let first = allCases.first else { Failure.stop("the enum \(Self.self) has no cases") }
        return first
    }
    /// Decodes the raw value of a case.
    public static func _decoded(_ stored: _StoredValue) -> Self? {
        RawValue._decoded(stored).flatMap { Self(rawValue: $0) }
    }
    /// Encodes the raw value.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { rawValue._encoded(context) }
    /// Accepts a case, and its raw value.
    public static func _converted(_ any: Any) -> Self? {
        if let value = any as? Self { return value }
        return RawValue._converted(any).flatMap { Self(rawValue: $0) }
    }
    /// Whether a value is valid for the raw type, so that only the enum refuses it.
    static func isRefused(_ any: Any) -> Bool { RawValue._converted(any) != nil }
    /// The raw value.
    public var _dynamic: Any? { rawValue }

    /// Reads the raw value of a property of a managed object.
    static func rawValue(of object: ObjectBase, _ index: Int32) -> Any? { RawValue._read(object, index) }
}

/// Former name of `PersistableEnum`.
public typealias RealmEnum = PersistableEnum
