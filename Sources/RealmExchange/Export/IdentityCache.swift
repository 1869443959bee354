internal import RealmLayout

/// A cache of the primary keys of recently linked objects, which avoids locating the objects.
struct IdentityCache<Identity: BitwiseCopyable>: ~Copyable {
    private struct Entry: BitwiseCopyable {
        /// The number of the object's table plus 1; 0 for an empty entry.
        var table: Int
        var object: ObjectKey
        var identity: Identity
    }

    private let owned: UncheckedArray<Entry>
    private let entries: UncheckedSpan<Entry>
    private let mask: Int64

    /// Creates an empty cache.
    ///
    /// - Parameter bits: Binary logarithm of the capacity. Unused memory is never touched.
    init(bits: Int) {
        owned = UncheckedArray(zeroed: 1 << bits)
        entries = UncheckedSpan(owned)
        mask = (1 << Int64(bits)) - 1
    }

    @inline(__always)
    private func index(_ object: ObjectKey) -> Int {
        Int(truncatingIfNeeded: (object.value ^ (object.value &>> 16)) & mask)
    }

    /// The identity of an object of a table; nil if it is not cached.
    @inline(__always)
    func identity(of object: ObjectKey, in table: TablePosition) -> Identity? {
        let index = index(object)
        let isKnown = entries[unchecked: index].object == object && entries[unchecked: index].table == table.number &+ 1
        return isKnown ? entries[unchecked: index].identity : nil
    }

    /// Caches an identity.
    @inline(__always)
    func note(_ identity: Identity, of object: ObjectKey, in table: TablePosition) {
        entries[unchecked: index(object)] = Entry(table: table.number &+ 1, object: object, identity: identity)
    }
}
