internal import RealmCore

/// The elements of a list or a set: in memory until the object is added, then in its realm.
enum ElementStorage<Element: RealmCollectionValue> {
    case memory([Element])
    case managed(ManagedCollection)

    var managed: ManagedCollection? { if case .managed(let managed) = self { managed } else { nil } }

    /// Returns all elements. Uses a loop: mapping pairs looks up their type at run time for each element, and most
    /// lists are short.
    private static func elements(_ managed: ManagedCollection) -> [Element] {
        let values = managed.elements
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for index in values.indices { elements.append(element(values[index], managed, index)) }
        return elements
    }

    var elements: [Element] {
        switch self {
        case .memory(let elements): elements
        case .managed(let managed): Self.elements(managed)
        }
    }

    var count: Int {
        switch self {
        case .memory(let elements): elements.count
        case .managed(let managed): managed.count
        }
    }

    /// - Precondition: the index is in bounds.
    func element(at index: Int) -> Element {
        switch self {
        case .memory(let elements):
            guard elements.indices.contains(index) else { Self.stop(index, elements.count) }
            return elements[index]
        case .managed(let managed): return Self.element(managed.element(at: index), managed, index)
        }
    }

    /// Changes the elements in memory, without copying them.
    ///
    /// - Returns: whether the elements are in memory.
    @discardableResult
    mutating func changeInMemory(_ body: (inout [Element]) -> Void) -> Bool {
        guard case .memory(var elements) = self else { return false }
        self = .memory([])
        body(&elements)
        self = .memory(elements)
        return true
    }

    /// Ends the program unless the index is in bounds.
    func check(_ index: Int) {
        let count = count
        guard index >= 0, index < count else { Self.stop(index, count) }
    }

    static func stop(_ index: Int, _ count: Int) -> Never {
        Failure.stop("Index \(index) is out of bounds (must be less than \(count)).")
    }

    private static func element(_ value: Value, _ collection: ManagedCollection, _ index: Int) -> Element {
        Element.shown(_StoredValue(value, in: collection, at: .index(index)))
    }
}

/// A list or a set, backed by `ElementStorage`.
protocol StoredCollection: RealmCollection {
    var storage: ElementStorage<Element> { get }
}

extension StoredCollection {
    var managed: ManagedCollection? { storage.managed }

    /// The collection itself, whose elements are about to be written elsewhere.
    ///
    /// - Precondition: the collection still exists.
    var existing: Self {
        managed?.checkExists()
        return self
    }

    /// Whether both are views of one collection of a realm, or have the same elements in memory.
    func isSame(as other: Self) -> Bool {
        switch (storage, other.storage) {
        case (.managed(let managed), .managed(let other)): managed.isSame(as: other)
        case (.memory(let elements), .memory(let others)): elements == others
        default: false
        }
    }
}

/// A list, a set or a map. Two properties never share one.
protocol CopiedCollection {
    /// A collection in memory with the same elements.
    var inMemory: Any { get }
    /// Takes the elements of another collection. This one is in memory.
    func take(_ other: Any)
}

extension _Persistable {
    /// The value; for a collection, one in memory with the same elements.
    var ownCopy: Self {
        guard Self._isKept, let collection = self as? any CopiedCollection else { return self }
        return collection.inMemory as? Self ?? self
    }
}
