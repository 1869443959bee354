internal import RealmLayout
internal import RealmReader

/// Goes through objects of a class as they are when it is made: what iterators of results are for classes of the program.
@usableFromInline
final class ObjectIteration {
    private let binding: ClassBinding
    /// Kept here, because the binding does not keep it.
    private let realm: RealmInstance
    private let type: ObjectBase.Type
    private var objects: StoredObjects

    init(_ binding: ClassBinding, _ objects: StoredObjects) {
        (self.binding, self.objects) = (binding, objects)
        (realm, type) = (binding.realm, binding.model.type)
    }

    /// A view of the next object; nil after the last.
    @usableFromInline
    func next() -> ObjectBase? {
        guard let stored = objects.next(realm, binding) else { return nil }
        let object = type.init()
        object.show(binding, stored.key, stored)
        return object
    }
}

/// Stored objects one after the other: all of a table, or those with some keys.
struct StoredObjects {
    /// What the realm showed when it was made.
    private let stamp: UInt64
    /// Goes through all objects; nil for those with `keys`.
    private var cursor: ObjectCursor?
    private let keys: [ObjectKey]
    private var position = 0
    private var seeker: ObjectLookup

    /// All objects of a table that a realm shows.
    init(of table: Table, _ realm: RealmInstance) {
        (stamp, cursor, keys) = (realm.stamp, table.objects, [])
        seeker = ObjectLookup(table)
    }

    /// Some objects. Those that are not there are passed over.
    init(_ keys: [ObjectKey], of table: Table, _ realm: RealmInstance) {
        (stamp, cursor, self.keys) = (realm.stamp, nil, keys)
        seeker = ObjectLookup(table)
    }

    /// The next object, as the realm shows it now; nil after the last.
    @inline(__always)
    mutating func next(_ realm: RealmInstance, _ binding: ClassBinding) -> StoredObject? {
        do throws(FormatError) {
            while let object = try nextStored() {
                // A transaction looks its objects up by itself.
                if realm.stamp == stamp || realm.hasChanges { return object }
                // Another version is shown meanwhile: the object may have other values there, or be gone.
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
            if let found = try seeker.object(keys[position - 1]) { return found }
        }
        return nil
    }
}
