/// What is told of a collection that is observed.
///
/// ```swift
/// let token = realm.objects(Dog.self).observe { change in
///     switch change {
///     case .initial(let dogs): print(dogs.count, "dogs")
///     case .update(_, let deletions, let insertions, let modifications): print(deletions, insertions, modifications)
///     case .error(let error): print(error)
///     }
/// }
/// token.invalidate()
/// ```
public enum RealmCollectionChange<CollectionType> {
    /// The collection as it is when observing begins.
    case initial(CollectionType)
    /// What happened since: deletions and modifications are indexes of elements before, insertions of elements now. An element
    /// that moved is deleted and inserted; one of a list that was set to another value or object is modified.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    /// Never told.
    case error(any Error)
}

/// What is told of a map that is observed.
///
/// ```swift
/// let token = club.prices.observe { change in
///     if case .update(_, let deletions, let insertions, let modifications) = change {
///         print(deletions, insertions, modifications)
///     }
/// }
/// token.invalidate()
/// ```
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
///
/// ```swift
/// let token = dog.observe { (change: ObjectChange<Dog>) in
///     switch change {
///     case .change(let dog, let properties): print(dog.name, properties.map(\.name))
///     case .deleted: print("gone")
///     case .error(let error): print(error)
///     }
/// }
/// token.invalidate()
/// ```
public enum ObjectChange<T> {
    /// Never told.
    case error(any Error)
    /// Properties have other values.
    case change(T, [PropertyChange])
    /// The object was deleted.
    case deleted
}

/// A property that has another value.
///
/// ```swift
/// let token = dog.observe { (change: ObjectChange<Dog>) in
///     guard case .change(_, let properties) = change else { return }
///     for property in properties { print(property.name, property.oldValue ?? "none", property.newValue ?? "none") }
/// }
/// token.invalidate()
/// ```
public struct PropertyChange {
    /// Its name.
    public let name: String
    /// The value before; nil for collections, and where a transaction of the observed realm itself made the change. An object has the values of
    /// now, or was deleted: `isInvalidated` tells.
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
