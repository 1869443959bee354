internal import RealmCore

extension Optional: _RealmSchemaDiscoverable where Wrapped: _RealmCollectionValueInsideOptional {
    /// The traits of the wrapped type, which may be null.
    public static var _traits: _PropertyTraits { Wrapped._traits.optional }
}

extension Optional: _HasPersistedType where Wrapped: _RealmCollectionValueInsideOptional {
    /// The optional of the wrapped type's stored type.
    public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Persistable where Wrapped: _RealmCollectionValueInsideOptional {
    /// Returns `nil`.
    public static func _default() -> Wrapped? { nil }
    /// Encodes the wrapped value, or null.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? {
        guard let self else { return _EncodedValue(.null) }
        return self._encoded(context)
    }
    /// Binds the content of the wrapped value.
    public func _adopt(_ place: _AdoptedPlace) { self?._adopt(place) }
    /// Accepts null, and values that the wrapped type accepts.
    public static func _converted(_ any: Any) -> Wrapped?? {
        if isNull(any) { return .some(nil) }
        if let value = Wrapped._converted(any) { return .some(value) }
        // A value that the program's type refuses becomes nil, as when it is read.
        let isRefused =
            switch Wrapped.self {
            case let type as any FailableCustomPersistable.Type: type.isRefused(any)
            case let type as any PersistableEnum.Type: type.isRefused(any)
            default: false
            }
        return isRefused ? .some(nil) : nil
    }
    /// The wrapped value.
    public var _dynamic: Any? { self?._dynamic }
}

extension Optional: RealmCollectionValue where Wrapped: _RealmCollectionValueInsideOptional {
    /// Decodes null, and values that the wrapped type decodes.
    public static func _decoded(_ stored: _StoredValue) -> Wrapped?? {
        if case .null = stored.value { return .some(nil) }
        return .some(Wrapped._decoded(stored))
    }
}

extension Optional: MinMaxType where Wrapped: MinMaxType {}
extension Optional: AddableType where Wrapped: AddableType {}
extension Optional: SortableType where Wrapped: SortableType {}
extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}
extension Optional: _Indexable where Wrapped: _Indexable {}

/// An optional of any type.
protocol AnyOptional {
    var isNil: Bool { get }
    var wrappedAny: Any? { get }
}

extension Optional: AnyOptional {
    var isNil: Bool { self == nil }
    var wrappedAny: Any? { self }
}

/// Returns the value inside optionals; nil if there is none.
func unwrapped(_ any: Any) -> Any? {
    guard let optional = any as? any AnyOptional else { return any }
    return optional.wrappedAny.flatMap { unwrapped($0) }
}

/// Whether a value of any type stands for null.
func isNull(_ any: Any) -> Bool {
    if let optional = any as? any AnyOptional { return optional.wrappedAny.map { isNull($0) } ?? true }
    // Foundation's null, recognised by name, because the library does not use that part of Foundation.
    return any is Void || type(of: any) is AnyClass && "\(type(of: any))" == "NSNull"
}
