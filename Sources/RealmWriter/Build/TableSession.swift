package import RealmLayout
package import RealmReader

/// A table of an `ObjectWriter`, and what its properties may hold.
package final class TableSession {
    let table: TableWriter
    let objects: ObjectTree
    let properties = UnsharedArray<PropertyConstraint>()
    /// The first of its columns among those of the file.
    let firstColumn: Int
    /// Whether objects of the table may be parts of others of it: the inner one ends first then.
    let containsItself: Bool
    /// Keeps objects that do not come in the order of their keys.
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

    /// Appends an object. Its key is higher than those before.
    func append(_ values: UnsharedArray<MixedValue>, _ key: ObjectKey) throws(WriteError) {
        for (index, column) in objects.columns.enumerated() { try column.append(cell: values[index]) }
        try table.endObject(key)
    }

    /// Appends the objects that were kept, in the order of their keys.
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

    /// The tables whose objects can be parts of objects of the same table, at any depth; others as well that contain such.
    static func tablesWithinThemselves(_ file: FileWriter) -> ByTable<Bool> {
        // Tables without open parts are taken away until none is left.
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

/// What each object of an `ObjectWriter` needs to know of its table.
struct TableFacts: BitwiseCopyable {
    let firstColumn: Int
    let propertyCount: Int
    let hasPrimaryKey: Bool
    /// Whether values of an object wait until it ends.
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

/// What a property of a new file may hold.
package struct PropertyConstraint: BitwiseCopyable {
    package let type: StoredPropertyType
    package let isNullable: Bool
    package let collection: CollectionKind?
    /// How elements of collections are stored.
    package let elementType: LeafType
    /// The number of the ledger of its links; negative for properties of other types than link.
    package let ledger: Int
    /// The table that links lead to.
    let target: TablePosition?
    /// Whether an index is made of the elements.
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

    /// The constraints of a property that is there.
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

    /// Why the property cannot have `value`; nil when it can.
    @inline(__always)
    package func misfit(_ value: MixedValue) -> InvalidValue? {
        collection == nil && fits(value) ? nil : explained(value)
    }

    /// Why an element of the collection cannot have `value`.
    package func elementMisfit(_ value: MixedValue) -> InvalidValue? {
        if case .dictionary = collection {
            // Values of dictionaries are Mixed, in which nothing looks like null.
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

    /// Bytes of an element of a list of strings that has an index: whose levels go on to the end of each (Spec 80, 90).
    private static let longestIndexedElement = 200

    /// Why an element of so many bytes is too long for a list of strings that has an index.
    package static func misfit(ofIndexedElement count: Int) -> InvalidValue? {
        guard count > longestIndexedElement else { return nil }
        return InvalidValue(
            .tooLong, "a string of \(count) bytes; at most \(longestIndexedElement) fit in a list with an index")
    }

    /// Whether nothing speaks against the value.
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

    /// Why a value is too long for any place.
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
    /// What the value is, for people.
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
