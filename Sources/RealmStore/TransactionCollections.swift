public import RealmCore
internal import RealmLayout

// Handles for changing collections element by element. Each belongs to its transaction, and like it to a thread.

/// A collection, and the transaction that changes it.
struct CollectionHandle {
    let transaction: WriteTransaction
    let property: PropertyAddress
    var steps: [NestedStep<NewValue>] = []

    /// Runs a change or a query. Inlined, because a closure passed on would copy the whole handle.
    @inline(__always)
    func edit<R>(
        _ kind: CollectionKind,
        _ body: (CollectionChanges, CollectionPlace, MutableTable) throws -> R
    ) throws(WriteError) -> R {
        try transaction.guarded {
            let (place, table) = try transaction.resolve(property)
            return try transaction.edit(place, steps[...], kind) { collection in
                try body(collection, place, table)
            }
        }
    }

    func inside(_ step: NestedStep<NewValue>) -> CollectionHandle {
        var inner = self
        inner.steps.append(step)
        return inner
    }

    func newElement(
        _ value: NewValue, _ collection: CollectionChanges, _ place: CollectionPlace
    ) throws -> MixedValue {
        try transaction.newElement(value, in: collection, at: place, depth: steps.count + 1)
    }

    /// Removes an element or entry, with its links and embedded objects.
    func remove(_ index: Int, _ collection: CollectionChanges, _ place: CollectionPlace) throws {
        transaction.noteChange()
        let old = try collection.values.value(at: index)
        try collection.remove(at: index)
        try transaction.forgetElement(old, of: place)
    }

    /// Replaces an element or the value of an entry, and removes the links and embedded objects of the old one.
    func replace(
        _ index: Int, with new: MixedValue, _ collection: CollectionChanges, _ place: CollectionPlace
    ) throws {
        let old = try collection.values.value(at: index)
        try collection.values.set(index, new)
        try transaction.forgetElement(old, of: place)
    }

    // Operations of all three kinds.

    func count(_ kind: CollectionKind) throws(WriteError) -> Int {
        try edit(kind) { collection, _, _ in collection.count }
    }

    func removeAll(_ kind: CollectionKind) throws(WriteError) {
        try edit(kind) { collection, place, _ in
            // From the end, so that no elements move.
            while collection.count > 0 { try remove(collection.count - 1, collection, place) }
        }
    }
}

/// A list in a transaction: a property of an object, or a list inside a Mixed value.
///
/// ```swift
/// try await store.write { transaction in
///     let person = ObjectReference("Person", ObjectKey(0))
///     try transaction.mutableList(of: person, "dogs").append(.link("Dog", primaryKey: 1))
/// }
/// ```
///
/// Indexes start at 0. All functions throw `WriteError`: `misfit` with `noSuchElement` for an invalid index, with
/// `wrongType` if there is no list, and as `WriteTransaction.set` for values; `badObjectKey` if the object has been
/// deleted.
public struct TransactionList {
    let handle: CollectionHandle

    /// The number of elements.
    public var count: Int {
        get throws(WriteError) { try handle.count(.list) }
    }

    /// Appends an element.
    public func append(_ value: NewValue) throws(WriteError) {
        try handle.edit(.list) { collection, place, _ in
            try insert(value, collection.count, collection, place)
        }
    }

    /// Inserts an element before the one at an index; `count` appends it.
    public func insert(_ value: NewValue, at index: Int) throws(WriteError) {
        try handle.edit(.list) { collection, place, table in
            try handle.transaction.check(index, below: collection.count + 1, table, property: place.property)
            try insert(value, index, collection, place)
        }
    }

    private func insert(
        _ value: NewValue, _ index: Int, _ collection: CollectionChanges, _ place: CollectionPlace
    ) throws {
        let new = try handle.newElement(value, collection, place)
        try collection.values.insert(new, at: index)
    }

    /// Replaces the element at an index. A replaced embedded object is deleted.
    public func set(_ index: Int, _ value: NewValue) throws(WriteError) {
        try handle.edit(.list) { collection, place, table in
            try handle.transaction.check(index, below: collection.count, table, property: place.property)
            let new = try handle.newElement(value, collection, place)
            try handle.replace(index, with: new, collection, place)
        }
    }

    /// Removes the element at an index. A removed embedded object is deleted.
    public func remove(at index: Int) throws(WriteError) {
        try handle.edit(.list) { collection, place, table in
            try handle.transaction.check(index, below: collection.count, table, property: place.property)
            try handle.remove(index, collection, place)
        }
    }

    /// Moves an element; `target` is its index afterwards.
    public func move(from source: Int, to target: Int) throws(WriteError) {
        try handle.edit(.list) { collection, place, table in
            try handle.transaction.check(source, below: collection.count, table, property: place.property)
            try handle.transaction.check(target, below: collection.count, table, property: place.property)
            guard source != target else { return }
            handle.transaction.noteChange()
            let value = try collection.values.value(at: source)
            try collection.values.remove(at: source)
            try collection.values.insert(value, at: target)
        }
    }

    /// Removes all elements. Embedded objects among them are deleted.
    public func removeAll() throws(WriteError) { try handle.removeAll(.list) }

    /// Returns the list at an index of a list of Mixed values.
    public func list(at index: Int) -> TransactionList { TransactionList(handle: handle.inside(.index(index))) }

    /// Returns the dictionary at an index of a list of Mixed values.
    public func dictionary(at index: Int) -> TransactionDictionary {
        TransactionDictionary(handle: handle.inside(.index(index)))
    }
}

/// A set in a transaction: a property of an object. Its elements have the order of Realm.
///
/// ```swift
/// try await store.write { transaction in
///     let person = ObjectReference("Person", ObjectKey(0))
///     try transaction.mutableSet(of: person, "tags").removeAll()
/// }
/// ```
///
/// All functions throw `WriteError`, as `WriteTransaction.set` for values; `badObjectKey` if the object has been
/// deleted.
public struct TransactionSet {
    let handle: CollectionHandle

    /// The number of elements.
    public var count: Int {
        get throws(WriteError) { try handle.count(.set) }
    }

    /// Whether an element is in the set. In a set of Mixed values, equal numbers of different types are the same
    /// element.
    public func contains(_ value: NewValue) throws(WriteError) -> Bool {
        try handle.edit(.set) { collection, place, table in
            try position(of: value, collection, place, table).isThere
        }
    }

    /// Inserts an element.
    ///
    /// - Returns: true if it was not in the set.
    @discardableResult
    public func insert(_ value: NewValue) throws(WriteError) -> Bool {
        try handle.edit(.set) { collection, place, table in
            let (index, isThere) = try position(of: value, collection, place, table)
            guard !isThere else { return false }
            let new = try handle.newElement(value, collection, place)
            try collection.values.insert(new, at: index)
            return true
        }
    }

    /// Removes an element.
    ///
    /// - Returns: true if it was in the set.
    @discardableResult
    public func remove(_ value: NewValue) throws(WriteError) -> Bool {
        try handle.edit(.set) { collection, place, table in
            let (index, isThere) = try position(of: value, collection, place, table)
            if isThere { try handle.remove(index, collection, place) }
            return isThere
        }
    }

    /// Removes all elements.
    public func removeAll() throws(WriteError) { try handle.removeAll(.set) }

    private func position(
        of value: NewValue, _ collection: CollectionChanges, _ place: CollectionPlace, _ table: MutableTable
    ) throws -> (index: Int, isThere: Bool) {
        guard let element = try handle.transaction.soughtElement(value, table, place.property) else {
            return (0, false)
        }
        return try collection.position(of: element)
    }
}

/// A dictionary in a transaction: a property of an object, or a dictionary inside a Mixed value.
///
/// ```swift
/// try await store.write { transaction in
///     let person = ObjectReference("Person", ObjectKey(0))
///     try transaction.mutableDictionary(of: person, "ratings").set("best", 5)
/// }
/// ```
///
/// Keys are strings, or integers if the property is declared so. All functions throw `WriteError`: `misfit` with
/// `wrongType` if there is no dictionary, and as `WriteTransaction.set` for values; `badObjectKey` if the object has
/// been deleted.
public struct TransactionDictionary {
    let handle: CollectionHandle

    /// The number of entries.
    public var count: Int {
        get throws(WriteError) { try handle.count(.dictionary(.string)) }
    }

    /// Whether there is an entry with a key.
    public func contains(key: NewValue) throws(WriteError) -> Bool {
        try handle.edit(.dictionary(.string)) { collection, place, table in
            try position(of: key, collection, place, table).isThere
        }
    }

    /// Sets the value of a key. A replaced embedded object is deleted.
    public func set(_ key: NewValue, _ value: NewValue) throws(WriteError) {
        try handle.edit(.dictionary(.string)) { collection, place, table in
            let storedKey = try handle.transaction.key(key, of: collection, table, place.property)
            let new = try handle.newElement(value, collection, place)
            let (index, isThere) = try collection.position(ofKey: storedKey)
            if isThere { return try handle.replace(index, with: new, collection, place) }
            try collection.keys?.insert(storedKey, at: index)
            try collection.values.insert(new, at: index)
        }
    }

    /// Removes the entry with a key. A removed embedded object is deleted.
    ///
    /// - Returns: true if there was an entry.
    @discardableResult
    public func remove(key: NewValue) throws(WriteError) -> Bool {
        try handle.edit(.dictionary(.string)) { collection, place, table in
            let (index, isThere) = try position(of: key, collection, place, table)
            if isThere { try handle.remove(index, collection, place) }
            return isThere
        }
    }

    /// Removes all entries. Embedded objects among them are deleted.
    public func removeAll() throws(WriteError) { try handle.removeAll(.dictionary(.string)) }

    /// Returns the list that is the value of a key.
    public func list(key: NewValue) -> TransactionList { TransactionList(handle: handle.inside(.key(key))) }

    /// Returns the dictionary that is the value of a key.
    public func dictionary(key: NewValue) -> TransactionDictionary {
        TransactionDictionary(handle: handle.inside(.key(key)))
    }

    private func position(
        of key: NewValue, _ collection: CollectionChanges, _ place: CollectionPlace, _ table: MutableTable
    ) throws -> (index: Int, isThere: Bool) {
        let stored = try handle.transaction.key(key, of: collection, table, place.property)
        return try collection.position(ofKey: stored)
    }
}

extension WriteTransaction {
    /// Returns the list of an object: of a property, or of a Mixed value that holds a list.
    ///
    /// - Returns: a handle for changing it. Each of its functions checks whether the list exists.
    public func mutableList(of object: ObjectReference, _ property: String) -> TransactionList {
        TransactionList(handle: CollectionHandle(transaction: self, property: .named(object, property)))
    }

    /// Returns the set of an object.
    ///
    /// - Returns: a handle for changing it, as `mutableList(of:_:)`.
    public func mutableSet(of object: ObjectReference, _ property: String) -> TransactionSet {
        TransactionSet(handle: CollectionHandle(transaction: self, property: .named(object, property)))
    }

    /// Returns the dictionary of an object: of a property, or of a Mixed value that holds a dictionary.
    ///
    /// - Returns: a handle for changing it, as `mutableList(of:_:)`.
    public func mutableDictionary(of object: ObjectReference, _ property: String) -> TransactionDictionary {
        TransactionDictionary(handle: CollectionHandle(transaction: self, property: .named(object, property)))
    }
}
