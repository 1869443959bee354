package import RealmLayout

// Properties of the open object.
extension ObjectWriter {
    /// Sets a property that is neither a link nor a collection. `.null` is allowed for links too.
    ///
    /// - Throws: `wrongType`, `nullNotAllowed`, `tooLong`, `notRepresentable`, `duplicateValue`.
    package func set(_ property: PropertyIndex, _ value: MixedValue) throws(WriteError) {
        if let misfit = rules(property).misfit(value) { throw located(misfit, property) }
        guard case .link(let table, let key) = value else { return try put(property, value) }
        try checkMixedLink(property, table)
        try put(property, value)
        addMixedLink(property, table, key)
    }

    /// Sets a property to null.
    ///
    /// - Throws: The errors of `set(_:_:)`.
    package func setNull(_ property: PropertyIndex) throws(WriteError) {
        let rules = rules(property)
        let isDone =
            rules.isNullable && rules.collection == nil
            && append(property) { column in
                column.appendNull()
                return true
            }
        if !isDone { try set(property, .null) }
    }

    /// Sets a property of integers.
    ///
    /// - Throws: The errors of `set(_:_:)`.
    package func set(_ property: PropertyIndex, int number: Int64) throws(WriteError) {
        let isDone = append(property) { column in
            switch column.type {
            case .int(nullable: false): column.append(number: number)
            case .int: column.append(nullable: number)
            default: return false
            }
            return true
        }
        if !isDone { try set(property, .int(number)) }
    }

    /// Sets a property of bools.
    package func set(_ property: PropertyIndex, bool value: Bool) throws(WriteError) {
        let isDone = append(property) { column in
            guard case .bool = column.type else { return false }
            column.append(number: value ? 1 : 0)
            return true
        }
        if !isDone { try set(property, .bool(value)) }
    }

    /// Sets a property of doubles.
    package func set(_ property: PropertyIndex, doubleBits bits: UInt64) throws(WriteError) {
        let isDone = append(property) { column in
            guard case .double = column.type, bits != NullPattern.double else { return false }
            column.append(number: Int64(bitPattern: bits))
            return true
        }
        if !isDone { try set(property, .double(bits: bits)) }
    }

    /// Sets a property of strings.
    package func set(_ property: PropertyIndex, string view: ByteView) throws(WriteError) {
        let isDone = append(property) { column in
            guard case .string = column.type, view.count <= BytesForm.longestMediumString else { return false }
            column.append(mediumString: view)
            return true
        }
        if !isDone { try set(property, .string(view)) }
    }

    /// Sets a property of timestamps.
    package func set(_ property: PropertyIndex, time: Timestamp) throws(WriteError) {
        let isDone = append(property) { column in
            guard case .timestamp = column.type else { return false }
            column.append(time)
            return true
        }
        if !isDone { try set(property, .timestamp(time)) }
    }

    /// Sets a property of decimals.
    package func set(_ property: PropertyIndex, decimal value: Decimal128Bits) throws(WriteError) {
        let isDone = append(property) { column in
            guard case .decimal128 = column.type, !value.isNullPattern else { return false }
            column.append(value)
            return true
        }
        if !isDone { try set(property, .decimal128(value)) }
    }

    /// Sets a property of ObjectIds.
    package func set(_ property: PropertyIndex, objectId view: ByteView) throws(WriteError) {
        let isDone = append(property) { column in
            guard case .objectId = column.type else { return false }
            column.append(fixed: view)
            return true
        }
        if !isDone { try set(property, .objectId(view)) }
    }

    /// Sets a link. An unresolved key refers to a tombstone.
    package func set(_ property: PropertyIndex, link key: ObjectKey) throws(WriteError) {
        let ledger = properties[column(property)].ledger
        guard ledger >= 0, properties[column(property)].collection == nil else {
            throw located(InvalidValue(.wrongType, "is not a link"), property)
        }
        let isDone = append(property) { column in
            guard case .link = column.type else { return false }
            column.append(link: key)
            return true
        }
        if !isDone { try put(property, .link(.null, key)) }
        links.append(PendingLink(ledger: ledger, target: key))
    }

    /// Whether a property of the open object already has a value.
    package func hasValue(_ property: PropertyIndex) -> Bool {
        guard object.row >= 0 else { return withFrame { $0.hasValue(property) } }
        return columns.with(column(property)) { $0.count > object.row } || isLate(property)
    }

    /// Returns the first property of the open object, from `start` on, that requires a value but has none.
    @inline(__always)
    package func firstMissing(from start: PropertyIndex = PropertyIndex(0)) -> PropertyIndex? {
        object.setCount < object.propertyCount ? findMissing(from: start) : nil
    }

    @inline(never)
    private func findMissing(from start: PropertyIndex) -> PropertyIndex? {
        for property in start..<PropertyIndex(object.propertyCount) {
            let rules = rules(property)
            if !rules.isNullable, rules.collection == nil, !hasValue(property) { return property }
        }
        return nil
    }

    // MARK: Placing values

    /// Returns the index of the column of a property of the open object.
    @inline(__always)
    private func column(_ property: PropertyIndex) -> Int {
        precondition(property.number >= 0 && property.number < object.propertyCount, "no property of the object")
        return object.firstColumn &+ property.number
    }

    /// Returns the constraint of a property of the open object.
    @inline(__always)
    func rules(_ property: PropertyIndex) -> PropertyConstraint { properties[column(property)] }

    /// Calls `body` with the column of a property, if the property has no value and values are not deferred.
    ///
    /// - Returns: Whether `body` appended the value.
    @inline(__always)
    private func append(_ property: PropertyIndex, _ body: (LeafBuilder) -> Bool) -> Bool {
        let isDone = columns.with(column(property)) { column in column.count == object.freeRow && body(column) }
        if isDone { object.setCount &+= 1 }
        return isDone
    }

    func put(_ property: PropertyIndex, _ value: MixedValue) throws(WriteError) {
        let isNew =
            object.row < 0 ? withFrame { $0.put(property, value) } : try putInRow(property, value)
        guard isNew else { throw located(InvalidValue(.duplicateValue, "is there twice"), property) }
        object.setCount &+= 1
    }

    func putCollection(_ property: PropertyIndex, _ root: Ref?) throws(WriteError) {
        let isDone = append(property) { column in
            guard case .collections = column.type else { return false }
            column.append(number: Int64(root?.offset ?? 0))
            return true
        }
        if !isDone { try put(property, .list(root)) }
    }

    private func putInRow(_ property: PropertyIndex, _ value: MixedValue) throws(WriteError) -> Bool {
        try columns.with(column(property)) { column throws(WriteError) in
            guard column.count == object.row, !isLate(property) else { return false }
            if DeferredValue.isLate(value) {
                keep(DeferredValue(property: property, value: value))
            } else {
                try column.append(cell: value)
            }
            return true
        }
    }

    /// Whether a value of the property is deferred.
    private func isLate(_ property: PropertyIndex) -> Bool {
        var index = lateValues.count
        while index > object.firstLateValue, lateValues[index - 1].property >= property {
            if lateValues[index - 1].property == property { return true }
            index -= 1
        }
        return false
    }

    /// Defers a value until the end of the object, in property order.
    private func keep(_ late: DeferredValue) {
        object.freeRow = -1
        lateValues.append(late)
        var index = lateValues.count - 1
        while index > object.firstLateValue, lateValues[index - 1].property > late.property {
            lateValues[index] = lateValues[index - 1]
            index -= 1
        }
        lateValues[index] = late
    }

    // MARK: Links of Mixed values

    func checkMixedLink(_ property: PropertyIndex, _ table: TableKey) throws(WriteError) {
        guard table.value < UInt32(tables.count) else {
            throw located(InvalidValue(.noSuchTable, "a link to the table \(table), which does not exist"), property)
        }
    }

    func addMixedLink(_ property: PropertyIndex, _ table: TableKey, _ key: ObjectKey) {
        let ledger = file.tables[TablePosition(Int(table.value))].ledger(from: object.table, property)
        links.append(PendingLink(ledger: ledger.number, target: key))
    }

    @inline(never)
    func located(_ misfit: InvalidValue, _ property: PropertyIndex) -> WriteError {
        let definition = file.tables[object.table].definition
        return .misfit(misfit.at(table: definition.tableName, property: definition.properties[property].name))
    }
}
