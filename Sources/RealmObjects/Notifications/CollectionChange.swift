/// A change of an observed collection.
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
    /// The collection when observing begins.
    case initial(CollectionType)
    /// Changes since the last notification: deletions and modifications are old indexes, insertions are new ones. An
    /// element that moved is deleted and inserted; a list element that was set to another value or object is modified.
    case update(CollectionType, deletions: [Int], insertions: [Int], modifications: [Int])
    /// Never reported.
    case error(any Error)
}

/// A change of an observed map.
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
    /// The map when observing begins.
    case initial(Collection)
    /// Changes since the last notification, by key.
    case update(
        Collection, deletions: [Collection.Key], insertions: [Collection.Key], modifications: [Collection.Key])
    /// Never reported.
    case error(any Error)
}

/// A change of an observed object.
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
    /// Never reported.
    case error(any Error)
    /// Properties changed.
    case change(T, [PropertyChange])
    /// The object was deleted.
    case deleted
}

/// A changed property.
///
/// ```swift
/// let token = dog.observe { (change: ObjectChange<Dog>) in
///     guard case .change(_, let properties) = change else { return }
///     for property in properties { print(property.name, property.oldValue ?? "none", property.newValue ?? "none") }
/// }
/// token.invalidate()
/// ```
public struct PropertyChange {
    /// Name of the property.
    public let name: String
    /// The value before the change; nil for collections, and if a transaction of the observed realm itself made the
    /// change. An object has its current values, or was deleted (`isInvalidated`).
    public let oldValue: Any?
    /// The current value; nil for collections.
    public let newValue: Any?
}

extension Realm {
    /// A notification of an observed realm.
    public enum Notification: String, Sendable {
        /// The realm shows another version.
        case didChange = "RLMRealmDidChangeNotification"
        /// Another version exists that a realm without `autorefresh` does not show yet.
        case refreshRequired = "RLMRealmRefreshRequiredNotification"
    }
}

/// A block that receives the notifications of a realm.
public typealias NotificationBlock = (_ notification: Realm.Notification, _ realm: Realm) -> Void
