internal import RealmCore
internal import RealmLayout

/// A property of an object that holds a collection, or a Mixed value with one.
struct CollectionPlace: Hashable {
    /// The table's index in the snapshot's tables.
    let table: TablePosition
    let object: ObjectKey
    /// The property's index in the schema.
    let property: PropertyIndex
}

// Changing collections element by element. They are kept open until something else needs the property.
extension WriteTransaction {
    /// The maximum number of open collections: beyond it they are written, so that memory stays small.
    static let openCollections = 1000

    /// Changes a collection.
    ///
    /// - Parameters:
    ///   - steps: the path from the collection of the property to a nested one.
    ///   - kind: the kind that it must have; dictionaries may have keys of another type.
    ///   - body: called with the collection to be changed.
    @inline(__always)
    func edit<R>(
        _ place: CollectionPlace, _ steps: ArraySlice<NestedStep<NewValue>>, _ kind: CollectionKind,
        _ body: (CollectionChanges) throws -> R
    ) throws -> R {
        let collection = try open(place)
        if steps.isEmpty, collection.kind.isSimilar(to: kind) { return try body(collection) }
        return try edit(collection, steps, kind, place, body)
    }

    private func edit<R>(
        _ collection: CollectionChanges, _ steps: ArraySlice<NestedStep<NewValue>>, _ kind: CollectionKind,
        _ place: CollectionPlace, _ body: (CollectionChanges) throws -> R
    ) throws -> R {
        let table = try table(at: place.table)
        guard let step = steps.first else {
            guard collection.kind.isSimilar(to: kind) else {
                throw located(
                    InvalidValue(.wrongType, "is \(collection.kind.kindName), not \(kind.kindName)"), table,
                    place.property)
            }
            return try body(collection)
        }
        let index = try self.index(of: step, in: collection, table, place.property)
        let old = try collection.values.value(at: index)
        guard let inner = try self.collection(in: old) else {
            throw located(InvalidValue(.wrongType, "has no collection there"), table, place.property)
        }
        let result = try edit(inner, steps.dropFirst(), kind, place, body)
        if inner.isChanged {
            let root = try inner.write(nodes, &released)
            try collection.values.set(index, inner.kind.isList ? .list(root) : .dictionary(root))
        }
        return result
    }

    private func index(
        of step: NestedStep<NewValue>, in collection: CollectionChanges, _ table: MutableTable,
        _ property: PropertyIndex
    ) throws -> Int {
        switch (step, collection.kind) {
        case (.index(let index), .list):
            try check(index, below: collection.count, table, property: property)
            return index
        case (.key(let key), .dictionary):
            let stored = try self.key(key, of: collection, table, property)
            let (index, isThere) = try collection.position(ofKey: stored)
            guard isThere else {
                throw located(InvalidValue(.noSuchElement, "has no entry with the key \(key.text)"), table, property)
            }
            return index
        default: throw located(InvalidValue(.wrongType, "is \(collection.kind.kindName)"), table, property)
        }
    }

    /// Checks an index.
    func check(_ index: Int, below end: Int, _ table: MutableTable, property: PropertyIndex) throws(WriteError) {
        guard index >= 0, index < end else {
            throw located(
                InvalidValue(.noSuchElement, "has no element \(index): there are \(end)"), table, property)
        }
    }

    /// Returns a dictionary key in its stored form.
    func key(
        _ key: NewValue, of collection: CollectionChanges, _ table: MutableTable, _ property: PropertyIndex
    ) throws(WriteError) -> MixedValue {
        let stored = try stored(key, table, property)
        switch (stored, collection.keys?.type) {
        case (.string, .string), (.int, .int): return stored
        default:
            throw located(
                InvalidValue(.wrongType, "the key is \(key.kindName), which the dictionary has not"), table, property)
        }
    }

    // MARK: Open collections

    /// Returns the collection of a property, and keeps it open.
    func open(_ place: CollectionPlace) throws -> CollectionChanges {
        let collection = try known(place)
        try removeGone(collection)
        return collection
    }

    /// Returns the same without removing recorded links.
    private func known(_ place: CollectionPlace) throws -> CollectionChanges {
        if let known = collections[place] { return known }
        let table = try table(at: place.table)
        let (cluster, row) = try self.place(of: place.object, in: table)
        try table.noteIndexes(place.object, property: place.property)
        let column = table.core.columns[place.property]
        let values = try cluster.values(column)
        let property = table.constraints[place.property]
        let space = space
        let collection: CollectionChanges
        if let stored = property.collection {
            let root = Slot(values.numbers[row]).ref
            collection = try CollectionChanges(
                stored, root, of: stored.isDictionary ? .mixed : column.elementType, in: space)
        } else {
            guard let found = try self.collection(in: values.value(at: row)) else {
                throw located(InvalidValue(.wrongType, "holds no collection"), table, place.property)
            }
            collection = found
        }
        collections[place] = collection
        return collection
    }

    /// Opens the collection in a Mixed value; nil for other values.
    private func collection(in value: MixedValue) throws(FormatError) -> CollectionChanges? {
        switch value {
        case .list(let root): try CollectionChanges(.list, root, of: .mixed, in: space)
        case .dictionary(let root): try CollectionChanges(.dictionary(.string), root, of: .mixed, in: space)
        default: nil
        }
    }

    /// Writes the collection of a property, if it is open.
    func closeCollection(of key: ObjectKey, _ table: MutableTable, _ index: PropertyIndex) throws {
        guard !collections.isEmpty else { return }
        let place = CollectionPlace(table: table.position, object: key, property: index)
        if let collection = collections.removeValue(forKey: place) { try write(collection, to: place) }
    }

    /// Writes all open collections.
    func closeCollections() throws {
        guard !collections.isEmpty else { return }
        let open = collections
        collections.removeAll(keepingCapacity: true)
        // In a deterministic order.
        for (place, collection) in open.sorted(by: { $0.key < $1.key }) { try write(collection, to: place) }
    }

    private func write(_ collection: CollectionChanges, to place: CollectionPlace) throws {
        try removeGone(collection)
        guard collection.isChanged else { return }
        let table = try table(at: place.table)
        let root = try collection.write(nodes, &released)
        let (cluster, row) = try self.place(of: place.object, in: table)
        let values = try cluster.values(table.core.columns[place.property])
        if table.constraints[place.property].collection != nil {
            values.set(row, number: Int64(root?.offset ?? 0))
        } else {
            values.set(row, collection.kind.isList ? .list(root) : .dictionary(root))
        }
    }

    // MARK: Elements

    /// Returns an element in its stored form. A link is the key of its object in a collection of links, and a link in a
    /// dictionary.
    ///
    /// - Parameter depth: the number of enclosing collections.
    func newElement(
        _ value: NewValue, in collection: CollectionChanges, at place: CollectionPlace, depth: Int
    ) throws -> MixedValue {
        let table = try table(at: place.table)
        let property = table.constraints[place.property]
        guard property.type == .link else {
            if property.type == .mixed { noteChange() }
            let stored =
                property.collection == nil
                ? try mixed(value, of: place.object, table, place.property, depth: depth)
                : try element(value, of: place.object, table, place.property, nesting: depth)
            noteChange()
            return stored
        }
        noteChange()
        let target = try link(value, of: place.object, table, place.property, depth: 0)
        if target == .null {
            guard collection.kind.isDictionary else {
                throw located(InvalidValue(.nullNotAllowed, "an element cannot be null"), table, place.property)
            }
            return .null
        }
        let targets = try targetTable(table, place.property)
        try noteLink(target, targets, from: place.object, table, place.property, isAdded: true)
        return collection.kind.isDictionary ? .link(targets.key, target) : .int(target.value)
    }

    /// Removes the links and embedded objects of an element that is no longer in its collection.
    func forgetElement(_ value: MixedValue, of place: CollectionPlace) throws {
        let table = try table(at: place.table)
        guard table.constraints[place.property].type == .link else {
            return try forget(value, of: place.object, table, place.property)
        }
        let target: ObjectKey
        switch value {
        case .int(let number): target = ObjectKey(number)
        case .link(_, let key): target = key
        default: return
        }
        try unlink(target, targetTable(table, place.property), from: place.object, table, place.property)
    }

    /// Redirects all links to an object in a list or set of links. Backlinks are left to the caller.
    func replaceElements(
        linkingTo target: ObjectKey, by new: ObjectKey, at place: CollectionPlace
    ) throws {
        let collection = try open(place)
        guard collection.kind.isSet else {
            return try collection.values.changeAll { element in
                if case .int(target.value) = element { .becomes(.int(new.value)) } else { .stays }
            }
        }
        let count = collection.count
        try collection.values.removeAll([target.value])
        guard collection.count < count else { return }
        let (index, isThere) = try collection.position(of: .int(new.value))
        if !isThere { try collection.values.insert(.int(new.value), at: index) }
    }

    // MARK: Removed links

    /// Whether a property of an object is a collection, or a Mixed value that currently holds one.
    func holdsCollection(_ place: CollectionPlace, _ table: MutableTable) throws -> Bool {
        if table.constraints[place.property].collection != nil || collections[place] != nil { return true }
        guard table.constraints[place.property].type == .mixed else { return false }
        let (cluster, row) = try self.place(of: place.object, in: table)
        let column = table.core.columns[place.property]
        return switch try cluster.values(column).value(at: row) {
        case .list, .dictionary: true
        default: false
        }
    }

    /// Removes all links to an object from a collection. Backlinks are left to the caller. The links are only recorded,
    /// so that links to many objects are removed in one pass.
    func removeElements(
        linkingTo target: ObjectKey, of table: MutableTable, at place: CollectionPlace
    ) throws {
        try known(place).noteGone(target, of: table.key)
    }

    /// Removes the recorded links of a collection: elements of lists and sets, and the values of entries.
    private func removeGone(_ collection: CollectionChanges) throws {
        guard !collection.gone.isEmpty else { return }
        let gone = collection.takeGone()
        if case .link = collection.values.type {
            return try collection.values.removeAll(gone.numbers)
        }
        walk = nil
        try collection.values.changeAll { element in
            switch element {
            case .link(let table, let key) where gone.concerns(key, of: table):
                collection.kind.isDictionary ? .becomes(.null) : .goes
            case .list, .dictionary:
                try redirected(element, gone).map { .becomes($0) } ?? .stays
            default: .stays
            }
        }
    }
}

extension CollectionPlace: Comparable {
    static func < (left: CollectionPlace, right: CollectionPlace) -> Bool {
        (left.table, left.object, left.property) < (right.table, right.object, right.property)
    }
}
