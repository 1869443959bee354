internal import RealmCore
internal import RealmLayout

/// Hashed lookup of the objects of a set in memory.
struct InsertedObjects {
    /// Identity of an object at the time of insertion. It changes when the object is added to a realm.
    private enum Identity: Hashable {
        case instance(ObjectIdentifier)
        case row(ObjectIdentifier, TablePosition, ObjectKey)

        init(_ object: ObjectBase) {
            guard let realm = object.boundRealm, let binding = object.binding else {
                self = .instance(ObjectIdentifier(object))
                return
            }
            // All frozen realms of a version show the same objects.
            let shown = realm.isFrozen ? ObjectIdentifier(realm.snapshot) : ObjectIdentifier(realm)
            self = .row(shown, binding.position, object.key)
        }
    }

    private var identities: Set<Identity> = []
    /// Whether some objects were unmanaged when they were inserted.
    private var mayHaveMoved = false

    /// Whether an object is in `all`, every object of which was added here.
    func contains(_ object: ObjectBase, among all: some Sequence<ObjectBase>) -> Bool {
        if identities.contains(Identity(object)) { return true }
        return mayHaveMoved && object.boundRealm != nil && all.contains { $0.isSame(as: object) }
    }

    mutating func add(_ object: ObjectBase) {
        identities.insert(Identity(object))
        if object.boundRealm == nil { mayHaveMoved = true }
    }

    mutating func remove(_ object: ObjectBase) {
        identities.remove(Identity(object))
        identities.remove(.instance(ObjectIdentifier(object)))
    }
}
