internal import RealmCore
internal import RealmLayout

/// The salvageable objects of a commit, for comparison with other commits (Spec R190.17).
struct CommitWeight {
    /// The salvageable content of a table.
    private struct Table {
        let name: String
        /// Number of readable objects, wherever they were found.
        let objects: Int
        /// Number of objects that existed; nil when the tree does not state it.
        let expected: Int?
        let clusters: [SalvagedCluster]
        /// The refs of the clusters. Writers copy clusters on change, so equal refs mean equal content.
        let refs: Set<Ref>
        /// Number of objects that have lost their keys or owners.
        let others: Int
        /// Key ranges of unreadable objects; nil when unknown.
        let gaps: [ClosedRange<UInt64>?]
        /// Number of unreadable objects; nil when unknown.
        let missing: Int?

        init(_ survey: TableSurvey) {
            name = survey.core.schema.tableName
            clusters = survey.clusters
            refs = Set(clusters.map(\.ref))
            others =
                survey.orphans.reduce(0) { $0 + $1.count } + survey.keyless.reduce(0) { $0 + $1.cluster.count }
                + survey.keylessOrphans.reduce(0) { $0 + $1.cluster.count }
            objects = clusters.reduce(0) { $0 + $1.count } + others
            expected = survey.expected ?? (survey.gaps.isEmpty ? objects : nil)
            gaps = survey.gaps.map(\.keys)
            missing = survey.gaps.isEmpty ? 0 : survey.expected.map { [objects] in max(0, $0 - objects) }
        }

        /// Returns the number of objects of an older state of the table that are unchanged or missing here.
        func share(of older: Table) -> Int {
            var same = 0
            var found = gaps.isEmpty ? 0 : older.others
            for cluster in older.clusters {
                if refs.contains(cluster.ref) {
                    same += cluster.count
                } else if !gaps.isEmpty {
                    found += count(inGaps: cluster)
                }
            }
            return same + min(found, missing ?? found)
        }

        private func count(inGaps cluster: SalvagedCluster) -> Int {
            guard !gaps.contains(nil) else { return cluster.count }
            let known = gaps.compactMap(\.self)
            return (0..<cluster.count).count { index in
                let key = UInt64(bitPattern: cluster.key(index))
                return known.contains { $0.contains(key) }
            }
        }
    }

    private let tables: [TableKey: Table]
    private let order: [TableKey]
    /// Whether tables are lost, so that tables of older commits may replace them.
    private let hasLostTables: Bool
    /// Whether equal refs mean equal content. The overlay of formats 2 to 9 has its own refs.
    private let isClustered: Bool

    /// - Parameter damage: Errors about lost parts of the schema.
    init(_ plan: SalvagePlan, damage: [FormatError]) {
        let surveys = plan.surveys.map { ($0.core.schema.key, Table($0)) }
        tables = Dictionary(surveys) { first, _ in first }
        order = surveys.map(\.0)
        hasLostTables = surveys.isEmpty || damage.contains { [.badGroup, .badTable].contains($0.code) }
        isClustered = plan.source.version.isClustered
    }

    /// Total number of readable objects.
    var objects: Int { tables.values.reduce(0) { $0 + $1.objects } }

    /// Whether nothing is known to be missing.
    var isWhole: Bool { !hasLostTables && tables.values.allSatisfy { $0.gaps.isEmpty } }

    /// Returns the number of objects of an older commit that are unchanged or missing in this one.
    func share(of older: CommitWeight) -> Int {
        older.tables.reduce(0) { sum, entry in
            guard let table = tables[entry.key] else { return sum + (hasLostTables ? entry.value.objects : 0) }
            guard isClustered, older.isClustered else {
                return sum + min(entry.value.objects, table.expected ?? entry.value.objects)
            }
            return sum + table.share(of: entry.value)
        }
    }

    /// The object counts by table.
    var yields: [SalvageYield.Table] {
        order.compactMap { key in
            tables[key].map { SalvageYield.Table(name: $0.name, objects: $0.objects, expected: $0.expected) }
        }
    }
}
