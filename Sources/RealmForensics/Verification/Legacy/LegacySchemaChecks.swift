internal import RealmCore
internal import RealmLayout

/// Checks the tables of formats 2 to 9 (T, S; Spec 100): their names, tops and specs. Specs of subtables are checked
/// when values are read.
struct LegacySchemaChecks {
    let scope: SnapshotScope

    /// The tables with a readable schema, except those that an upgrade has begun to convert.
    func tables() -> [LegacyCheckedTable] {
        guard let namesRef = scope.root.ref(.tableNames), let tablesRef = scope.root.ref(.tables),
            let tables = scope.refs(tablesRef)
        else { return [] }
        let group = GroupChecks(scope: scope)
        let names = group.legacyNames(namesRef)
        guard group.canHave(tables.count, at: tablesRef, names: names?.count, at: namesRef) else { return [] }
        var models: [LegacyCheckedTable] = []
        for slot in 0..<tables.count {
            guard case .ref(let top) = Slot(tables[unchecked: slot]) else {
                scope.sink.report(
                    .tableSlot, at: tablesRef.offset, in: scope.place, "table slot \(slot) has no table")
                continue
            }
            let name = names.flatMap { slot < $0.count ? $0[slot] : nil } ?? "table \(slot)"
            if let model = TableKeyCheck(scope: scope, name: name, top: top).model() { models.append(model) }
        }
        return models
    }

    /// Checks one table.
    private struct TableKeyCheck {
        private static let attributes: ColumnAttributes = [.indexed, .unique, .reserved, .strongLinks, .nullable]

        let scope: SnapshotScope
        let name: String
        let top: Ref

        private func report(
            _ check: CheckIdentifier, as severity: FindingSeverity? = nil, _ ref: Ref, in property: String? = nil,
            _ message: @autoclosure () -> String
        ) {
            scope.sink.report(check, as: severity, at: ref.offset, in: scope.place(name, property), message())
        }

        func model() -> LegacyCheckedTable? {
            // Unsound nodes are reported by the walk.
            guard let slots = scope.record(top, of: TableTopSlot.self) else { return nil }
            // An interrupted upgrade leaves longer ones.
            guard !slots.has(.primaryKeyColumn) else { return nil }
            guard slots.count == LegacyTableTopSlot.allCases.count,
                let specRef = slots.ref(.spec), let rootsRef = slots.ref(.columns)
            else {
                report(.tableTopCount, top, "the top of the table has not a spec and columns")
                return nil
            }
            guard let spec = scope.record(specRef, of: LegacySpecSlot.self),
                let roots = scope.refs(rootsRef)
            else { return nil }
            guard (LegacySpecSlot.subspecs.rawValue...LegacySpecSlot.allCases.count).contains(spec.count) else {
                report(.specCount, specRef, "the spec has \(spec.count) elements")
                return nil
            }
            guard let columns = columns(spec, specRef, roots, rootsRef) else { return nil }
            return LegacyCheckedTable(name: name, topRef: top, namesRef: spec.ref(.names), columns: columns)
        }

        private func columns(
            _ spec: RecordSlots<LegacySpecSlot>, _ ref: Ref, _ roots: IntegerVector, _ rootsRef: Ref
        ) -> [LegacyCheckedTable.Column]? {
            guard let types = spec.ref(.types).flatMap({ scope.integers($0) }),
                let attributes = spec.ref(.attributes).flatMap({ scope.integers($0) }), types.count <= Limits.columns,
                scope.spendColumns(types.count)
            else {
                report(.specParallel, ref, "types or attributes of the columns cannot be read")
                return nil
            }
            guard types.count == attributes.count else {
                report(.specParallel, ref, "\(types.count) types, \(attributes.count) attributes")
                return nil
            }
            let isIndexed = (0..<types.count).map {
                ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[unchecked: $0])).contains(.indexed)
            }
            let expected = types.count + isIndexed.count { $0 }
            guard roots.count == expected else {
                report(
                    .indexSlots, rootsRef,
                    "\(roots.count) refs for \(types.count) columns and \(expected - types.count) search indexes")
                return nil
            }
            let names = names(spec.ref(.names), types, ref)
            let distincts = spec.ref(.enumKeys).flatMap { scope.refs($0) }
            let details = spec.ref(.subspecs).flatMap { scope.refs($0) }
            var columns: [LegacyCheckedTable.Column] = []
            var (position, enumerated, detail) = (0, 0, 0)
            for index in 0..<types.count {
                let attribute = ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[unchecked: index]))
                let column = names[index]
                if !attribute.isSubset(of: Self.attributes) {
                    report(
                        .columnAttributes, ref, in: column,
                        "the column has the unknown attributes \(attribute.rawValue)")
                }
                checkMeaning(of: attribute, type: types[unchecked: index], ref, column)
                defer { position += isIndexed[index] ? 2 : 1 }
                guard let type = LegacyType(rawValue: Int(truncatingIfNeeded: types[unchecked: index])) else {
                    report(.columnType, ref, in: column, "the column has the unknown type \(types[unchecked: index])")
                    continue
                }
                var subspec: Ref?
                if type == .subtable, case .ref(let ref) = Slot(details?.element(at: detail) ?? 0) { subspec = ref }
                detail += type.targetCount
                var distinct: Ref?
                if type == .enumeratedString {
                    if case .ref(let ref) = Slot(distincts?.element(at: enumerated) ?? 0) { distinct = ref }
                    if distinct == nil {
                        report(.distinctStrings, ref, in: column, "the column has no distinct strings")
                    }
                    enumerated += 1
                }
                guard case .ref(let root) = Slot(roots[unchecked: position]) else {
                    report(.tableTopCount, rootsRef, in: column, "the column has no root")
                    continue
                }
                var searchIndex: Ref?
                if isIndexed[index] {
                    if case .ref(let ref) = Slot(roots[unchecked: position + 1]) { searchIndex = ref }
                    if searchIndex == nil {
                        report(.indexSlots, rootsRef, in: column, "the column is marked as indexed, but has no index")
                    }
                }
                columns.append(
                    LegacyCheckedTable.Column(
                        name: column, type: type, isNullable: attribute.contains(.nullable),
                        isIndexed: isIndexed[index], root: root, index: searchIndex, distinct: distinct,
                        subspec: subspec))
            }
            return columns
        }

        /// Checks that attributes fit each other and the type; attributes that do not fit have no meaning.
        private func checkMeaning(of attributes: ColumnAttributes, type: Int64, _ ref: Ref, _ column: String) {
            var problems: [String] = []
            if attributes.contains(.reserved) { problems.append("an attribute that was never used") }
            if attributes.contains(.unique), !attributes.contains(.indexed) {
                problems.append("unique values, but no search index")
            }
            let links = [LegacyType.link, .linkList].map { Int64($0.rawValue) }
            if attributes.contains(.strongLinks), !links.contains(type) {
                problems.append("strong links, but no links")
            }
            if attributes.contains(.nullable), scope.format.number < 3 {
                problems.append("null, which the format does not have")
            }
            for problem in problems {
                report(.columnAttributes, as: .warning, ref, in: column, "the column is marked for \(problem)")
            }
        }

        /// The names of all columns, with a substitute for missing names.
        private func names(_ leafRef: Ref?, _ types: IntegerVector, _ ref: Ref) -> [String] {
            var names = (0..<types.count).map { "column \($0)" }
            guard let leafRef, let leaf = scope.leaf(leafRef, as: .string) else {
                report(.specParallel, ref, "the column names cannot be read")
                return names
            }
            let isBacklink = (0..<types.count).map { types[unchecked: $0] == Int64(LegacyType.backLink.rawValue) }
            let named = (isBacklink.lastIndex(of: false) ?? -1) + 1
            if isBacklink[..<named].contains(true) {
                report(.specParallel, ref, "a column of backlinks comes before other columns")
            }
            if leaf.count != named { report(.specParallel, ref, "\(leaf.count) names for \(named) columns") }
            for index in 0..<min(leaf.count, named) {
                do throws(FormatError) {
                    guard let name = try leaf.string(at: index, in: scope.space) else { continue }
                    names[index] = name.repairedString
                    if !name.isValidUTF8 {
                        report(.columnName, leafRef, in: names[index], "the name of a column is not valid UTF-8")
                    }
                } catch {
                    report(.columnName, as: .error, leafRef, "the name of column \(index) cannot be read")
                }
            }
            return names
        }
    }
}
