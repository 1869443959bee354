internal import RealmCore
internal import RealmLayout

/// Copies the readable values of one property: the tolerant sibling of `ColumnCopy`.
final class ColumnSalvage {
    let property: StoredProperty
    let column: Column
    let shared: SalvageCopy
    /// The table of the new file and the property's index there.
    let table: TablePosition
    let number: PropertyIndex
    /// The table and the property's index in the damaged file.
    let sourceTable: TablePosition
    let sourceNumber: PropertyIndex
    let rules: PropertyConstraint
    let index: IndexEntries?
    var builders: [CollectionBuilder] = []
    /// Creates primary keys in place of lost ones; nil for other properties.
    var primaryKeys: PrimaryKeyMaker?

    // Current position of the copy.
    var origin = ObjectKey.null
    var originRow = 0
    var cluster = 0
    /// Whether notes are suppressed, as for tombstones.
    var isSilent = false
    /// Whether the current value was copied without loss.
    var isWhole = true
    /// Links of the current set, for skipping duplicates.
    var linksOfSet: Set<SetLink> = []

    struct SetLink: Hashable {
        let table: TablePosition
        let key: ObjectKey
    }

    /// An opened leaf, or the reason why it cannot be opened.
    enum Opened {
        case leaf(ColumnLeaf, ElementStates?, Range<Int>)
        case lost(String, Range<Int>)
    }

    /// The states of the distinct strings; nil if all are intact.
    private lazy var distinctStates: ElementStates? = {
        guard let distinct = column.distinct else { return nil }
        do throws(FormatError) {
            return ElementStates(
                try space.node(at: distinct.ref), .string, count: distinct.count, distinct: false, in: space,
                shared.source.pages)
        } catch {
            return nil
        }
    }()

    /// The leaf in the current cluster.
    var current: (cluster: Int, leaf: Opened)?

    init(_ shared: SalvageCopy, _ target: SalvageTarget, table: TablePosition, number: PropertyIndex) {
        self.shared = shared
        self.table = table
        self.number = number
        sourceTable = target.source
        sourceNumber = target.properties[number]
        let core = shared.source.tables[sourceTable]
        property = core.schema.properties[sourceNumber]
        column = core.columns[sourceNumber]
        let writer = shared.file.tables[table]
        rules = PropertyConstraint(writer, number, in: shared.file)
        index = writer.indexes[number]
    }

    var space: NodeSpace { shared.source.space }

    // MARK: Notes

    @inline(never)
    func note(_ fate: SalvageReport.Fate, count: Int = 1, _ bytes: Range<Int>?, _ reason: String) {
        isWhole = false
        guard !isSilent else { return }
        shared.notes.note(
            fate, table: table, property: number, count: count, object: origin, bytes: bytes, reason)
    }

    // MARK: Leaves

    /// Appends the values of some of a cluster's objects to `target`.
    ///
    /// - Parameter keys: The keys of the objects in the new file.
    func copy(
        _ range: Range<Int>, of cluster: SalvagedCluster, keys: (Int) -> ObjectKey, to target: LeafBuilder,
        areTombstones: Bool
    ) throws(WriteError) {
        let opened = open(cluster, areTombstones: areTombstones)
        self.cluster = cluster.ref.offset
        isSilent = areTombstones
        var kept = 0
        for index in range {
            origin = keys(index)
            originRow = cluster.row(index)
            isWhole = true
            switch opened {
            case .lost(let reason, let bytes):
                try appendDefault(to: target, bytes, reason)
            case .leaf(let leaf, let states, let bytes):
                switch states?.states[originRow] ?? .intact {
                case .lost: try appendDefault(to: target, bytes, "the value lies in a page of zeros")
                case .doubtful:
                    note(.doubtful, bytes, shared.source.pages.doubt("the value", bytes))
                    try copy(originRow, of: leaf, bytes, to: target)
                case .intact:
                    try copy(originRow, of: leaf, bytes, to: target)
                }
            }
            if isWhole { kept += 1 }
        }
        if !areTombstones { shared.notes.keep(kept, table: table, property: number) }
    }

    func open(_ cluster: SalvagedCluster, areTombstones: Bool) -> Opened {
        if let current, current.cluster == cluster.ref.offset { return current.leaf }
        let place = SalvageCopy.LeafPlace(table: sourceTable, property: sourceNumber, cluster: cluster.ref.offset)
        if let known = shared.splitLeaves[place] { return known }
        let opened: Opened
        if let ref = cluster.leaf(column.index) {
            do throws(FormatError) {
                let (node, leaf) = try shared.source.takeLeaf(
                    ref, column.leafType, distinct: column.distinct, count: cluster.rowCount)
                let states = ElementStates(
                    node, column.leafType, count: leaf.count, distinct: column.distinct != nil, in: space,
                    shared.source.pages)
                opened = .leaf(
                    leaf, try withDistinct(states, node), ref.offset..<(ref.offset + NodeHeader.size + node.size))
            } catch {
                opened = .lost(error.detail, shared.source.range(ref))
            }
        } else {
            opened = .lost("the cluster has no leaf for the property", shared.source.range(cluster.ref))
        }
        current = (cluster.ref.offset, opened)
        if cluster.rows != nil { shared.splitLeaves[place] = opened }
        return opened
    }

    /// Combines the states of elements with those of the distinct strings they refer to.
    private func withDistinct(_ states: ElementStates?, _ node: Node) throws(FormatError) -> ElementStates? {
        guard column.distinct != nil, node.header.isBits, !node.header.hasRefs, let values = distinctStates else {
            return states
        }
        return ElementStates(states, try node.integers(), of: values)
    }

    // MARK: Values

    func copy(
        _ row: Int, of leaf: ColumnLeaf, _ bytes: Range<Int>, to target: LeafBuilder
    ) throws(WriteError) {
        switch leaf.encoding {
        case .collections:
            var root: Ref?
            do throws(FormatError) {
                root = try leaf.collection(at: row)
            } catch {
                note(.defaulted, bytes, error.detail)
            }
            let copy = try root.map { root throws(WriteError) in try copyCollection(root) }
            target.append(number: Int64((copy ?? nil)?.offset ?? 0))
        case .links:
            guard let key = leaf.link(at: row) else { return target.appendNull() }
            guard let table = column.target, note(linkTo: key, in: table, bytes) else {
                return target.appendNull()
            }
            target.append(link: key)
        case .mixed:
            try target.append(mixed(row, of: leaf, bytes, depth: 0), collectionKey: Int64(target.count + 1))
        default:
            try append(row, of: leaf, bytes, to: target)
        }
    }

    func append(
        _ row: Int, of leaf: ColumnLeaf, _ bytes: Range<Int>, to target: LeafBuilder
    ) throws(WriteError) {
        var value: ScalarValue?
        var reason = ""
        do throws(FormatError) { value = try readScalar(row, of: leaf) } catch { reason = error.detail }
        guard let value else { return try appendDefault(to: target, bytes, reason) }
        try withJoined(value) { value, problem throws(WriteError) in
            if let problem { return try appendDefault(to: target, bytes, problem) }
            guard let primaryKeys, !isSilent else { return try target.append(typed: value) }
            if primaryKeys.insert(value) { return try target.append(typed: value) }
            note(.newPrimaryKey, bytes, "another object has the same primary key")
            try primaryKeys.withNewKey { key throws(WriteError) in try target.append(typed: key) }
        }
    }

    func readScalar(_ index: Int, of leaf: ColumnLeaf) throws(FormatError) -> ScalarValue {
        if leaf.encoding == .bools {
            let number = leaf.rawElement(at: index)
            guard NullPattern.isBool(number) else {
                throw FormatError(.badValue, at: leaf.ref.offset, "the truth value is \(number)")
            }
        }
        return try leaf.scalar(at: index, in: space)
    }

    /// Calls `body` with the value as one piece, or with null and a description of the damage.
    func withJoined(
        _ value: ScalarValue, _ body: (MixedValue, String?) throws(WriteError) -> Void
    ) throws(WriteError) {
        switch value {
        case .value(let value): try body(value, PropertyConstraint.lengthMisfit(value)?.detail)
        case .parts(let ref):
            var joined: [UInt8] = []
            var problem: String?
            do throws(FormatError) {
                joined = try space.joinedBytes(ofPartsAt: ref)
                try shared.source.spend(1, bytes: joined.count, at: ref)
            } catch {
                problem = error.detail
            }
            if let problem { return try body(.null, problem) }
            try ByteView.with(joined) { view throws(WriteError) in
                try body(.binary(view), PropertyConstraint.lengthMisfit(.binary(view))?.detail)
            }
        }
    }

    /// Appends the default of the property: null, or zero, false or an empty string. Primary keys get a new value.
    func appendDefault(to target: LeafBuilder, _ bytes: Range<Int>, _ reason: String) throws(WriteError) {
        note(primaryKeys == nil ? .defaulted : .newPrimaryKey, bytes, reason)
        if let primaryKeys, !isSilent {
            try primaryKeys.withNewKey { key throws(WriteError) in try target.append(typed: key) }
            return
        }
        guard property.collection == nil, !property.isNullable else { return target.appendNull() }
        try target.append(typed: property.type.zero)
    }

    // MARK: Links

    /// Notes a link from the current object, if its target exists in the new file.
    ///
    /// - Parameter target: The position of the table in the damaged file.
    func note(linkTo key: ObjectKey, in target: TablePosition, _ bytes: Range<Int>) -> Bool {
        guard shared.surveys[target].has(key) else {
            note(.unlinked, bytes, "the object does not exist")
            return false
        }
        if shared.surveys[target].core.schema.kind == .embedded {
            guard !key.isUnresolved, property.isTargetEmbedded,
                shared.owners.takeOwnership(
                    of: key, in: target, cluster: cluster, row: originRow, property: sourceNumber)
            else {
                note(.unlinked, bytes, "the embedded object belongs to another one")
                return false
            }
        }
        if rules.ledger >= 0 {
            shared.file.ledgers.add(target: key, origin: origin, to: rules.ledger)
        } else {
            shared.file.tables[target].ledger(from: table, number).add(target: key, origin: origin)
        }
        return true
    }
}

extension MixedValue {
    var isCollection: Bool {
        switch self {
        case .list, .dictionary: true
        default: false
        }
    }

    var isNull: Bool { if case .null = self { true } else { false } }
}
