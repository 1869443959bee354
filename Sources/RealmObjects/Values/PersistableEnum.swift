internal import RealmReader

/// An enum whose raw values are stored.
///
/// ```swift
/// enum Size: String, PersistableEnum { case small, large }
/// ```
public protocol PersistableEnum: _RealmCollectionValueInsideOptional, RawRepresentable, CaseIterable, MinMaxType,
    Comparable
where RawValue: Comparable & _RealmCollectionValueInsideOptional, PersistedType == RawValue {}

extension PersistableEnum {
    /// The first case.
    public init() { self = Self._default() }
    /// The order of the raw values.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    /// The traits of the raw values.
    public static var _traits: _PropertyTraits { RawValue._traits }
    /// The first case.
    public static func _default() -> Self {
        guard let first = allCases.first else { Failure.stop("the enum \(Self.self) has no cases") }
        return first
    }
    /// Takes a raw value that a case has.
    public static func _decoded(_ stored: _StoredValue) -> Self? {
        RawValue._decoded(stored).flatMap { Self(rawValue: $0) }
    }
    /// The raw value.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? { rawValue._encoded(context) }
    /// Takes a case, and its raw value.
    public static func _converted(_ any: Any) -> Self? {
        if let value = any as? Self { return value }
        return RawValue._converted(any).flatMap { Self(rawValue: $0) }
    }
    /// Whether a value could be a raw value: then it is this enum that has no case for it.
    static func isRefused(_ any: Any) -> Bool { RawValue._converted(any) != nil }
    /// The raw value.
    public var _dynamic: Any? { rawValue }

    /// The raw value of a property of a managed object.
    static func rawValue(of object: ObjectBase, _ index: Int32) -> Any? { RawValue._read(object, index) }
}

/// The older name of enums with raw values.
public typealias RealmEnum = PersistableEnum
