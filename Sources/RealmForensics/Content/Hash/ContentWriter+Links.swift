internal import RealmCore
internal import RealmLayout
internal import RealmStorage

extension ContentWriter {
    /// Appends a link to an object of the table at `position`, or the object itself if it is embedded and counts with
    /// its owner.
    @inline(__always)
    mutating func writeLink(to key: ObjectKey, in position: TablePosition, depth: Int) throws(FormatError) {
        guard plan.identity == .primaryKey else { return writeKey(key, in: position) }
        try writeIdentity(of: key, in: position, depth: depth)
    }

    /// Appends a link by object key.
    @inline(__always)
    private mutating func writeKey(_ key: ObjectKey, in position: TablePosition) {
        append(.link)
        bytes.append(plan.tableNames[position])
        bytes.append(key.value)
    }

    @inline(never)
    private mutating func writeIdentity(
        of key: ObjectKey, in position: TablePosition, depth: Int
    ) throws(FormatError) {
        let table = plan.tables[position]
        if table.isEmbedded, !key.isUnresolved {
            guard let place = try targets.place(of: key, in: position) else { return writeKey(key, in: position) }
            return try writeEmbedded(key, place, position, depth: depth)
        }
        guard let primaryField = table.primaryField else { return writeKey(key, in: position) }
        if key.isUnresolved {
            guard let found = try table.core.tombstones?.find(key) else { return writeKey(key, in: position) }
            append(.deletedByPrimaryKey)
            bytes.append(plan.tableNames[position])
            let leaf = try found.cluster.leaf(of: primaryField.column, in: space)
            return try writePrimaryKey(OpenField(primaryField, leaf), found.row)
        }
        guard let place = try targets.place(of: key, in: position) else { return writeKey(key, in: position) }
        append(.linkByPrimaryKey)
        bytes.append(plan.tableNames[position])
        try writePrimaryKey(place.fields[0], place.row)
    }

    /// Appends a primary key, which many links may share.
    private mutating func writePrimaryKey(_ field: OpenField, _ row: Int) throws(FormatError) {
        let start = bytes.count
        // Charged as repeated content rather than as content that occurs once.
        let before = budget
        try write(field, row, depth: 1)
        budget = before
        try pay(forRepeated: bytes.count - start, at: field.leaf.ref)
    }

    private mutating func writeEmbedded(
        _ key: ObjectKey, _ place: ContentTargets.Place, _ position: TablePosition, depth: Int
    ) throws(FormatError) {
        let depth = try inside(depth, at: nil)
        // Each visit costs one unit for each property, plus one.
        try budget.spend(place.fields.count + 1, at: Ref(0))
        append(.embedded)
        bytes.append(plan.tableNames[position])
        let outerNesting = nesting
        nesting = 0
        for index in place.fields.indices {
            do throws(FormatError) {
                try write(place.fields[index], place.row, depth: depth)
            } catch {
                let schema = plan.tables[position].schema
                let property = schema.properties[plan.tables[position].fields[index].property]
                throw error.at(table: schema.tableName, property: property.name, objectKey: key)
            }
        }
        nesting = outerNesting
    }
}
