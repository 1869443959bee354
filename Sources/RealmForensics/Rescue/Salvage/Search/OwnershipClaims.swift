internal import RealmCore
internal import RealmLayout

/// The owners of embedded objects. Each object has exactly one, and is misplaced without it (Spec 190).
final class OwnershipClaims {
    /// A row of a cluster of the damaged file, independent of its key.
    struct Row: Hashable {
        let cluster: Int
        let row: Int
    }

    private struct Object: Hashable {
        let table: TablePosition
        let key: Int64
    }

    private struct Owner: Equatable {
        let row: Row
        let property: PropertyIndex
    }

    private let source: SalvageSource
    private let surveys: ByTable<TableSurvey>
    private var owners: [Object: Owner] = [:]
    private var pending: [Object] = []
    /// Tables whose objects may have lost their owners.
    private var mayHaveLost: Set<TablePosition> = []
    /// The properties of each table that link to embedded objects.
    private let columns: ByTable<[PropertyIndex]>

    init(_ source: SalvageSource, _ surveys: ByTable<TableSurvey>) {
        self.source = source
        self.surveys = surveys
        columns = surveys.mapped { survey in
            survey.core.columns.indices.filter { survey.core.schema.properties[$0].isTargetEmbedded }
        }
    }

    /// Assigns each embedded object to the first link found, and removes objects without owners from the surveys.
    func assign() {
        let embedded = surveys.indices.filter { surveys[$0].core.schema.kind == .embedded }
        guard !embedded.isEmpty else { return }
        for (table, survey) in surveys.indexed
        where survey.core.schema.kind != .embedded && !columns[table].isEmpty {
            for cluster in survey.clusters + survey.keyless.map(\.cluster) {
                claim(cluster, 0..<cluster.count, of: table)
            }
        }
        claimPending()
        // The remaining objects have lost their owner, or belong to such objects.
        var owned: Set<Object> = []
        for table in embedded where !columns[table].isEmpty {
            forEachOrphan(of: table) { cluster, index, _ in
                forEachLink(of: cluster, index..<(index + 1), table) { _, _, target in owned.insert(target) }
            }
        }
        for isLast in [false, true] {
            for table in embedded {
                forEachOrphan(of: table) { cluster, index, object in
                    if let object {
                        guard owners[object] == nil, isLast || !owned.contains(object) else { return }
                        owners[object] = Owner(row: Row(cluster: -1, row: 0), property: .none)
                    } else if isLast {
                        // Objects without keys were handled in the first pass.
                        return
                    }
                    claim(cluster, index..<(index + 1), of: table)
                    claimPending()
                }
            }
        }
        for (table, survey) in surveys.indexed where survey.isIncomplete { loseLinks(of: table) }
        // Apps leave ownerless objects behind when they change their schema; those do not count as lost.
        for table in embedded
        where mayHaveLost.contains(table) || !surveys[table].keyless.isEmpty || hasStrandedOrphan(table) {
            surveys[table].moveOrphans { isOrphan(Object(table: table, key: $0)) }
        }
    }

    private func isOrphan(_ object: Object) -> Bool { owners[object]?.row.cluster ?? -1 == -1 }

    /// Whether an object without an owner has a backlink from one. The link was then lost without other traces, for
    /// example in a truncated list.
    private func hasStrandedOrphan(_ table: TablePosition) -> Bool {
        surveys[table].clusters.contains { cluster in
            let orphans = (0..<cluster.count).filter { isOrphan(Object(table: table, key: cluster.key($0))) }
            guard !orphans.isEmpty else { return false }
            return surveys[table].core.backlinkColumns.contains { column in
                guard let ref = cluster.leaf(column.index) else { return false }
                do throws(FormatError) {
                    let leaf = try source.leaf(source.peek(ref), column.leafType)
                    return leaf.count == cluster.rowCount
                        && orphans.contains { leaf.rawElement(at: cluster.row($0)) != 0 }
                } catch {
                    return false
                }
            }
        }
    }

    /// Marks the targets of a table's links as possibly having lost owners.
    private func loseLinks(of table: TablePosition, property: PropertyIndex? = nil) {
        for number in columns[table] where property ?? number == number {
            if let target = surveys[table].core.columns[number].target { mayHaveLost.insert(target) }
        }
    }

    /// Whether the link from a property of a row owns the embedded object. Only the first of several links from the
    /// property does.
    func takeOwnership(of key: ObjectKey, in table: TablePosition, cluster: Int, row: Int, property: PropertyIndex)
        -> Bool
    {
        let object = Object(table: table, key: key.value)
        guard owners[object] == Owner(row: Row(cluster: cluster, row: row), property: property) else { return false }
        owners[object] = nil
        return true
    }

    private func forEachOrphan(of table: TablePosition, _ body: (SalvagedCluster, Int, Object?) -> Void) {
        for cluster in surveys[table].clusters {
            for index in 0..<cluster.count {
                let object = Object(table: table, key: cluster.key(index))
                if owners[object] == nil { body(cluster, index, object) }
            }
        }
        for keyless in surveys[table].keyless {
            for index in 0..<keyless.cluster.count { body(keyless.cluster, index, nil) }
        }
    }

    private func claimPending() {
        while let object = pending.popLast() {
            guard !columns[object.table].isEmpty, let (cluster, index) = surveys[object.table].find(object.key) else {
                continue
            }
            claim(cluster, index..<(index + 1), of: object.table)
        }
    }

    private func claim(_ cluster: SalvagedCluster, _ range: Range<Int>, of table: TablePosition) {
        forEachLink(of: cluster, range, table) { property, index, target in
            guard owners[target] == nil, surveys[target.table].find(target.key) != nil else {
                return loseLinks(of: table, property: property)
            }
            owners[target] = Owner(
                row: Row(cluster: cluster.ref.offset, row: cluster.row(index)), property: property)
            pending.append(target)
        }
    }

    /// Calls `body` for each link to an embedded object, in property order.
    private func forEachLink(
        of cluster: SalvagedCluster, _ range: Range<Int>, _ table: TablePosition,
        _ body: (PropertyIndex, Int, Object) -> Void
    ) {
        let core = surveys[table].core
        for property in columns[table] {
            let column = core.columns[property]
            guard let target = column.target, let ref = cluster.leaf(column.index) else {
                loseLinks(of: table, property: property)
                continue
            }
            do throws(FormatError) {
                let node = try source.peek(ref)
                let leaf = try source.leaf(node, column.leafType)
                guard leaf.count == cluster.rowCount else {
                    throw FormatError(.wrongCount, at: ref.offset, "\(leaf.count) elements")
                }
                let states = ElementStates(
                    node, column.leafType, count: leaf.count, distinct: false, in: source.space, source.pages)
                if states != nil { loseLinks(of: table, property: property) }
                for index in range {
                    let row = cluster.row(index)
                    guard core.schema.properties[property].collection != nil else {
                        if let key = leaf.link(at: row) {
                            body(property, index, Object(table: target, key: key.value))
                        }
                        continue
                    }
                    let isWhole = forEachElement(leaf, row, column, core.schema.properties[property]) { key in
                        body(property, index, Object(table: target, key: key.value))
                    }
                    if !isWhole { loseLinks(of: table, property: property) }
                }
            } catch {
                // The error is reported when the values are copied.
                loseLinks(of: table, property: property)
            }
        }
    }

    /// - Returns: Whether all elements were readable.
    private func forEachElement(
        _ leaf: ColumnLeaf, _ row: Int, _ column: Column, _ property: StoredProperty, _ body: (ObjectKey) -> Void
    ) -> Bool {
        var isWhole = true
        do throws(FormatError) {
            guard let root = try leaf.collection(at: row) else { return true }
            if case .dictionary(let keyType) = property.collection {
                let parts = source.entries(ofDictionary: root, keyType, isFinal: false)
                for entry in parts.entries {
                    switch readable(entry.values, entry.valueIndex) {
                    case .link(_, let key)?: body(key)
                    case .null?: break
                    default: isWhole = false
                    }
                    if source.pages.state(entry.valueNode) != .intact { isWhole = false }
                }
                return isWhole && parts.gaps.isEmpty
            }
            for part in source.parts(ofTree: root, column.elementType, isFinal: false) {
                guard let (node, leaf) = part.leaf, leaf.encoding == .links else {
                    isWhole = false
                    continue
                }
                if source.pages.state(node) != .intact { isWhole = false }
                for index in 0..<leaf.count {
                    if let key = leaf.link(at: index) { body(key) }
                }
            }
            return isWhole
        } catch {
            return false
        }
    }

    private func readable(_ leaf: ColumnLeaf, _ index: Int) -> MixedValue? {
        do throws(FormatError) { return try leaf.mixed(at: index, in: source.space) } catch { return nil }
    }
}
