/// What is told of a collection that is observed.
public enum RealmCollectionChange<CollectionType> {
    /// The collection as it is when observing begins.
    case initial(CollectionType)
    /// What happened since: deletions and modifications are indexes of elements before, insertions of elements now. An element
    /// that moved is deleted and inserted.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    /// Never told.
    case error(any Error)
}

/// What is told of a map that is observed.
public enum RealmMapChange<Collection: RealmKeyedCollection> {
    /// The map as it is when observing begins.
    case initial(Collection)
    /// What happened since, by keys.
    case update(
        Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
    /// Never told.
    case error(any Error)
}

/// What is told of an object that is observed.
public enum ObjectChange<T> {
    /// Never told.
    case error(any Error)
    /// Properties have other values.
    case change(T, [PropertyChange])
    /// The object was deleted.
    case deleted
}

/// A property that has another value.
public struct PropertyChange {
    /// Its name.
    public let name: String
    /// The value before; nil for collections and objects.
    public let oldValue: Any?
    /// The value now; nil for collections.
    public let newValue: Any?
}

extension Realm {
    /// What is told of a realm that is observed.
    public enum Notification: String, Sendable {
        /// The realm shows another version.
        case didChange = "RLMRealmDidChangeNotification"
        /// There is another version, which a realm without `autorefresh` does not show.
        case refreshRequired = "RLMRealmRefreshRequiredNotification"
    }
}

/// Gets the notifications of a realm.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void
