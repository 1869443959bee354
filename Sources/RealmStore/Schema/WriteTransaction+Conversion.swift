public import RealmCore
internal import RealmLayout

// Changing the types and the optionality of properties.
extension WriteTransaction {
    /// Sets whether values of a property may be null; for a collection, whether its elements may.
    ///
    /// The property moves to the end of its class. A primary key stays one.
    ///
    /// - Parameter value: replaces nulls that are no longer allowed; nil if there are none.
    /// - Throws: `WriteError`: `nullNotAllowed` with their number if there are nulls and no replacement; `badSchema`
    ///   for links and Mixed values, whose optionality is fixed.
    public func setOptional(
        _ isOptional: Bool, _ name: String, of className: String, insteadOfNull value: NewValue? = nil
    ) throws(WriteError) {
        try guarded { try convert(name, of: className, to: nil, isOptional, value) }
    }

    /// Changes the type of a property, and converts its values, or the elements of its collections.
    ///
    /// Ints, floats, doubles and decimals keep their value; for floats and doubles it is the nearest one. Booleans are
    /// 0 and 1. Numbers, booleans, ObjectIds and UUIDs are converted to text and back in their written form, and
    /// binaries as UTF-8. Every value can become Mixed, and a Mixed value is converted by its own type. The property
    /// moves to the end of its class. A primary key stays one.
    ///
    /// - Parameters:
    ///   - isOptional: whether values may be null; nil to keep the current setting.
    ///   - value: replaces nulls that are no longer allowed; nil if there are none.
    /// - Throws: `WriteError`: `notRepresentable` with the object if a value cannot be converted; `duplicatePrimaryKey`
    ///   if two objects would have the same primary key; `badSchema` for links; as `setOptional` for nulls.
    public func changeType(
        of name: String, in className: String, to type: StoredPropertyType, isOptional: Bool? = nil,
        insteadOfNull value: NewValue? = nil
    ) throws(WriteError) {
        try guarded { try convert(name, of: className, to: type, isOptional, value) }
    }

    private func convert(
        _ name: String, of className: String, to type: StoredPropertyType?, _ isOptional: Bool?, _ value: NewValue?
    ) throws {
        let table = try schemaTable(className)
        let property = table.schema.properties[try schemaProperty(name, of: table)]
        var wanted = PropertyDefinition(property)
        wanted.type = type ?? property.type
        wanted.isNullable = isOptional ?? property.isNullable
        guard wanted.type != property.type || wanted.isNullable != property.isNullable else { return }
        let place = (table: table.schema.tableName, property: name)
        var schema = definition
        let position = try position(table, in: schema)
        let number = try schemaProperty(name, of: table)
        schema[position].properties[number] = wanted
        let normalized = try sound(schema)[position].properties[number]
        let isForced = isOptional.map { $0 != normalized.isNullable } ?? false
        guard property.type != .link, wanted.type != .link, !isForced else {
            throw InvalidValue(.badSchema, "links and Mixed values have no choice of what they are, or of nulls").at(
                table: place.table, property: name)
        }
        wanted = normalized
        try settle()
        let current = try schemaTable(className)
        let conversion = try ColumnConversion(
            from: current, number, to: wanted, insteadOfNull: value.flatMap { stored($0) }, nodes, bytes)
        try editSchema { edit in
            let table = try edit.table(current.schema.key)
            let old = property.columnKey
            let isPrimary = table.primaryKey == old
            let isMarked = table.columns.first { $0.record.key == old }?.record.marks.contains(.indexed) ?? false
            if isPrimary, !isMarked { wanted.index = .none }
            let new = try edit.add(wanted, to: table, conversion.fill)
            if isPrimary { try table.setPrimaryKey(new) }
            try edit.remove(old, of: table)
        }
    }
}

/// Converts the values of a property to another type.
struct ColumnConversion {
    private let table: TableDescription
    private let property: StoredProperty
    private let column: Column
    private let wanted: PropertyDefinition
    private let constraint: PropertyConstraint
    /// The replacement for nulls; nil if nulls stay, or do not occur.
    private let insteadOfNull: MixedValue?
    private let nodes: NodeOutput
    private let bytes: BytesArena

    /// - Throws: `misfit` if the replacement for nulls does not fit; `nullNotAllowed` if there are nulls and no
    ///   replacement.
    init(
        from table: TableDescription, _ index: PropertyIndex, to wanted: PropertyDefinition,
        insteadOfNull value: MixedValue?,
        _ nodes: NodeOutput, _ bytes: BytesArena
    ) throws {
        (self.table, self.wanted, self.nodes, self.bytes) = (table, wanted, nodes, bytes)
        property = table.schema.properties[index]
        column = table.columns[index]
        constraint = PropertyConstraint(StoredProperty(wanted))
        insteadOfNull = wanted.isNullable ? nil : value
        if let value, let misfit = fit(value) { throw located(misfit) }
        if property.isNullable, !wanted.isNullable, value == nil { try checkNulls() }
    }

    private func fit(_ value: MixedValue) -> InvalidValue? {
        property.collection == nil ? constraint.misfit(value) : constraint.elementMisfit(value)
    }

    private func located(_ misfit: InvalidValue, _ key: ObjectKey? = nil) -> WriteError {
        .misfit(misfit.at(table: table.schema.tableName, property: property.name, objectKey: key))
    }

    /// Converts the values of a cluster.
    func fill(_ cluster: Cluster) throws -> MutableColumn {
        let space = table.objects.space
        let leaf = try cluster.leaf(of: column, in: space)
        let old = try MutableColumn(leaf, column.leafType, in: space)
        let new = MutableColumn(property.collection == nil ? wanted.elementType : .collections)
        for row in 0..<cluster.count {
            let key = cluster.key(unchecked: row)
            if property.collection != nil {
                let root = try Slot(old.numbers[row]).ref.flatMap { try convert(collection: $0, of: key) }
                new.set(row, number: Int64(root?.offset ?? 0))
                continue
            }
            // For a binary in several nodes only the parts are available.
            if property.type == .binary, case .parts = try leaf.scalar(at: row, in: space) {
                throw located(InvalidValue(.tooLong, "a binary of more than 16 MB is not converted"), key)
            }
            new.set(row, try convert(old.value(at: row), of: key))
        }
        return new
    }

    private func convert(_ value: MixedValue, of key: ObjectKey) throws(WriteError) -> MixedValue {
        let new: MixedValue?
        if case .null = value {
            new = wanted.isNullable ? .null : insteadOfNull
        } else {
            new = ValueConversion.convert(value, to: wanted.type, bytes)
        }
        if let new, fit(new) == nil { return new }
        // Tombstones have no values except for their primary key.
        if key.isUnresolved { return wanted.isNullable ? .null : wanted.type.zero }
        if let new, let misfit = fit(new) { throw located(misfit, key) }
        throw located(
            InvalidValue(
                .notRepresentable, "\(ValueConversion.words(value)) cannot be of type \(wanted.type.rawValue)"), key)
    }

    private func convert(collection root: Ref, of key: ObjectKey) throws -> Ref? {
        let space = table.objects.space
        let builder = CollectionBuilder(nodes)
        if case .dictionary(let keyType) = property.collection {
            var budget = WorkBudget(for: space)
            let runs = try DictionaryTree(root: root, keyType: keyType, version: FormatVersion(24), in: space)
                .runs(&budget)
            builder.begin(.dictionary(keyType), of: .mixed)
            try builder.add(entriesOf: runs, in: space) { value throws(WriteError) in
                try WriteError.translating { try convert(value, of: key) }
            }
            return try builder.end()
        }
        builder.begin(property.collection == .set ? .set : .list, of: wanted.elementType)
        var budget = WorkBudget(for: space)
        for leaf in try BPlusTree(root: root, of: column.elementType, in: space).leaves(&budget) {
            let values = try MutableColumn(leaf, column.elementType, in: space)
            for element in 0..<leaf.count { try builder.add(convert(values.value(at: element), of: key)) }
        }
        return try builder.end()
    }

    /// Checks that there are no nulls.
    private func checkNulls() throws {
        var nulls = 0
        var first: ObjectKey?
        let space = table.objects.space
        var cursor = ClusterCursor(table.objects)
        while let cluster = try cursor.next() {
            let values = try MutableColumn(cluster.leaf(of: column, in: space), column.leafType, in: space)
            for row in 0..<cluster.count where try hasNull(values, row) {
                nulls += 1
                first = first ?? cluster.key(unchecked: row)
            }
        }
        guard let first else { return }
        let words = nulls == 1 ? "one object has" : "\(nulls) objects have"
        throw located(InvalidValue(.nullNotAllowed, "\(words) null there, and nothing is given in its place"), first)
    }

    private func hasNull(_ values: MutableColumn, _ row: Int) throws(FormatError) -> Bool {
        func isNull(_ value: MixedValue) -> Bool { if case .null = value { true } else { false } }
        guard property.collection != nil else { return isNull(values.value(at: row)) }
        guard let root = Slot(values.numbers[row]).ref else { return false }
        let space = table.objects.space
        var budget = WorkBudget(for: space)
        var tree = (root, column.elementType)
        if case .dictionary = property.collection {
            tree = (try DictionaryTree.pair(at: root, in: space).values, .mixed)
        }
        for leaf in try BPlusTree(root: tree.0, of: tree.1, in: space).leaves(&budget) {
            let values = try MutableColumn(leaf, tree.1, in: space)
            if (0..<leaf.count).contains(where: { isNull(values.value(at: $0)) }) { return true }
        }
        return false
    }
}
