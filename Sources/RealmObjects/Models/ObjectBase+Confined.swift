extension Object: ThreadConfined {
    /// Whether the object belongs to a frozen realm.
    public final var isFrozen: Bool { isShared }
}

extension EmbeddedObject: ThreadConfined {
    /// Whether the object belongs to a frozen realm.
    public final var isFrozen: Bool { isShared }
}
