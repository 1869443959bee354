package import RealmCore
package import RealmLayout

// Reading values with the changes so far. If an object's cluster has not been loaded, values come from the base.
// Reading writes nothing, except for collections inside Mixed values.
extension WriteTransaction {
    /// Whether there is an object with a key.
    ///
    /// - Parameter position: the table.
    package func contains(_ key: ObjectKey, inTableAt position: TablePosition) throws(WriteError) -> Bool {
        try guarded {
            guard let table = knownTable(at: position) else { return try stored(key, position) != nil }
            return try table.tree(of: key)?.contains(key) ?? false
        }
    }

    /// Returns the value at the end of a path into a property of an object, with all of its content; nil if there is no
    /// such object.
    ///
    /// - Parameters:
    ///   - position: the table.
    ///   - index: the property in the table's schema.
    ///   - path: the path to the value, at least one step.
    package func value(
        of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex,
        inside path: [NestedStep<String>]
    ) throws(WriteError) -> Value? {
        let snapshot = try snapshot()
        return try WriteError.translating {
            try snapshot.table(at: position).object(key)?.value(of: index, inside: path, isShallow: false)
        }
    }

    /// Returns the value of a property of an object; nil if there is no such object. An embedded object is returned as
    /// a link.
    ///
    /// - Parameters:
    ///   - position: the table.
    ///   - index: the property in the table's schema.
    package func value(
        of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex
    ) throws(WriteError) -> Value? {
        let value = try guarded { () -> Reading in
            guard let table = knownTable(at: position) else {
                return .value(try base.table(at: position).object(key)?.value(of: index))
            }
            guard let (cluster, row) = try table.tree(of: key)?.find(key) else { return .value(nil) }
            let property = table.constraints[index]
            let column = table.core.columns[index]
            if let kind = property.collection {
                let place = CollectionPlace(table: position, object: key, property: index)
                return .init(try collection(kind, at: place, column))
            }
            let values = try cluster.values(column)
            guard property.type != .link else { return .value(link(values.link(at: row), column)) }
            return .init(scalar(values.value(at: row)))
        }
        switch keepingLinks(value) {
        case .value(let value): return value
        case .onlyWritten:
            let snapshot = try snapshot()
            return try WriteError.translating { try snapshot.table(at: position).object(key)?.value(of: index) }
        }
    }

    /// Returns the value of a Mixed property, or one inside it; a collection is returned without its elements.
    ///
    /// - Parameters:
    ///   - key: the object.
    ///   - position: the table.
    ///   - index: the property in the table's schema.
    ///   - path: the path to the value; empty for the value of the property.
    /// - Returns: `value(nil)` if there is none.
    package func shallowValue(
        of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex,
        inside path: [NestedStep<String>]
    ) throws(WriteError) -> Reading {
        guard let last = path.last else {
            let value = try guarded { () -> Reading in
                guard let table = knownTable(at: position) else {
                    let value = try self.base.table(at: position).object(key)?.value(
                        of: index, inside: [], isShallow: true)
                    return .value(value)
                }
                guard let (cluster, row) = try table.tree(of: key)?.find(key) else { return .value(nil) }
                let column = table.core.columns[index]
                let values = try cluster.values(column)
                return .init(shallow(values.value(at: row)))
            }
            return keepingLinks(value)
        }
        let outer = CollectionInProperty(path: path.dropLast(), kind: nil)
        return try element(last, of: key, inTableAt: position, property: index, outer)
    }

    /// Returns the number of elements of a collection; nil if there is no such object or collection.
    package func elementCount(
        of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex,
        _ place: CollectionInProperty
    ) throws(WriteError) -> Int? {
        try guarded {
            try look(key, position, index, place) {
                $0.count
            } nested: { leaves, _ in
                leaves.count
            }
        }
    }

    /// Returns an element of a collection, or the value of an entry; a nested collection is returned without its
    /// elements.
    ///
    /// - Returns: `value(nil)` if there is none; also `onlyWritten` if there is no such object or collection.
    package func element(
        _ step: NestedStep<String>, of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex,
        _ place: CollectionInProperty
    ) throws(WriteError) -> Reading {
        let value = try guarded { () -> Reading? in
            try look(key, position, index, place) { collection in
                let column = try self.table(at: position).core.columns[index]
                guard let found = try collection.position(of: step) else { return .value(nil) }
                return .init(self.element(try collection.values.value(at: found), column))
            } nested: { leaves, space throws(FormatError) in
                guard let value = try leaves.mixed(at: step, in: space) else { return .value(nil) }
                return .init(self.shallow(value))
            }
        }
        return value.map { keepingLinks($0) } ?? .onlyWritten
    }

    // MARK: Helpers

    /// Keeps the current state pinned if a value has links, so that they stay valid as long as the value lives.
    private func keepingLinks(_ value: Reading) -> Reading {
        switch value {
        case .value(.list(let elements)) where elements.isEmpty: break
        case .value(.dictionary(let entries)) where entries.isEmpty: break
        case .value(.link), .value(.list), .value(.set), .value(.dictionary): if base !== origin { pin(base) }
        default: break
        }
        return value
    }

    /// The result of reading: a value, none, or a value that must be written before it can be read.
    package enum Reading {
        case value(Value?)
        case onlyWritten

        fileprivate init(_ value: Value?) { if let value { self = .value(value) } else { self = .onlyWritten } }
    }

    private func stored(_ key: ObjectKey, _ position: TablePosition) throws(FormatError) -> StoredObject? {
        try base.table(at: position).object(key)
    }

    /// Reads a collection in its current state.
    ///
    /// - Parameters:
    ///   - top: called with the collection of a property, or of its Mixed value.
    ///   - nested: called with a collection inside it; changes of these are written at once.
    /// - Returns: nil if there is no such object or collection.
    private func look<R>(
        _ key: ObjectKey, _ position: TablePosition, _ index: PropertyIndex, _ sought: CollectionInProperty,
        top: (CollectionChanges) throws -> R?,
        nested: (inout CollectionLeaves, NodeSpace) throws(FormatError) -> R?
    ) throws -> R? {
        let table = try table(at: position)
        let place = CollectionPlace(table: position, object: key, property: index)
        guard try table.tree(of: key)?.contains(key) ?? false, try holdsCollection(place, table) else { return nil }
        let collection = try open(place)
        guard let first = sought.path.first else {
            return sought.kind?.isSimilar(to: collection.kind) ?? true ? try top(collection) : nil
        }
        // Reading refuses deeper nesting.
        guard sought.path.count < Limits.nestingDepth else { return nil }
        let space = space
        guard let found = try collection.position(of: first) else { return nil }
        var value = try collection.values.value(at: found)
        for step in sought.path.dropFirst() {
            guard var leaves = try CollectionLeaves(value, in: space),
                let inner = try leaves.mixed(at: step, in: space)
            else { return nil }
            value = inner
        }
        guard sought.kind?.isKind(of: value) ?? true, var leaves = try CollectionLeaves(value, in: space) else {
            return nil
        }
        return try nested(&leaves, space)
    }

    /// Returns a whole collection; nil if an element is a collection.
    private func collection(
        _ kind: CollectionKind, at place: CollectionPlace, _ column: Column
    ) throws -> Value? {
        try edit(place, [], kind) { (collection) -> Value? in
            var values: [Value] = []
            for index in 0..<collection.count {
                let stored = try collection.values.value(at: index)
                switch stored {
                case .list, .dictionary: return nil
                default: break
                }
                guard let value = self.element(stored, column) else { return nil }
                values.append(value)
            }
            switch kind {
            case .list: return .list(values)
            case .set: return .set(values)
            case .dictionary:
                var entries: [DictionaryEntry] = []
                for (index, value) in values.enumerated() {
                    let key = try collection.keys?.value(at: index)
                    entries.append(DictionaryEntry(key: key.flatMap { self.scalar($0) } ?? .null, value: value))
                }
                return .dictionary(entries)
            }
        }
    }

    private func element(_ value: MixedValue, _ column: Column) -> Value? {
        guard case .link = column.elementType, case .int(let number) = value else { return shallow(value) }
        return link(ObjectKey(number), column)
    }

    private func link(_ key: ObjectKey, _ column: Column) -> Value {
        guard key != .null, let position = column.target else { return .null }
        return .link(Link(table: base.table(at: position), objectKey: key))
    }

    /// Returns a value, for collections without elements; nil for bytes that may be in parts.
    private func shallow(_ value: MixedValue) -> Value? {
        switch value {
        case .list: .list([])
        case .dictionary: .dictionary([])
        default: scalar(value)
        }
    }

    /// Returns a value; nil for collections, and for bytes that may be in parts.
    private func scalar(_ value: MixedValue) -> Value? {
        switch value {
        case .binary(let bytes) where bytes.count == 0: nil
        case .link(let table, let key):
            base.position(of: table).map { .link(Link(table: base.table(at: $0), objectKey: key)) } ?? .null
        default: Value(scalar: value)
        }
    }
}
