internal import RealmLayout
internal import RealmReader

/// The objects of a commit that salvage can read, to be weighed against those of another one (Spec R190.17).
struct CommitWeight {
    /// What there is of a table.
    private struct Table {
        let name: String
        /// Objects that can be read, wherever they were found.
        let objects: Int
        /// Objects that there were; nil when the tree does not say.
        let expected: Int?
        let clusters: [SalvagedCluster]
        /// The refs of those: writers copy what they change, so that the same ref is the same content.
        let refs: Set<Ref>
        /// Objects that have lost their keys, or their owners.
        let others: Int
        /// The keys of the objects that cannot be read; nil where that is not known.
        let gaps: [ClosedRange<UInt64>?]
        /// How many objects cannot be read; nil when it is not known.
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

        /// How many objects of an older state of the table are as they are here, or missing here.
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
    /// Whether tables are lost, so that those of older commits may be among them.
    private let hasLostTables: Bool
    /// Whether equal refs are equal content: what is presented of formats 2 to 9 lies elsewhere.
    private let isClustered: Bool

    /// - Parameter damage: what is lost of the schema.
    init(_ plan: SalvagePlan, damage: [FormatError]) {
        let surveys = plan.surveys.map { ($0.core.schema.key, Table($0)) }
        tables = Dictionary(surveys) { first, _ in first }
        order = surveys.map(\.0)
        hasLostTables = surveys.isEmpty || damage.contains { [.badGroup, .badTable].contains($0.code) }
        isClustered = plan.source.version.isClustered
    }

    /// All objects that can be read.
    var objects: Int { tables.values.reduce(0) { $0 + $1.objects } }

    /// Whether nothing of it is known to be missing.
    var isWhole: Bool { !hasLostTables && tables.values.allSatisfy { $0.gaps.isEmpty } }

    /// How many objects of an older commit are as they are in this one, or missing in this one.
    func share(of older: CommitWeight) -> Int {
        older.tables.reduce(0) { sum, entry in
            guard let table = tables[entry.key] else { return sum + (hasLostTables ? entry.value.objects : 0) }
            guard isClustered, older.isClustered else {
                return sum + min(entry.value.objects, table.expected ?? entry.value.objects)
            }
            return sum + table.share(of: entry.value)
        }
    }

    /// The objects by table.
    var yields: [SalvageYield.Table] {
        order.compactMap { key in
            tables[key].map { SalvageYield.Table(name: $0.name, objects: $0.objects, expected: $0.expected) }
        }
    }
}
