internal import RealmReader

/// Where the elements of a list or a set are: in memory until the object is added, then in its realm.
enum ElementStorage<Element: RealmCollectionValue> {
    case memory([Element])
    case managed(ManagedCollection)

    var managed: ManagedCollection? { if case .managed(let managed) = self { managed } else { nil } }

    /// All of them. A loop: mapping pairs asks the runtime for their type each time, and most lists are short.
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

    /// - Precondition: there is an element at the index.
    func element(at index: Int) -> Element {
        switch self {
        case .memory(let elements):
            guard elements.indices.contains(index) else { Self.stop(index, elements.count) }
            return elements[index]
        case .managed(let managed): return Self.element(managed.element(at: index), managed, index)
        }
    }

    /// Changes elements in memory, which are not copied for it.
    ///
    /// - Returns: whether they are in memory.
    @discardableResult
    mutating func changeInMemory(_ body: (inout [Element]) -> Void) -> Bool {
        guard case .memory(var elements) = self else { return false }
        self = .memory([])
        body(&elements)
        self = .memory(elements)
        return true
    }

    /// Ends the program unless there is an element at an index.
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

/// A list or a set, as an object that knows where its elements are.
protocol StoredCollection: RealmCollection {
    var storage: ElementStorage<Element> { get }
}

extension StoredCollection {
    var managed: ManagedCollection? { storage.managed }

    /// The collection, whose elements are about to be written elsewhere.
    ///
    /// - Precondition: it is not gone.
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

/// A list, a set or a map, which a property never shares with another one.
protocol CopiedCollection {
    /// A collection in memory with the same elements.
    var inMemory: Any { get }
    /// Takes the elements of another one; this one is in memory.
    func take(_ other: Any)
}

extension _Persistable {
    /// The value; of a collection one in memory with the same elements.
    var ownCopy: Self {
        guard Self._isKept, let collection = self as? any CopiedCollection else { return self }
        return collection.inMemory as? Self ?? self
    }
}
