package import RealmLayout
package import RealmReader
package import RealmWriter

// Values as they are with the changes so far. Where an object's cluster was not touched they are those of the base; nothing is
// written for a look at one, but for collections inside of Mixed values.
extension WriteTransaction {
    /// Whether there is an object.
    ///
    /// - Parameter position: the table.
    package func contains(_ key: ObjectKey, inTableAt position: TablePosition) throws(WriteError) -> Bool {
        try guarded { () throws(WriteError) in
            guard let table = knownTable(at: position) else { return try stored(key, position) != nil }
            return try table.tree(of: key)?.contains(key) ?? false
        }
    }

    /// The value of a property of an object; nil where there is no such object. An embedded object is given as a link.
    ///
    /// - Parameters:
    ///   - position: the table.
    ///   - index: of the property in the table's schema.
    package func value(
        of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex
    ) throws(WriteError) -> Value? {
        let value = try guarded { () throws(WriteError) -> Reading in
            guard let table = knownTable(at: position) else {
                let value = try checked { () throws(FormatError) in
                    try self.base.table(at: position).object(key)?.value(of: index)
                }
                return .value(value)
            }
            guard let (cluster, row) = try table.tree(of: key)?.find(key) else { return .value(nil) }
            let property = table.constraints[index]
            let column = table.core.columns[index]
            if let kind = property.collection {
                let place = CollectionPlace(table: position, object: key, property: index)
                return .init(try collection(kind, at: place, column))
            }
            let values = try checked { () throws(FormatError) in try cluster.values(column) }
            guard property.type != .link else { return .value(link(values.link(at: row), column)) }
            return .init(scalar(values.value(at: row)))
        }
        switch value {
        case .value(let value): return keepingLinks(value)
        case .onlyWritten:
            let snapshot = try snapshot()
            return try checked { () throws(FormatError) in
                try snapshot.table(at: position).object(key)?.value(of: index)
            }
        }
    }

    /// The number of elements of a list, set or dictionary property; nil where there is no such object.
    package func elementCount(
        of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex
    ) throws(WriteError) -> Int? {
        try guarded { () throws(WriteError) in
            guard let (kind, place) = try collectionPlace(key, position, index: index) else { return nil }
            return try edit(place, [], kind.builderKind) { collection in collection.count }
        }
    }

    /// An element of a list or set, or the value of an entry; nil where there is none, or where it is a collection itself.
    package func element(
        at element: Int, of key: ObjectKey, inTableAt position: TablePosition, property index: PropertyIndex
    ) throws(WriteError) -> Value? {
        try guarded { () throws(WriteError) in
            guard let (kind, place) = try collectionPlace(key, position, index: index) else { return nil }
            let column = try table(at: position).core.columns[index]
            return try edit(place, [], kind.builderKind) { collection throws(WriteError) in
                guard element >= 0, element < collection.count else { return nil }
                let stored = try checked { () throws(FormatError) in try collection.values.value(at: element) }
                return keepingLinks(self.element(stored, column))
            }
        }
    }

    /// The list of an object that is inside of a Mixed value: ints of the path are indexes, strings are keys.
    package func list(_ object: ObjectReference, _ property: String, path: [NewValue]) -> TransactionList {
        TransactionList(handle: handle(object, property, path))
    }

    /// The dictionary of an object that is inside of a Mixed value, as `list`.
    package func dictionary(_ object: ObjectReference, _ property: String, path: [NewValue]) -> TransactionDictionary {
        TransactionDictionary(handle: handle(object, property, path))
    }

    // MARK: Parts

    /// A value, whose links lead to objects as they are now for as long as somebody has it.
    private func keepingLinks(_ value: Value?) -> Value? {
        switch value {
        case .link, .list, .set, .dictionary: if base !== origin { pin(base) }
        default: break
        }
        return value
    }

    private func handle(_ object: ObjectReference, _ property: String, _ path: [NewValue]) -> CollectionHandle {
        let steps = path.map { step -> CollectionStep in
            if case .int(let index) = step { .index(Int(index)) } else { .key(step) }
        }
        return CollectionHandle(transaction: self, object: object, property: property, steps: steps)
    }

    /// What was found: a value, nothing, or what has to be written before it can be read.
    private enum Reading {
        case value(Value?)
        case onlyWritten

        init(_ value: Value?) { if let value { self = .value(value) } else { self = .onlyWritten } }
    }

    private func stored(_ key: ObjectKey, _ position: TablePosition) throws(WriteError) -> StoredObject? {
        try checked { () throws(FormatError) in try self.base.table(at: position).object(key) }
    }

    private func collectionPlace(
        _ key: ObjectKey, _ position: TablePosition, index: PropertyIndex
    ) throws(WriteError) -> (CollectionKind, CollectionPlace)? {
        let table = try table(at: position)
        guard let kind = table.constraints[index].collection,
            try table.tree(of: key)?.contains(key) ?? false
        else { return nil }
        return (kind, CollectionPlace(table: position, object: key, property: index))
    }

    /// A whole collection; nil where one of its elements is one.
    private func collection(
        _ kind: CollectionKind, at place: CollectionPlace, _ column: Column
    ) throws(WriteError) -> Value? {
        try edit(place, [], kind.builderKind) { collection throws(WriteError) -> Value? in
            var values: [Value] = []
            for index in 0..<collection.count {
                let stored = try checked { () throws(FormatError) in try collection.values.value(at: index) }
                guard let value = self.element(stored, column) else { return nil }
                values.append(value)
            }
            switch kind {
            case .list: return .list(values)
            case .set: return .set(values)
            case .dictionary:
                var entries: [DictionaryEntry] = []
                for (index, value) in values.enumerated() {
                    let key = try checked { () throws(FormatError) in try collection.keys?.value(at: index) }
                    entries.append(DictionaryEntry(key: key.flatMap { self.scalar($0) } ?? .null, value: value))
                }
                return .dictionary(entries)
            }
        }
    }

    private func element(_ value: MixedValue, _ column: Column) -> Value? {
        guard case .link = column.elementType, case .int(let number) = value else { return scalar(value) }
        return link(ObjectKey(number), column)
    }

    private func link(_ key: ObjectKey, _ column: Column) -> Value {
        guard key != .null, let position = column.target else { return .null }
        return .link(Link(table: base.table(at: position), objectKey: key))
    }

    /// A value that is no collection; nil for one, and for bytes that may be in parts.
    private func scalar(_ value: MixedValue) -> Value? {
        switch value {
        case .null: .null
        case .int(let number): .int(number)
        case .bool(let truth): .bool(truth)
        case .float(let bits): .float(Float(bitPattern: bits))
        case .double(let bits): .double(Double(bitPattern: bits))
        case .string(let bytes): bytes.string.map { .string($0) } ?? .malformedString(bytes.bytes)
        case .binary(let bytes): bytes.count == 0 ? nil : .binary(bytes.bytes)
        case .timestamp(let time): .timestamp(time)
        case .decimal128(let number): .decimal128(number)
        case .objectId(let bytes): .objectId(ObjectID(bytes))
        case .uuid(let bytes): .uuid(UUIDBytes(bytes))
        case .link(let table, let key):
            base.position(of: table).map { .link(Link(table: base.table(at: $0), objectKey: key)) } ?? .null
        case .list, .dictionary: nil
        }
    }
}

extension CollectionKind {
    fileprivate var builderKind: CollectionBuilder.Kind {
        switch self {
        case .list: .list
        case .set: .set
        case .dictionary: .dictionary
        }
    }
}
