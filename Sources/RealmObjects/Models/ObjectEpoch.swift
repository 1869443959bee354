internal import RealmLayout

/// The time when an object or a collection became a view of what a realm shows.
struct ObjectEpoch {
    private let stamp: UInt64
    /// The transaction, if it had changed anything by then: what was read may be undone.
    private let transaction: RealmTransaction?

    /// An unmanaged object, which was never bound.
    init() { (stamp, transaction) = (0, nil) }

    /// The current time.
    @inline(__always)
    init(_ realm: RealmInstance) {
        stamp = realm.stamp
        transaction = realm.changingTransaction
    }

    /// Whether the realm was invalidated after this time.
    @inline(__always)
    func isInvalidated(_ realm: RealmInstance) -> Bool { stamp <= realm.invalidatedUntil }

    /// Whether an object read at this time was undone, so that its key now belongs to another one.
    @inline(__always)
    func isUndone(_ key: ObjectKey, _ binding: ClassBinding) -> Bool {
        transaction?.hasUndone(key, binding) ?? false
    }
}
