internal import RealmLayout

/// What lists of views tell objects apart by: all views of one object have the same `id`, also when the object has changed.
///
/// ```swift
/// class Walk: Object, ObjectKeyIdentifiable {
///     @Persisted var metres = 0
/// }
/// let ids = realm.objects(Walk.self).map(\.id)
/// print(Set(ids).count)
/// ```
public protocol ObjectKeyIdentifiable: Identifiable {
    /// A number that no other object of the same database has, made of its class and key; of objects of two databases it may be the same.
    var id: UInt64 { get }
}

/// The older name.
@available(*, deprecated, renamed: "ObjectKeyIdentifiable")
public typealias ObjectKeyIdentifable = ObjectKeyIdentifiable

extension ObjectKeyIdentifiable where Self: ObjectBase {
    /// A number that all views of the object have, and of those in memory only the object itself.
    public var id: UInt64 { placeNumber }
}

extension ObjectKeyIdentifiable where Self: ProjectionObservable {
    /// The number of the object that is projected.
    public var id: UInt64 { rootObject.placeNumber }
}

extension ObjectBase {
    /// What tells the object from others as long as it is there.
    final var placeNumber: UInt64 {
        var hasher = Hasher()
        hashPlace(into: &hasher)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
