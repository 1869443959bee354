internal import RealmCore
internal import RealmLayout

extension LegacyRole {
    /// Returns the role of the node that element `index` of `node` refers to.
    ///
    /// - Parameter title: The title of `node`.
    func child(at index: Int, of node: Node, titled title: String, in snapshot: Snapshot) -> NodeRole {
        let part = NodeRole(.unknown, "part of \(title)")
        switch self {
        case .tables: return Self.table(index, node, in: snapshot)
        case .tableTop: return topChild(index, node, titled: title, in: snapshot)
        case .upgradingTop: return upgradingTopChild(index, node, titled: title, in: snapshot)
        case .spec(let top): return specChild(index, node, top, titled: title, in: snapshot)
        case .subspecs(let entries):
            guard let entry = entries[safe: index], let subtable = entry.subtable else { return part }
            return NodeRole(.legacy(.spec(upgradedTop: nil)), "spec of the subtable \(subtable)")
        case .keyLists(let columns):
            guard let column = columns[safe: index] else { return part }
            return NodeRole(
                .values(.legacyString(nullable: column.isNullable)), "keys of the column \(column.name)")
        case .columns(let places): return columnsChild(index, node, places, titled: title, in: snapshot)
        case .column(let column, let firstRow):
            return columnChild(index, node, column, firstRow: firstRow, titled: title, in: snapshot)
        case .timestamps:
            return switch TimestampSlot(rawValue: index) {
            case .seconds: NodeRole(.values(.int(nullable: true)), "seconds of \(title)")
            case .nanoseconds: NodeRole(.values(.int(nullable: false)), "nanoseconds of \(title)")
            case nil: part
            }
        case .mixed: return mixedChild(index, node, titled: title)
        case .mixedTypes:
            guard Self.firstRow(ofChild: index, node, 0, in: snapshot) != nil else {
                return NodeRole(.numbers(.plain), "offsets of the \(title)")
            }
            return NodeRole(.legacy(.mixedTypes), title)
        case .mixedData(let types, let firstRow):
            guard node.header.isInner else {
                return NodeRole(.legacy(.tableTop), "table in row \(firstRow &+ index) of \(title)")
            }
            guard let row = Self.firstRow(ofChild: index, node, firstRow, in: snapshot) else {
                return NodeRole(.numbers(.plain), "offsets of \(title)")
            }
            return NodeRole(.legacy(.mixedData(types: types, firstRow: row)), title)
        case .searchIndex:
            if index == 0 { return NodeRole(.numbers(.indexChunks), "chunks of \(title)") }
            let target = node.refIfAny(at: index).flatMap { try? snapshot.fileSpace.node(at: $0) }
            return target?.header.isContext == true
                ? NodeRole(.legacy(.searchIndex), title)
                : NodeRole(.values(.int(nullable: false)), "rows in the \(title)")
        }
    }

    /// Returns the role of a table's top. Its number of slots is two, or more if an upgrade has begun or finished.
    private static func table(_ index: Int, _ node: Node, in snapshot: Snapshot) -> NodeRole {
        let title = "top of \(snapshot.legacyTableName(index))"
        let top = node.refIfAny(at: index).flatMap { try? snapshot.fileSpace.node(at: $0) }
        guard let top, top.count > LegacyTableTopSlot.allCases.count else {
            return NodeRole(.legacy(.tableTop), title)
        }
        guard top.refIfAny(at: TableTopSlot.columns.rawValue) != nil else {
            let key = TableKey(UInt32(truncatingIfNeeded: index))
            return NodeRole(.tableTop(table: snapshot.position(of: key)), title)
        }
        return NodeRole(.legacy(.upgradingTop), title)
    }

    private func topChild(_ index: Int, _ node: Node, titled title: String, in snapshot: Snapshot) -> NodeRole {
        let name = title.without(prefix: "top of ")
        switch LegacyTableTopSlot(rawValue: index) {
        case .spec:
            return NodeRole(.legacy(.spec(upgradedTop: nil)), "spec of \(name)")
        case .columns:
            let spec = snapshot.legacySpec(
                at: node.refIfAny(at: LegacyTableTopSlot.spec.rawValue), upgradedTop: nil)
            return NodeRole(.legacy(.columns(LegacyColumnPlaces(spec))), "columns of \(name)")
        case nil:
            return NodeRole(.unknown, "part of \(name)")
        }
    }

    private func upgradingTopChild(
        _ index: Int, _ node: Node, titled title: String, in snapshot: Snapshot
    ) -> NodeRole {
        let name = title.without(prefix: "top of ")
        switch TableTopSlot(rawValue: index) {
        case .spec:
            return NodeRole(.legacy(.spec(upgradedTop: node.ref)), "spec of \(name)")
        case .columns:
            let spec = snapshot.legacySpec(
                at: node.refIfAny(at: TableTopSlot.spec.rawValue), upgradedTop: node.ref)
            let indexes = node.refIfAny(at: TableTopSlot.searchIndexes.rawValue)
                .flatMap { try? snapshot.fileSpace.node(at: $0) }.flatMap { try? $0.integers() }
            return NodeRole(
                .legacy(.columns(LegacyColumnPlaces(spec, movedIndexes: indexes ?? .empty))), "columns of \(name)")
        default:
            return NodeRole(.tableTop(table: nil), name).child(at: index, of: node, in: snapshot)
        }
    }

    private func specChild(
        _ index: Int, _ node: Node, _ top: Ref?, titled title: String, in snapshot: Snapshot
    ) -> NodeRole {
        let name = title.without(prefix: "spec of ")
        switch LegacySpecSlot(rawValue: index) {
        case .types: return NodeRole(.numbers(.legacyColumnTypes), "column types of \(name)")
        case .names: return NodeRole(.values(.legacyString(nullable: false)), "column names of \(name)")
        case .attributes: return NodeRole(.numbers(.columnAttributes), "column attributes of \(name)")
        case .subspecs:
            let spec = snapshot.legacySpec(at: node.ref, upgradedTop: top)
            return NodeRole(
                .legacy(.subspecs(LegacySubspec.all(of: spec, in: snapshot))),
                "targets of links and subtables of \(name)")
        case .enumKeys:
            let columns = snapshot.legacySpec(at: node.ref, upgradedTop: top)?.columns ?? []
            // An upgraded spec has an entry for every column.
            let owners = top == nil ? columns.filter { $0.type == .enumeratedString } : columns
            return NodeRole(.legacy(.keyLists(owners)), "key lists of \(name)")
        case nil:
            return index == SpecSlot.columnKeys.rawValue
                ? NodeRole(.numbers(.columnKeys), "column keys of \(name)")
                : NodeRole(.unknown, "part of the \(title)")
        }
    }

    private func columnsChild(
        _ index: Int, _ node: Node, _ places: LegacyColumnPlaces, titled title: String, in snapshot: Snapshot
    ) -> NodeRole {
        guard let place = places.place(at: index, of: node), let column = places.spec?.columns[safe: place.column]
        else { return NodeRole(.unknown, "part of \(title)") }
        let owner = title.without(prefix: "columns of ")
        if column.type == .backLink {
            let name = "backlinks in \(owner) from \(snapshot.legacyOrigin(of: column))"
            return NodeRole(.legacy(.column(LegacyColumn(column, in: snapshot), firstRow: 0)), name)
        }
        // Subtables have a position instead of a name.
        let name = owner.contains(" ") ? "\(column.name) of \(owner)" : "\(owner).\(column.name)"
        if place.isIndex { return NodeRole(.legacy(.searchIndex), "search index of \(name)") }
        switch column.type {
        case .timestamp: return NodeRole(.legacy(.timestamps), "column \(name)")
        case .mixed: return NodeRole(.legacy(.mixed), "column \(name)")
        default: return NodeRole(.legacy(.column(LegacyColumn(column, in: snapshot), firstRow: 0)), "column \(name)")
        }
    }

    private func columnChild(
        _ index: Int, _ node: Node, _ column: LegacyColumn, firstRow: Int, titled title: String,
        in snapshot: Snapshot
    ) -> NodeRole {
        if node.header.isInner {
            guard let row = Self.firstRow(ofChild: index, node, firstRow, in: snapshot) else {
                return NodeRole(.numbers(.plain), "offsets of the \(title)")
            }
            return NodeRole(.legacy(.column(column, firstRow: row)), title)
        }
        let row = "row \(firstRow &+ index) of the \(title)"
        switch column.column.type {
        case .linkList: return NodeRole(.values(.link(biased: false)), "list in \(row)")
        case .backLink: return NodeRole(.values(.int(nullable: false)), "list in \(row)")
        case .subtable:
            let places = LegacyColumnPlaces(column.column.subspec)
            return NodeRole(.legacy(.columns(places)), "columns of the subtable in \(row)")
        default:
            guard let type = column.column.leafType else { return NodeRole(.unknown, row) }
            return NodeRole(.values(type), title).child(at: index, of: node, in: snapshot)
        }
    }

    private func mixedChild(_ index: Int, _ node: Node, titled title: String) -> NodeRole {
        let slot = LegacyMixedSlot(rawValue: index)
        let title = "\(slot.map { "\($0)" } ?? "part") of the \(title)"
        return switch slot {
        case .types: NodeRole(.legacy(.mixedTypes), title)
        case .data:
            NodeRole(
                .legacy(.mixedData(types: node.refIfAny(at: LegacyMixedSlot.types.rawValue), firstRow: 0)), title)
        case .binaries: NodeRole(.values(.legacyBinary(nullable: false)), title)
        case .timestamps: NodeRole(.legacy(.timestamps), title)
        case nil: NodeRole(.unknown, title)
        }
    }

    /// Returns the first row of a child of an inner node; nil if the element is not a child.
    private static func firstRow(
        ofChild index: Int, _ node: Node, _ firstRow: Int, in snapshot: Snapshot
    ) -> Int? {
        guard index > 0, let inner = try? BPlusTreeInner(node), index <= inner.childCount else { return nil }
        switch inner.slots.starts {
        case .tagged(let each):
            return firstRow &+ Int(truncatingIfNeeded: each) &* (index - 1)
        case .ref(let ref):
            let offsets = (try? snapshot.fileSpace.node(at: ref)).flatMap { try? $0.integers() } ?? .empty
            return firstRow &+ (index == 1 ? 0 : Int(truncatingIfNeeded: offsets.element(at: index - 2) ?? 0))
        case .empty:
            return firstRow
        }
    }
}

extension String {
    /// Returns the text after `prefix`, or the whole text if it has another prefix.
    func without(prefix: String) -> String { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self }
}
