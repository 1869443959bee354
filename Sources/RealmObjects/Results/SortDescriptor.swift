internal import RealmQuery

/// A sort order for results.
///
/// ```swift
/// let dogs = realm.objects(Dog.self).sorted(by: [SortDescriptor(keyPath: \Dog.age, ascending: false), "name"])
/// print(dogs.count)
/// ```
public struct SortDescriptor: CustomStringConvertible, Equatable, ExpressibleByStringLiteral, Sendable {
    /// The path to the value, as names separated by points.
    public let keyPath: String
    /// Whether low values come first.
    public let ascending: Bool

    /// Sorts by the value at the end of a path.
    public init(keyPath: String, ascending: Bool = true) { (self.keyPath, self.ascending) = (keyPath, ascending) }

    /// Sorts by the value of a key path.
    public init<Element: ObjectBase>(keyPath: PartialKeyPath<Element>, ascending: Bool = true) {
        self.init(keyPath: KeyPathRecorder.name(keyPath, Element.self), ascending: ascending)
    }

    /// Sorts by the value at the end of a path, low values first.
    public init(stringLiteral value: String) { self.init(keyPath: value) }

    /// Returns the descriptor with the opposite direction.
    public func reversed() -> SortDescriptor { SortDescriptor(keyPath: keyPath, ascending: !ascending) }

    /// The path and the direction, as text.
    public var description: String {
        "SortDescriptor(keyPath: \(keyPath), direction: \(ascending ? "ascending" : "descending"))"
    }
}

/// A type with properties to sort by, as key paths: objects and projections of them.
///
/// ```swift
/// func least<T: KeypathSortable & Object>(_ objects: Results<T>, by path: KeyPath<T, Int>) -> T? {
///     objects.sorted(by: path).first
/// }
/// print(least(realm.objects(Dog.self), by: \.age)?.name ?? "none")
/// ```
public protocol KeypathSortable {}

extension ObjectBase: KeypathSortable {}
extension Projection: KeypathSortable {}

/// Returns the names along a key path of a model, separated by points.
///
/// - Precondition: the key path leads to stored properties.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String { KeyPathRecorder.name(keyPath, T.self) }

extension KeyPathRecorder {
    /// Returns the path of a key path.
    ///
    /// - Precondition: the key path leads to stored properties.
    static func name(_ keyPath: AnyKeyPath, _ root: ObjectBase.Type) -> String {
        guard let path = path(keyPath, root) else {
            Failure.stop("The key path leads to no property of '\(root.className())' that is marked with @Persisted")
        }
        return path
    }
}
