internal import RealmCore
internal import RealmLayout

/// The purposes of nodes, by the paths that lead to them (Spec 60, 70, 100).
struct SurveyPlan {
    // The purposes that belong to no table.
    static let group = 0
    static let freeList = 1
    static let history = 2
    static let unknown = 3
    private static let firstOfTables = 4

    /// A table with the purposes of its parts.
    private struct Table {
        /// Purposes of a table, from `first` on; three for each column follow.
        enum Part: Int, CaseIterable { case schema, objects, tombstones, unknown }
        enum ColumnPart: Int, CaseIterable { case values, index, distinct }

        struct Column {
            let name: String
            let property: PropertyIndex?
            let isBacklink: Bool
        }

        let name: String
        let position: TablePosition?
        var columns: [Column] = []
        /// The columns by their index in clusters.
        var byIndex: [Int: Int] = [:]
        /// The columns by their place in the list of distinct strings.
        var enumerated: [Int] = []
        /// The columns of a table of formats 2 to 9.
        var legacySpec: LegacySpec?
        var first = 0

        func purpose(_ part: Part) -> Int { first + part.rawValue }

        func purpose(_ part: ColumnPart, of column: Int?) -> Int {
            guard let column, columns.indices.contains(column) else { return purpose(.unknown) }
            return first + Part.allCases.count + column * ColumnPart.allCases.count + part.rawValue
        }

        var purposeCount: Int { Part.allCases.count + columns.count * ColumnPart.allCases.count }
    }

    private var tables: [Table] = []
    /// The numbers of the tables, by slot.
    private var bySlot: [Int: Int] = [:]
    private let isLegacy: Bool
    /// The columns of the table of formats 2 to 9 that is being visited.
    private var legacyPlaces: LegacyColumnPlaces?
    private(set) var purposeCount = Self.firstOfTables

    /// Reads the names and the columns of the tables.
    init(_ snapshot: Snapshot) {
        isLegacy = snapshot.version.isLegacy
        guard let group = snapshot.group, let slots = try? group.tableSlots() else { return }
        let space = snapshot.space.withoutOverlay
        var budget = WorkBudget(for: space)
        for slot in 0..<slots.refs.count {
            guard case .ref(let ref) = Slot(slots.refs[unchecked: slot]) else { continue }
            let name = (try? slots.names.string(at: slot, in: space))?.map { $0.repairedString } ?? "table \(slot)"
            let position = snapshot.cores.position(inSlot: slot)
            var table = Table(name: name, position: position)
            if isLegacy {
                addLegacyColumns(ref, &table, snapshot, space, &budget)
            } else if let position {
                Self.addColumns(of: snapshot.cores[position], to: &table)
            }
            table.first = purposeCount
            purposeCount += table.purposeCount
            bySlot[slot] = tables.count
            tables.append(table)
        }
    }

    private static func addColumns(of core: TableDescription, to table: inout Table) {
        for index in core.columns.indices {
            let (column, property) = (core.columns[index], core.schema.properties[index])
            table.byIndex[column.index.number] = table.columns.count
            table.enumerated.append(table.columns.count)
            table.columns.append(.init(name: property.name, property: index, isBacklink: false))
        }
        for (column, link) in zip(core.backlinkColumns, core.schema.incoming) {
            table.byIndex[column.index.number] = table.columns.count
            let name = "\(TableName.className(of: link.tableName)).\(link.propertyName)"
            table.columns.append(.init(name: name, property: nil, isBacklink: true))
        }
    }

    private func addLegacyColumns(
        _ top: Ref, _ table: inout Table, _ snapshot: Snapshot, _ space: NodeSpace, _ budget: inout WorkBudget
    ) {
        guard let record = try? Record<TableTopSlot>(at: top, in: space),
            let spec = Self.legacySpec(record, in: space, &budget)
        else { return }
        table.legacySpec = spec
        var properties: [ExactName: PropertyIndex] = [:]
        if let position = table.position {
            let core = snapshot.cores[position]
            for index in core.columns.indices { properties[ExactName(core.schema.properties[index].name)] = index }
        }
        for (number, column) in spec.columns.enumerated() {
            if column.type == .enumeratedString || record.slots.has(.clusterTree) { table.enumerated.append(number) }
            let isBacklink = column.type == .backLink
            table.columns.append(
                .init(
                    name: isBacklink ? Self.origin(of: column, in: snapshot) : column.name,
                    property: isBacklink ? nil : properties[ExactName(column.name)], isBacklink: isBacklink))
        }
    }

    private static func legacySpec(
        _ top: Record<TableTopSlot>, in space: NodeSpace, _ budget: inout WorkBudget
    ) -> LegacySpec? {
        guard let ref = top.slots.ref(.spec) else { return nil }
        let upgraded = top.slots.has(.clusterTree) ? top : nil
        return try? LegacySpec(at: ref, depth: 1, upgradedTop: upgraded, in: space, &budget)
    }

    private static func origin(of column: LegacySpec.Column, in snapshot: Snapshot) -> String {
        guard let slot = column.table, let position = snapshot.cores.position(inSlot: slot) else {
            return "unknown links"
        }
        let core = snapshot.cores[position]
        let property = column.originColumn.flatMap { number in
            core.columns.firstIndex { $0.index.number == number }.map { core.schema.properties[$0].name }
        }
        return "\(core.schema.name).\(property ?? "column \(column.originColumn ?? 0)")"
    }
}

extension SurveyPlan {
    /// Returns the place of element `index` of a node at a place.
    func place(of index: Int, in place: NodePlace) -> NodePlace {
        switch place {
        case .purpose: return place
        case .root: return Self.placeInRoot(index)
        case .tables: return bySlot[index].map { .tableTop($0) } ?? .purpose(Self.unknown)
        case .tableTop(let table): return placeInTop(index, table)
        case .spec(let table):
            return index == SpecSlot.enumKeys.rawValue
                ? .distinctStrings(table) : .purpose(tables[table].purpose(.schema))
        case .distinctStrings(let number):
            let table = tables[number]
            let column = table.enumerated.indices.contains(index) ? table.enumerated[index] : nil
            return .purpose(table.purpose(.distinct, of: column))
        case .searchIndexes(let table):
            // In formats 2 to 9, columns are numbered by their place in the spec.
            return .purpose(tables[table].purpose(.index, of: isLegacy ? index : tables[table].byIndex[index]))
        case .objects(let table): return .purpose(tables[table].purpose(.objects))
        case .innerCluster(let table):
            return index < ClusterInnerSlot.firstChild.rawValue
                ? .purpose(tables[table].purpose(.objects)) : .objects(table)
        case .cluster(let number):
            let table = tables[number]
            guard index > 0 else { return .purpose(table.purpose(.objects)) }
            return .purpose(table.purpose(.values, of: table.byIndex[ClusterSlots.column(ofElement: index).number]))
        case .legacyColumns(let table): return .purpose(legacyPurpose(index, tables[table]))
        }
    }

    private static func placeInRoot(_ index: Int) -> NodePlace {
        switch GroupTopSlot(rawValue: index) {
        case .tableNames: .purpose(group)
        case .tables: .tables
        case .freePositions, .freeLengths, .freeVersions: .purpose(freeList)
        case .history: .purpose(history)
        default: .purpose(unknown)
        }
    }

    private func placeInTop(_ index: Int, _ number: Int) -> NodePlace {
        let table = tables[number]
        return switch TableTopSlot(rawValue: index) {
        case .spec: .spec(number)
        case .columns where isLegacy: .legacyColumns(number)
        case .clusterTree: .objects(number)
        case .searchIndexes: .searchIndexes(number)
        case .tombstones: .purpose(table.purpose(.tombstones))
        default: .purpose(table.purpose(.schema))
        }
    }

    private func legacyPurpose(_ index: Int, _ table: Table) -> Int {
        guard let place = legacyPlaces?.known(at: index) else { return table.purpose(.unknown) }
        return table.purpose(place.isIndex ? .index : .values, of: place.column)
    }

    /// Returns the place of a node that was opened, for the nodes below it.
    mutating func entered(_ place: NodePlace, _ node: Node, in space: NodeSpace) -> NodePlace {
        switch place {
        case .objects(let table):
            return node.header.isInner ? .innerCluster(table) : .cluster(table)
        case .tableTop(let table) where isLegacy:
            guard let top = try? Record<TableTopSlot>(node) else { return place }
            let indexes = top.slots.has(.searchIndexes) ? top.integersIfSound(.searchIndexes, in: space) : nil
            legacyPlaces = LegacyColumnPlaces(tables[table].legacySpec, movedIndexes: indexes)
            return place
        case .legacyColumns:
            legacyPlaces = legacyPlaces?.prepared(for: node)
            return place
        default:
            return place
        }
    }

    /// Returns the purpose of the node at a place itself.
    func purpose(of place: NodePlace) -> Int {
        switch place {
        case .purpose(let purpose): purpose
        case .root, .tables: Self.group
        case .tableTop(let table), .spec(let table), .distinctStrings(let table), .searchIndexes(let table):
            tables[table].purpose(.schema)
        case .objects(let table), .innerCluster(let table), .cluster(let table), .legacyColumns(let table):
            tables[table].purpose(.objects)
        }
    }

    /// Returns the bytes of the tables, from bytes by purpose.
    func tables(_ counts: [NodeBytes]) -> [TableSpace] {
        tables.map { table in
            TableSpace(
                name: table.name, position: table.position, schema: counts[table.purpose(.schema)],
                objects: counts[table.purpose(.objects)], tombstones: counts[table.purpose(.tombstones)],
                unknown: counts[table.purpose(.unknown)],
                columns: table.columns.enumerated().map { number, column in
                    ColumnSpace(
                        name: column.name, property: column.property, isBacklink: column.isBacklink,
                        values: counts[table.purpose(.values, of: number)],
                        index: counts[table.purpose(.index, of: number)],
                        distinct: counts[table.purpose(.distinct, of: number)])
                })
        }
    }
}

extension ByTable<TableDescription> {
    /// The position of the table in a slot of the group: tables are in the order of their slots.
    fileprivate func position(inSlot slot: Int) -> TablePosition? {
        let position = partitioningIndex { $0.schema.key.slot >= slot }
        return position < endIndex && self[position].schema.key.slot == slot ? position : nil
    }
}
