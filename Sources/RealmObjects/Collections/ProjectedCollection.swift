public import Dispatch

/// The values of one property of all objects in a collection.
///
/// ```swift
/// class DogNames: Projection<Person> {
///     @Projected(\Person.dogs.projectTo.name) var names: ProjectedCollection<String>
/// }
/// for person in realm.objects(DogNames.self) { print(Array(person.names)) }
/// ```
public struct ProjectedCollection<Element: RealmCollectionValue>: RandomAccessCollection, CustomStringConvertible,
    ThreadConfined
{
    private let base: any ProjectedBase<Element>

    fileprivate init(_ base: any ProjectedBase<Element>) { self.base = base }

    /// Always zero.
    public var startIndex: Int { 0 }
    /// The number of objects.
    public var endIndex: Int { base.count }

    /// The property of the object at an index. Setting it sets the property of the object.
    public subscript(position: Int) -> Element {
        get { base.value(at: position) }
        nonmutating set { base.set(newValue, at: position) }
    }

    /// Returns the index of the first object with a value; nil if there is none.
    public func index(of object: Element) -> Int? { firstIndex(of: object) }

    /// The realm.
    public var realm: Realm? { base.realm }
    /// Whether the owner of the collection was deleted, or its realm invalidated.
    public var isInvalidated: Bool { base.isInvalidated }
    /// Whether the collection is frozen: it never changes, and any thread may read it.
    public var isFrozen: Bool { base.isFrozen }
    /// Returns the same collection in another realm.
    public func _inRealm(_ realm: Realm) -> ProjectedCollection<Element>? {
        base.moved(to: realm).map { ProjectedCollection($0) }
    }

    /// A readable form of the values.
    public var description: String {
        "ProjectedCollection<\(Element.self)> {\n"
            + enumerated().map { "\t[\($0.offset)] \($0.element)\n" }.joined() + "}"
    }

    /// Calls a block with the collection, and again after each change.
    ///
    /// - Parameters:
    ///   - keyPaths: the properties of the objects to observe; nil for the projected one.
    ///   - queue: the queue to call the block on; nil for the realm's own thread, queue or actor.
    ///   - block: called with each change.
    /// - Returns: a token that keeps the observation active.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
    ) -> NotificationToken {
        base.observe(keyPaths, queue) { change in
            switch change {
            case .initial(let base): block(.initial(ProjectedCollection(base)))
            case .update(let base, let deletions, let insertions, let modifications):
                block(
                    .update(
                        ProjectedCollection(base), deletions: deletions, insertions: insertions,
                        modifications: modifications))
            case .error(let error): block(.error(error))
            }
        }
    }
}

/// A collection of objects, and one of their properties.
private protocol ProjectedBase<Element> {
    associatedtype Element: RealmCollectionValue
    var count: Int { get }
    var realm: Realm? { get }
    var isInvalidated: Bool { get }
    var isFrozen: Bool { get }
    func value(at index: Int) -> Element
    func set(_ value: Element, at index: Int)
    func moved(to realm: Realm) -> (any ProjectedBase<Element>)?
    func observe(
        _ keyPaths: [String]?, _ queue: DispatchQueue?,
        _ block: @escaping (RealmCollectionChange<any ProjectedBase<Element>>) -> Void
    ) -> NotificationToken
}

private struct ProjectedObjects<Objects: RealmCollection, Element: RealmCollectionValue>: ProjectedBase
where Objects.Element: ObjectBase {
    let objects: Objects
    let keyPath: KeyPath<Objects.Element, Element>

    var count: Int { objects.count }
    var realm: Realm? { objects.realm }
    var isInvalidated: Bool { objects.isInvalidated }
    var isFrozen: Bool { objects.isFrozen }
    func value(at index: Int) -> Element { objects[index][keyPath: keyPath] }
    func set(_ value: Element, at index: Int) {
        guard let keyPath = keyPath as? ReferenceWritableKeyPath<Objects.Element, Element> else {
            Failure.stop("KeyPath is not writable")
        }
        objects[index][keyPath: keyPath] = value
    }
    func moved(to realm: Realm) -> (any ProjectedBase<Element>)? {
        objects._inRealm(realm).map { ProjectedObjects(objects: $0, keyPath: keyPath) }
    }
    func observe(
        _ keyPaths: [String]?, _ queue: DispatchQueue?,
        _ block: @escaping (RealmCollectionChange<any ProjectedBase<Element>>) -> Void
    ) -> NotificationToken {
        let paths = keyPaths ?? KeyPathRecorder.path(keyPath, Objects.Element.self).map { [$0] }
        return objects.observe(keyPaths: paths, on: queue) { change in
            switch change {
            case .initial(let objects): block(.initial(ProjectedObjects(objects: objects, keyPath: keyPath)))
            case .update(let objects, let deletions, let insertions, let modifications):
                block(
                    .update(
                        ProjectedObjects(objects: objects, keyPath: keyPath), deletions: deletions,
                        insertions: insertions, modifications: modifications))
            case .error(let error): block(.error(error))
            }
        }
    }
}

/// The result of `projectTo`: the properties of the objects of a collection.
///
/// ```swift
/// let names = person.dogs.projectTo.name
/// print(names.first ?? "none")
/// ```
@dynamicMemberLookup
public struct CollectionElementMapper<Element: ObjectBase & RealmCollectionValue> {
    private let collection: AnyRealmCollection<Element>

    init(_ collection: AnyRealmCollection<Element>) { self.collection = collection }

    /// The values of a property of all objects.
    public subscript<Value: RealmCollectionValue>(
        dynamicMember member: KeyPath<Element, Value>
    ) -> ProjectedCollection<Value> {
        ProjectedCollection(ProjectedObjects(objects: collection, keyPath: member))
    }
}

extension List where Element: ObjectBase {
    /// The properties of the objects, for `@Projected`.
    public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(AnyRealmCollection(self)) }
}

extension MutableSet where Element: ObjectBase {
    /// The properties of the objects, for `@Projected`.
    public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(AnyRealmCollection(self)) }
}
