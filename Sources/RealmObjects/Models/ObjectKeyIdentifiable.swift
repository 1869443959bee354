internal import RealmLayout

/// The identity of objects in lists of views. All views of one object have the same `id`, also after the object
/// changes.
///
/// ```swift
/// class Walk: Object, ObjectKeyIdentifiable {
///     @Persisted var metres = 0
/// }
/// let ids = realm.objects(Walk.self).map(\.id)
/// print(Set(ids).count)
/// ```
public protocol ObjectKeyIdentifiable: Identifiable {
    /// A number made of the class and key of the object, unique in its database. Objects of two databases may have the
    /// same number.
    var id: UInt64 { get }
}

/// The former name.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

extension ObjectKeyIdentifiable where Self: ObjectBase {
    /// A number shared by all views of the object. In memory, each instance has its own.
    public var id: UInt64 { placeNumber }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
    /// The number of the projected object.
    public var id: UInt64 { rootObject.placeNumber }
}

extension ObjectBase {
    /// A number that identifies the object for its lifetime.
    final var placeNumber: UInt64 {
        var hasher = Hasher()
        hashPlace(into: &hasher)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
