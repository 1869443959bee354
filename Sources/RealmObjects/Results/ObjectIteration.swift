internal import RealmCore
internal import RealmLayout

/// Iterates over objects of a class as they are at its creation; used by iterators of results.
@usableFromInline
final class ObjectIteration {
    private let binding: ClassBinding
    /// Retained here, because the binding does not retain it.
    private let realm: RealmInstance
    private let type: ObjectBase.Type
    private var objects: StoredObjects

    init(_ binding: ClassBinding, _ objects: StoredObjects) {
        (self.binding, self.objects) = (binding, objects)
        (realm, type) = (binding.realm, binding.model.type)
    }

    /// Returns a view of the next object; nil after the last.
    @usableFromInline
    func next() -> ObjectBase? {
        guard let stored = objects.next(realm, binding) else { return nil }
        let object = type.init()
        object.show(binding, stored.key, stored)
        return object
    }
}

/// A sequence of stored objects: all of a table, or those with some keys.
struct StoredObjects {
    /// The realm's stamp at creation.
    private let stamp: UInt64
    /// Iterates over all objects; nil for those with `keys`.
    private var cursor: ObjectCursor?
    private let keys: [ObjectKey]
    private var position = 0
    private var lookup: ObjectLookup

    /// Iterates over all objects of a table that a realm shows.
    init(of table: Table, _ realm: RealmInstance) {
        (stamp, cursor, keys) = (realm.stamp, table.objects, [])
        lookup = ObjectLookup(table)
    }

    /// Iterates over objects by key. Missing objects are skipped.
    init(_ keys: [ObjectKey], of table: Table, _ realm: RealmInstance) {
        (stamp, cursor, self.keys) = (realm.stamp, nil, keys)
        lookup = ObjectLookup(table)
    }

    /// Returns the next object, as the realm shows it now; nil after the last.
    @inline(__always)
    mutating func next(_ realm: RealmInstance, _ binding: ClassBinding) -> StoredObject? {
        do throws(FormatError) {
            while let object = try nextStored() {
                // Inside a transaction, objects are looked up when they are read.
                if realm.stamp == stamp || realm.hasChanges { return object }
                // Another version is shown by now: the object may have other values there, or be gone.
                if let current = try binding.stored(object.key) { return current }
            }
            return nil
        } catch {
            Failure.stop("\(error)")
        }
    }

    @inline(__always)
    private mutating func nextStored() throws(FormatError) -> StoredObject? {
        if cursor != nil { return try cursor?.next() }
        while position < keys.count {
            position += 1
            if let found = try lookup.object(keys[position - 1]) { return found }
        }
        return nil
    }
}
