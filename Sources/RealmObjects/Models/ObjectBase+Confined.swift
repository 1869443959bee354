extension Object: ThreadConfined {
    /// Whether the object is of a frozen realm.
    public final var isFrozen: Bool { boundRealm?.isFrozen ?? false }
}

extension EmbeddedObject: ThreadConfined {
    /// Whether the object is of a frozen realm.
    public final var isFrozen: Bool { boundRealm?.isFrozen ?? false }
}
