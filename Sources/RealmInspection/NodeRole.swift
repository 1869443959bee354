internal import RealmReader
internal import RealmLayout

/// What a node is for. Nodes do not say it themselves: only the way from the group's top does.
struct NodeRole: Sendable {
    /// What kind of structure the node is part of, with what is needed to go on from it.
    indirect enum Kind: Sendable {
        /// The root of the snapshot (Spec 70).
        case groupTop
        /// The list of tables.
        case tables
        /// The top of a table (Spec 60); `table` is its position in `Snapshot.cores`, nil when it could not be read.
        case tableTop(table: TablePosition?)
        case spec(table: TablePosition?)
        /// The distinct strings of enumerated columns, one leaf a column.
        case distinctStrings(table: TablePosition?)
        /// The search indexes, one a column.
        case searchIndexes(table: TablePosition?)
        /// A node of a search index (Spec 80).
        case searchIndex
        /// A node of a tree of objects (Spec 50).
        case clusterTree(table: TablePosition?, keyOffset: UInt64)
        /// A node of a dictionary before format 23: a tree of clusters with keys and values.
        case entries(keys: LeafType, keyOffset: UInt64)
        /// The leaf of a column in a cluster (Spec 30).
        case column(Column, dictionaryKeys: DictionaryKeyType?, Cluster)
        /// A leaf or inner node of a B+tree of values (Spec 40).
        case values(LeafType)
        /// A dictionary since format 23: keys and values side by side.
        case dictionary(keys: LeafType)
        /// The collections in the values of a Mixed leaf, with the types of those values.
        case nestedCollections(types: IntegerVector)
        /// The bytes of a value.
        case bytes
        /// Numbers and what they mean.
        case numbers(NumberMeaning)
        /// A node that only formats 2 to 9 have.
        case legacy(LegacyRole)
        /// The history's root, by who reads it.
        case history(HistoryType?)
        /// Not known.
        case unknown
    }

    let kind: Kind
    /// In words, for people: "cluster tree of class_Person".
    let title: String

    init(_ kind: Kind, _ title: String) {
        self.kind = kind
        self.title = title
    }

    /// The same role, for a node whose elements will be asked for one after the other.
    func prepared(for node: Node) -> NodeRole {
        switch kind {
        case .legacy(.columns(let places)):
            NodeRole(.legacy(.columns(places.prepared(for: node))), title)
        case .legacy(.mixedTypes) where !node.header.isInner:
            NodeRole(.numbers(.legacyMixedTypes), title)
        default:
            self
        }
    }

    /// For nodes that no known way leads to.
    static let unknown = NodeRole(.unknown, "unknown")
}

/// What numbers in a node without refs mean.
enum NumberMeaning: Sendable {
    case plain
    /// Byte offsets or sizes.
    case bytes
    case columnTypes
    case columnAttributes
    case columnKeys
    case tableKeys
    /// Object keys, relative to an offset.
    case objectKeys(offset: UInt64)
    /// Four bytes of a value in a search index.
    case indexChunks
    /// Types of Mixed values and where they are.
    case mixedTypes
    /// Column types of formats 2 to 9.
    case legacyColumnTypes
    /// Types of values in an old Mixed column.
    case legacyMixedTypes
}
