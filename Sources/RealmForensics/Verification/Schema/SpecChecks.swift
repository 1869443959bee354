internal import RealmCore
internal import RealmLayout

/// Checks the description of a table's columns (S02 to S07, S09, S10, S14; Spec 60).
struct SpecChecks {
    let schema: SchemaChecks
    /// The arrays of the table's top; those of the spec are read by this check.
    let topArrays: SpecArrays
    let top: Ref

    private var scope: SnapshotScope { schema.scope }

    /// The parts of a spec.
    private struct Parts {
        let ref: Ref
        let arrays: SpecArrays
        let names: ColumnLeaf?
        /// The number of columns with a name: all but the backlinks at the end.
        let publicCount: Int
    }

    /// The readable columns; nil when it is unknown which columns exist.
    func columns(at ref: Ref) -> [CheckedColumn]? {
        guard let parts = parts(at: ref) else { return nil }
        var columns: [CheckedColumn] = []
        var indexes: Set<ColumnIndex> = []
        var names: Set<[UInt8]> = []
        for position in 0..<parts.arrays.count {
            guard let column = column(position, parts) else { continue }
            if !indexes.insert(column.key.index).inserted {
                schema.report(.columnKey, ref, in: column.name, "two columns have the index \(column.key.index)")
                continue
            }
            if !column.isBacklink, !names.insert(Array(column.name.utf8)).inserted {
                schema.report(.columnName, as: .error, ref, in: column.name, "two columns have the name \(column.name)")
            }
            columns.append(column)
        }
        return columns
    }

    private func parts(at ref: Ref) -> Parts? {
        guard let spec = scope.record(ref, of: SpecSlot.self) else {
            schema.report(.specCount, ref, "the spec cannot be read")
            return nil
        }
        if spec.count != SpecSlot.allCases.count {
            schema.report(.specCount, ref, "the spec has \(spec.count) elements, expected \(SpecSlot.allCases.count)")
        } else if spec[.vacant] != .empty {
            schema.report(.specCount, as: .warning, ref, "element 3 of the spec, which has no meaning, is not 0")
        }
        if let number = spec.number(.enumKeys) {
            schema.report(.specCount, ref, "the number \(number) where the lists of distinct strings should be")
        }
        func array(_ slot: SpecSlot) -> IntegerVector? { spec.ref(slot).flatMap { scope.integers($0) } }
        guard let types = array(.types), let attributes = array(.attributes), let keys = array(.columnKeys),
            keys.count <= Limits.columns, scope.spendColumns(keys.count)
        else {
            schema.report(.specParallel, ref, "types, attributes or keys of the columns cannot be read")
            return nil
        }
        guard types.count == keys.count, attributes.count == keys.count else {
            schema.report(
                .specParallel, ref, "\(types.count) types, \(attributes.count) attributes, \(keys.count) column keys")
            return nil
        }
        var arrays = topArrays
        (arrays.types, arrays.attributes, arrays.keys) = (types, attributes, keys)
        arrays.distinctStrings = array(.enumKeys) ?? .empty
        let isBacklink = (0..<arrays.count).map { arrays.key($0).typeNumber == ColumnType.backLink.rawValue }
        let publicCount = (isBacklink.lastIndex(of: false) ?? -1) + 1
        if isBacklink[..<publicCount].contains(true) {
            schema.report(.specParallel, ref, "a column of backlinks comes before other columns")
        }
        if let leaf = spec.ref(.names) { scope.stringLeaves.append(leaf) }
        return Parts(ref: ref, arrays: arrays, names: names(spec, publicCount, ref), publicCount: publicCount)
    }

    private func names(_ spec: RecordSlots<SpecSlot>, _ expected: Int, _ ref: Ref) -> ColumnLeaf? {
        guard let names = spec.ref(.names).flatMap({ scope.leaf($0, as: .string) }) else {
            schema.report(.specParallel, ref, "the column names cannot be read")
            return nil
        }
        if names.count != expected {
            schema.report(.specParallel, ref, "\(names.count) names for \(expected) columns")
        }
        return names
    }

    private func column(_ position: Int, _ parts: Parts) -> CheckedColumn? {
        let key = parts.arrays.key(position)
        let name = name(position, parts, key)
        guard var record = parts.arrays.column(position), isReleased(record.type) else {
            schema.report(
                .columnType, parts.ref, in: name, "the column has the type \(key.typeNumber), unknown in this format")
            return nil
        }
        if scope.format < record.type.firstFormat {
            schema.report(
                .columnType, as: .info, parts.ref, in: name,
                "the column has the type \(record.type), which came with format \(record.type.firstFormat)")
        }
        checkKey(record, specType: parts.arrays.rawType(position), name, parts.ref)
        checkAttributes(record, name, parts.ref)
        let keyType = record.dictionaryKeyNumber
        if record.attributes.contains(.dictionary), DictionaryKeyType(rawValue: Int(truncatingIfNeeded: keyType)) == nil
        {
            schema.report(
                .dictionaryKeyType, parts.ref, in: name, "the keys of the dictionary have the type \(keyType)")
            record.dictionaryKeyNumber = Int64(DictionaryKeyType.string.rawValue)
        }
        return CheckedColumn(
            position: position, name: name, record, distinct: distinct(record, name, parts.ref),
            index: index(record, name))
    }

    private func name(_ position: Int, _ parts: Parts, _ key: ColumnKey) -> String {
        guard position < parts.publicCount else { return "backlinks \(key.index)" }
        guard let names = parts.names, position < names.count else { return "column \(key.index)" }
        let name: ByteView
        do throws(FormatError) {
            name = try names.string(at: position, in: scope.space) ?? .empty
        } catch {
            schema.report(.columnName, as: .error, parts.ref, "the name of column \(position) cannot be read")
            return "column \(key.index)"
        }
        let shown = name.repairedString
        if name.count == 0 { schema.report(.columnName, parts.ref, in: shown, "column \(position) has no name") }
        if name.count > Limits.nameBytes {
            schema.report(.columnName, parts.ref, in: shown, "the name of a column has \(name.count) bytes")
        }
        if !name.isValidUTF8 {
            schema.report(.columnName, parts.ref, in: shown, "the name of a column is not valid UTF-8")
        }
        return shown
    }

    /// Whether the type was released for the format. Core 10 wrote types that officially came later into files of
    /// format 20, and its pre-releases wrote those of 20 into files of 10 and 11.
    private func isReleased(_ type: ColumnType) -> Bool {
        switch type {
        case .int, .bool, .string, .binary, .timestamp, .float, .double, .link, .backLink: true
        case .linkList: scope.format.number < 24
        case .decimal128, .objectId: true
        case .mixed, .uuid: scope.format.number >= 20
        case .typedLink, .list, .set, .dictionary: false
        }
    }

    /// All known attributes.
    private static let attributes = ColumnAttributes.named.reduce(into: ColumnAttributes()) { $0.formUnion($1.value) }

    private func checkKey(_ column: ColumnRecord, specType rawType: Int64, _ name: String, _ ref: Ref) {
        let (key, type, attributes) = (column.key, column.type, column.marks)
        let specType = Int(truncatingIfNeeded: rawType & 0xFFFF)
        // The upgrade to 24 turns link lists into lists of links, but only in column keys.
        let isUpgraded = specType == ColumnType.linkList.rawValue && type == .link
        if specType != type.rawValue, !isUpgraded {
            schema.report(
                .columnKey, ref, in: name, "the column key has the type \(type.rawValue), the spec \(specType)")
        }
        let shared: ColumnAttributes = [.nullable, .list, .dictionary, .set]
        if key.attributes.intersection(shared) != attributes.intersection(shared) {
            schema.report(
                .columnKey, ref, in: name,
                "the column key has the attributes \(key.attributes.rawValue), the spec \(attributes.rawValue)")
        }
        if !attributes.isSubset(of: Self.attributes) {
            schema.report(
                .columnAttributes, ref, in: name, "the column has the unknown attributes \(attributes.rawValue)")
        }
        if key.value < 0 || key.value >> 62 != 0 {
            schema.report(.columnKey, ref, in: name, "the column key \(key) is not valid")
        }
    }

    private func checkAttributes(_ column: ColumnRecord, _ name: String, _ ref: Ref) {
        let (type, attributes) = (column.type, column.attributes)
        let kinds = [ColumnAttributes.list, .set, .dictionary].filter { attributes.contains($0) }
        if kinds.count > 1 {
            schema.report(.columnAttributes, ref, in: name, "the column has several kinds of collection")
        }
        if type == .backLink, !attributes.isDisjoint(with: [.nullable, .list, .set, .dictionary]) {
            schema.report(.columnAttributes, ref, in: name, "a column of backlinks has attributes of values")
        }
        if attributes.contains(.reserved) || attributes.contains(.strongLinks) && type != .link && type != .linkList {
            schema.report(
                .columnAttributes, as: .warning, ref, in: name, "the column has an attribute that has no meaning for it"
            )
        }
        if type == .linkList, !attributes.contains(.list) {
            schema.report(.columnAttributes, ref, in: name, "a list of links without the attribute of lists")
        }
        if scope.format.number < 21, !attributes.isDisjoint(with: [.set, .dictionary]) {
            schema.report(
                .columnAttributes, as: scope.format.number == 20 ? .info : nil, ref, in: name,
                "a set or dictionary, which came with format 21")
        }
    }

    private func index(_ column: ColumnRecord, _ name: String) -> Ref? {
        if let number = column.searchIndex.number {
            schema.report(.indexSlots, top, in: name, "the number \(number) where the search index should be")
        }
        return column.searchIndex.ref
    }

    private func distinct(_ column: ColumnRecord, _ name: String, _ spec: Ref) -> ColumnLeaf? {
        guard column.distinctStrings != .empty else { return nil }
        guard let ref = column.distinctStrings.ref, column.type == .string, column.collection == nil else {
            schema.report(
                .distinctStrings, spec, in: name, "a column of another type has a list of distinct strings")
            return nil
        }
        if let node = scope.node(ref), node.isKeptList { return nil }
        guard let leaf = scope.leaf(ref, as: .string) else {
            schema.report(.distinctStrings, ref, in: name, "the distinct strings of the column cannot be read")
            return nil
        }
        checkDistinct(leaf, ref, name)
        scope.stringLeaves.append(ref)
        return leaf
    }

    private func checkDistinct(_ leaf: ColumnLeaf, _ ref: Ref, _ name: String) {
        // With width 0 all strings are null, for any claimed number.
        guard leaf.count <= scope.root.logicalSize else { return }
        do throws(FormatError) {
            guard let index = try repeated(leaf) else { return }
            // In a list that an upgrade kept from before format 10, the null flags are inverted (Spec 30).
            if leaf.encoding == .mediumStrings, let old = scope.leaf(ref, as: .legacyString(nullable: true)),
                try repeated(old) == nil
            {
                return
            }
            schema.report(.distinctStrings, ref, in: name, "the distinct string \(index) is there twice")
        } catch {
            schema.report(.distinctStrings, ref, in: name, "a distinct string cannot be read: \(error.detail)")
        }
    }

    /// The index of the first duplicate string.
    private func repeated(_ leaf: ColumnLeaf) throws(FormatError) -> Int? {
        var seen: Set<[UInt8]?> = []
        for index in 0..<leaf.count {
            guard seen.insert(try leaf.string(at: index, in: scope.space)?.bytes).inserted else { return index }
        }
        return nil
    }
}
