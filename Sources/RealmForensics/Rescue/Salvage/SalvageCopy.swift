internal import RealmCore
internal import RealmLayout

/// The content of a damaged database, and its mapping to the new file.
struct SalvagePlan {
    let source: SalvageSource
    let surveys: ByTable<TableSurvey>
    let owners: OwnershipClaims
    let schema: SalvageSchema

    /// Finds all objects.
    ///
    /// - Parameters:
    ///   - root: The root that leads to all tables; nil when there is none.
    ///   - roots: All known roots, for telling reachable nodes from orphans.
    init(_ source: SalvageSource, root: Ref?, roots: [Ref]) {
        self.source = source
        let surveys = source.tables.mapped { TableSurvey($0, source) }
        self.surveys = surveys
        // Tables taken from an earlier commit have all of their objects, unless they had none yet.
        let wanted = surveys.indices.filter { number in
            surveys[number].isIncomplete || (root == nil && surveys[number].clusters.isEmpty)
        }
        if !source.version.isLegacy, !wanted.isEmpty {
            var trees = OrphanTreeFinder(source, surveys, wanted: Set(wanted), root: root, roots: roots)
            trees.run()
        }
        owners = OwnershipClaims(source, surveys)
        owners.assign()
        schema = SalvageSchema(surveys)
    }
}

/// Copies the readable content of a damaged database into a new file: the tolerant sibling of `SnapshotCopy`.
final class SalvageCopy {
    let source: SalvageSource
    let surveys: ByTable<TableSurvey>
    let owners: OwnershipClaims
    let file: FileWriter
    let notes: SalvageNotes
    private let targets: ByTable<SalvageTarget>
    private let tally: ObjectTally?
    /// Opened leaves of clusters whose objects are split into several parts, possibly for several tables of the new
    /// file.
    var splitLeaves: [LeafPlace: ColumnSalvage.Opened] = [:]

    /// Identifies a leaf of the damaged file.
    struct LeafPlace: Hashable {
        let table: TablePosition
        let property: PropertyIndex
        let cluster: Int
    }

    init(
        _ plan: SalvagePlan, to file: FileWriter, _ notes: SalvageNotes,
        _ progress: (@Sendable (_ copied: Int, _ total: Int) -> Void)?
    ) {
        (source, surveys, owners, targets) = (plan.source, plan.surveys, plan.owners, plan.schema.targets)
        tally = ObjectTally(
            total: plan.schema.targets.reduce(0) { total, target in
                let survey = plan.surveys[target.source]
                return (target.isLostAndFound ? survey.orphans : survey.clusters).reduce(total) { $0 + $1.count }
            }, progress)
        self.file = file
        self.notes = notes
        for target in targets {
            let name = target.definition.tableName
            notes.add(
                SalvageReport.Table(
                    name: name, source: source.tables[target.source].schema.tableName,
                    properties: target.definition.properties.map { SalvageReport.Property(name: $0.name) }))
        }
    }

    /// Copies all objects and tombstones of all tables.
    func run() throws(WriteError) {
        if source.version.isLegacy { noteDamagedPages() }
        for (table, target) in targets.indexed {
            do throws(WriteError) {
                try copy(target, table)
            } catch {
                throw error.at(table: target.definition.tableName)
            }
        }
    }

    private func copy(_ target: SalvageTarget, _ table: TablePosition) throws(WriteError) {
        let survey = surveys[target.source]
        let writer = file.tables[table]
        let columns = ByProperty(
            target.properties.indices.map { ColumnSalvage(self, target, table: table, number: $0) })
        if let primaryKey = writer.primaryKey {
            columns[primaryKey].primaryKeys = PrimaryKeyMaker(writer.definition.properties[primaryKey].type)
        }
        let order = KeyOrder(
            target.isLostAndFound ? survey.orphans : survey.clusters,
            keyless: target.isLostAndFound ? survey.keylessOrphans : survey.keyless)
        if target.isLostAndFound {
            for cluster in survey.orphans { noteMoved(cluster, table) }
        } else {
            noteGaps(survey, table)
        }
        for piece in order.pieces {
            if let keyless = piece.keyless {
                let cluster = piece.cluster
                notes.note(
                    target.isLostAndFound ? .moved : .newKey, table: table, count: cluster.count,
                    objects: ObjectKey(cluster.key(0))...ObjectKey(cluster.last), bytes: keyless.bytes, keyless.reason)
            }
            try copy(piece.cluster, columns, to: writer, areTombstones: false)
            notes.addObjects(piece.cluster.count, table: table)
            tally?.add(piece.cluster.count)
        }
        guard !target.isLostAndFound else { return }
        for cluster in survey.tombstones { try copy(cluster, columns, to: writer, areTombstones: true) }
    }

    private func copy(
        _ cluster: SalvagedCluster, _ columns: ByProperty<ColumnSalvage>, to table: TableWriter, areTombstones: Bool
    ) throws(WriteError) {
        let target = areTombstones ? table.tombstoneTree() : table.objects
        var start = 0
        while start < cluster.count {
            let range = start..<min(cluster.count, start + target.room)
            for (column, leaf) in zip(columns, target.columns) {
                try column.copy(
                    range, of: cluster, keys: { ObjectKey(cluster.key($0)) }, to: leaf,
                    areTombstones: areTombstones)
            }
            for index in range {
                let key = ObjectKey(cluster.key(index))
                if areTombstones {
                    if target.add(key) { try target.endCluster() }
                } else {
                    try table.endObject(key)
                }
            }
            start = range.upperBound
        }
    }

    // MARK: Notes

    /// Notes the tables of formats 2 to 9 that have damaged pages. Their values are presented in another form, so it
    /// is unknown which of them are affected.
    private func noteDamagedPages() {
        guard !source.pages.areIntact else { return }
        var isTouched = false
        for (table, target) in targets.indexed {
            let core = source.tables[target.source]
            var place: Range<Int>?
            var walk = NodeWalk(root: core.topRef, in: source.space)
            while place == nil, let step = walk.next() {
                if case .node(let node) = step, source.pages.state(node) != .intact { place = source.range(node.ref) }
            }
            isTouched = isTouched || place != nil
            // Rows of subtables are reached through their parent tables, which come first.
            guard place != nil || isTouched && core.schema.kind == .embedded else { continue }
            notes.note(
                .doubtful, table: table, count: nil, bytes: place,
                source.pages.doubt("a part of the table", place)
                    + ": rows and values that were there may be missing, or others now"
            )
        }
    }

    private func noteMoved(_ cluster: SalvagedCluster, _ table: TablePosition) {
        guard cluster.count > 0 else { return }
        notes.note(
            .moved, table: table, count: cluster.count, objects: ObjectKey(cluster.key(0))...ObjectKey(cluster.last),
            bytes: nil, "embedded objects to which no object leads")
    }

    /// Notes lost objects and tombstones.
    private func noteGaps(_ survey: TableSurvey, _ table: TablePosition) {
        let found =
            survey.clusters.reduce(0) { $0 + $1.count } + survey.keyless.reduce(0) { $0 + $1.cluster.count }
            + survey.orphans.reduce(0) { $0 + $1.count } + survey.keylessOrphans.reduce(0) { $0 + $1.cluster.count }
        // A root that is a leaf states no count.
        let expected = survey.expected ?? (survey.gaps.isEmpty ? found : nil)
        notes.setExpected(expected, table: table)
        for part in survey.found {
            notes.note(
                .doubtful, table: table, count: part.count, objects: part.keys, bytes: part.bytes, part.reason)
        }
        let missing = expected.map { max(0, $0 - found) }
        // All of them may have been found by scanning.
        for gap in survey.gaps where missing != 0 {
            notes.note(
                .lost, table: table, count: survey.gaps.count == 1 ? missing : nil,
                objects: gap.keys.map { keys in
                    ObjectKey(Int64(clamping: keys.lowerBound))...ObjectKey(Int64(clamping: keys.upperBound))
                }, bytes: gap.ref.offset == 0 ? nil : source.range(gap.ref), gap.error.detail)
        }
        if let missing, let expected, missing > 0, survey.gaps.count != 1 {
            notes.note(
                .lost, table: table, count: missing, bytes: source.range(survey.core.objects.root),
                "the root of the objects counts \(expected), there are \(found)")
        }
        for gap in survey.gone?.gaps ?? [] {
            notes.note(
                .unlinked, table: table, count: nil, bytes: source.range(gap.ref),
                "tombstones are lost: \(gap.error.detail)")
        }
    }
}

/// The order of a table's objects in the new file, with new keys for those that have lost theirs.
private struct KeyOrder {
    struct Piece {
        let cluster: SalvagedCluster
        var keyless: ClusterSurvey.Keyless?
    }

    private(set) var pieces: [Piece]

    /// Places objects without keys after all others, or into a gap that is wide enough if there is no room.
    init(_ clusters: [SalvagedCluster], keyless: [ClusterSurvey.Keyless]) {
        pieces = clusters.map { Piece(cluster: $0) }
        let count = keyless.reduce(0) { $0 + $1.cluster.count }
        guard count > 0 else { return }
        let last = clusters.last?.last ?? -1
        if last < Int64.max - 1 - Int64(count) {
            pieces += Self.pieces(keyless, from: last + 1)
            return
        }
        // If a key is close to the highest possible one, there is a wide gap somewhere before it.
        var previous: Int64 = -1
        for (position, cluster) in clusters.enumerated() {
            for index in 0..<cluster.count {
                if cluster.key(index) - previous > Int64(count) {
                    var around: [Piece] = []
                    if let before = cluster.filtered({ $0 < index }) { around.append(Piece(cluster: before)) }
                    around += Self.pieces(keyless, from: previous + 1)
                    if let after = cluster.filtered({ $0 >= index }) { around.append(Piece(cluster: after)) }
                    pieces.replaceSubrange(position...position, with: around)
                    return
                }
                previous = cluster.key(index)
            }
        }
    }

    private static func pieces(_ keyless: [ClusterSurvey.Keyless], from first: Int64) -> [Piece] {
        var next = first
        return keyless.map { keyless in
            var cluster = keyless.cluster
            (cluster.first, cluster.keys) = (next, nil)
            next += Int64(cluster.count)
            return Piece(cluster: cluster, keyless: keyless)
        }
    }
}
