internal import RealmQuery

// Enums, and types stored as other types.

extension Query where T: PersistableEnum {
    /// The raw value.
    public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
    /// The raw value.
    public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: RealmCollection, T.Element: PersistableEnum {
    /// The raw values of the elements.
    public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> {
        Query<AnyRealmCollection<T.Element.RawValue>>(node)
    }
}

extension Query where T: RealmKeyedCollection, T.Value: PersistableEnum {
    /// The raw values.
    public var rawValue: Query<Map<T.Key, T.Value.RawValue>> { Query<Map<T.Key, T.Value.RawValue>>(node) }
}

extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: PersistableEnum {
    /// The raw values of the elements.
    public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> {
        Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>>(node)
    }
}

extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: PersistableEnum {
    /// The raw values.
    public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> {
        Query<Map<T.Key, T.Value.Wrapped.RawValue?>>(node)
    }
}

extension Query where T: _HasPersistedType {
    /// The value in stored form.
    public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}
