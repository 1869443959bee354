package import RealmLayout

/// A table of an `ObjectWriter`, with the constraints of its properties.
package final class TableSession {
    let table: TableWriter
    let objects: ObjectTree
    let properties = UnsharedArray<PropertyConstraint>()
    /// Index of its first column among the columns of the file.
    let firstColumn: Int
    /// Whether objects of the table may contain others of the same table, in which case inner ones end first.
    let containsItself: Bool
    /// Buffers objects that do not arrive in key order.
    var sorter: RowSorter?

    init(_ table: TableWriter, firstColumn: Int, containsItself: Bool, in file: FileWriter) {
        self.table = table
        self.firstColumn = firstColumn
        self.containsItself = containsItself
        objects = table.objects
        for index in table.definition.properties.propertyIndexes {
            properties.append(PropertyConstraint(table, index, in: file))
        }
    }

    /// Appends an object. Its key must be higher than all previous ones.
    func append(_ values: UnsharedArray<MixedValue>, _ key: ObjectKey) throws(WriteError) {
        for (index, column) in objects.columns.enumerated() { try column.append(cell: values[index]) }
        try table.endObject(key)
    }

    /// Appends the buffered objects in key order.
    ///
    /// - Throws: `duplicateKey`.
    func appendSorted() throws(WriteError) {
        guard let sorter else { return }
        self.sorter = nil
        do throws(WriteError) {
            try sorter.forEachRow { key, values throws(WriteError) in
                if objects.lastKey == key.value {
                    throw .misfit(InvalidValue(.duplicateKey, "is there twice").at(objectKey: key))
                }
                try append(values, key)
            }
        } catch {
            throw error.at(table: table.definition.tableName)
        }
    }

    /// Returns the tables whose objects can contain objects of the same table, at any depth, and the tables that
    /// contain such tables.
    static func tablesWithinThemselves(_ file: FileWriter) -> ByTable<Bool> {
        // Tables without remaining parts are removed until none is left.
        var parts = file.tables.mapped { table in
            table.definition.properties.propertyIndexes.compactMap { property -> TablePosition? in
                guard let target = file.target(of: table, property), target.definition.kind == .embedded else {
                    return nil
                }
                return target.position
            }
        }
        var wholes = ByTable<[TablePosition]>(repeating: [], count: parts.count)
        for (whole, targets) in parts.indexed { for target in targets { wholes[target].append(whole) } }
        var counts = parts.mapped(\.count)
        parts.removeAll()
        var free = counts.indices.filter { counts[$0] == 0 }
        var isWithinItself = ByTable(repeating: true, count: counts.count)
        while let table = free.popLast() {
            isWithinItself[table] = false
            for whole in wholes[table] {
                counts[whole] -= 1
                if counts[whole] == 0 { free.append(whole) }
            }
        }
        return isWithinItself
    }
}

/// The facts about a table that each object of an `ObjectWriter` needs.
struct TableFacts: BitwiseCopyable {
    let firstColumn: Int
    let propertyCount: Int
    let hasPrimaryKey: Bool
    /// Whether an object's values are buffered until it ends.
    var waitsForEnd: Bool

    init(_ rules: TableSession) {
        firstColumn = rules.firstColumn
        propertyCount = rules.properties.count
        hasPrimaryKey = rules.table.primaryKey != nil
        waitsForEnd = rules.containsItself || rules.sorter != nil
    }
}

extension LeafBuilder {
    /// Appends the value of an object to its column.
    func append(cell value: MixedValue) throws(WriteError) {
        switch type {
        case .collections:
            if case .list(let root?) = value { append(number: Int64(root.offset)) } else { append(number: 0) }
        case .mixed: try append(value, collectionKey: Int64(count + 1))
        default: try append(typed: value)
        }
    }
}

/// The constraints of a property of a new file.
package struct PropertyConstraint: BitwiseCopyable {
    package let type: StoredPropertyType
    package let isNullable: Bool
    package let collection: CollectionKind?
    /// The encoding of the collection's elements.
    package let elementType: LeafType
    /// The index of the `PendingBacklinks` of its links; negative for properties of types other than link.
    package let ledger: Int
    /// The table of link targets.
    package let target: TablePosition?
    /// Whether the elements are indexed.
    let hasWordsOfElements: Bool

    package init(_ table: TableWriter, _ index: PropertyIndex, in file: FileWriter) {
        let property = table.definition.properties[index]
        type = property.type
        isNullable = property.isNullable
        collection = property.collection
        elementType = property.elementType
        ledger = file.ledger(table, index)?.number ?? -1
        target = file.target(of: table, index)?.position
        hasWordsOfElements = property.collection != nil && property.effectiveIndex(isPrimaryKey: false) != .none
    }

    /// The constraints of an existing property.
    package init(_ property: StoredProperty) {
        type = property.type
        isNullable = property.isNullable
        collection = property.collection
        elementType = PropertyDefinition(property).elementType
        (ledger, target) = (-1, nil)
        hasWordsOfElements = property.collection != nil && property.index != .none
    }

    /// Whether values are neither links, nor Mixed, nor collections.
    package var isScalar: Bool { collection == nil && type != .link && type != .mixed }

    /// Returns the reason why the property cannot hold `value`; nil when it can.
    @inline(__always)
    package func misfit(_ value: MixedValue) -> InvalidValue? {
        collection == nil && fits(value) ? nil : explained(value)
    }

    /// Returns the reason why an element of the collection cannot be `value`; nil when it can.
    package func elementMisfit(_ value: MixedValue) -> InvalidValue? {
        if case .dictionary = collection {
            // Values of dictionaries are Mixed, which has no null patterns.
            switch (type, value) {
            case (.float, .float), (.decimal128, .decimal128): return nil
            default: break
            }
        }
        if hasWordsOfElements, case .string(let view) = value, let misfit = Self.misfit(ofIndexedElement: view.count) {
            return misfit
        }
        return fits(value) ? nil : explained(value, isElement: true)
    }

    /// Maximum size in bytes of an element of an indexed list of strings. Such indexes have levels down to the end of
    /// each element (Spec 80, 90).
    private static let longestIndexedElement = 200

    /// Returns the reason why an element of `count` bytes is too long for an indexed list of strings.
    package static func misfit(ofIndexedElement count: Int) -> InvalidValue? {
        guard count > longestIndexedElement else { return nil }
        return InvalidValue(
            .tooLong, "a string of \(count) bytes; at most \(longestIndexedElement) fit in a list with an index")
    }

    /// Whether the property can hold the value.
    @inline(__always)
    private func fits(_ value: MixedValue) -> Bool {
        switch (type, value) {
        case (.int, .int), (.bool, .bool), (.timestamp, .timestamp), (.objectId, .objectId), (.uuid, .uuid): true
        case (.string, .string(let view)): view.count <= Limits.stringBytes
        case (.binary, .binary(let view)): view.count <= Limits.blobBytes
        case (.float, .float(let bits)): NullPattern.float(bits) != nil
        case (.double, .double(let bits)): NullPattern.double(bits) != nil
        case (.decimal128, .decimal128(let value)): !value.isNullPattern
        case (_, .null): isNullable
        case (.mixed, .list(let root)): root == nil
        case (.mixed, .dictionary(let root)): root == nil
        case (.mixed, .string(let view)): view.count <= Limits.stringBytes
        case (.mixed, .binary(let view)): view.count <= Limits.stringBytes
        case (.mixed, _): true
        default: false
        }
    }

    @inline(never)
    private func explained(_ value: MixedValue, isElement: Bool = false) -> InvalidValue {
        if collection != nil, !isElement { return InvalidValue(.wrongType, "is a collection, not \(value.kindName)") }
        switch (type, value) {
        case (_, .null): return InvalidValue(.nullNotAllowed, "\(isElement ? "an element " : "")cannot be null")
        case (.float, .float), (.double, .double), (.decimal128, .decimal128):
            return InvalidValue(.notRepresentable, "a NaN whose bits mean null in a file")
        case (.string, .string), (.binary, .binary), (.mixed, _):
            return Self.lengthMisfit(value) ?? InvalidValue(.wrongType, "cannot hold \(value.kindName)")
        default: return InvalidValue(.wrongType, "is of type \(type.rawValue), not \(value.kindName)")
        }
    }

    /// Returns the reason why a value is too long for any property.
    package static func lengthMisfit(_ value: MixedValue) -> InvalidValue? {
        switch value {
        case .string(let view) where view.count > Limits.stringBytes:
            InvalidValue(.tooLong, "a string of \(view.count) bytes; at most \(Limits.stringBytes) fit")
        case .binary(let view) where view.count > Limits.blobBytes:
            InvalidValue(.tooLong, "\(view.count) bytes; at most \(Limits.blobBytes) fit")
        default: nil
        }
    }
}

extension MixedValue {
    /// Display name of the value's type.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .int: "an int"
        case .bool: "a bool"
        case .float: "a float"
        case .double: "a double"
        case .string: "a string"
        case .binary: "a binary"
        case .timestamp: "a timestamp"
        case .decimal128: "a decimal128"
        case .objectId: "an objectId"
        case .uuid: "a uuid"
        case .link: "a link"
        case .list: "a list"
        case .dictionary: "a dictionary"
        }
    }
}
