internal import RealmCore
internal import RealmLayout

/// The purpose of a node. Nodes do not store it; it follows from the path from the group's top.
struct NodeRole: Sendable {
    /// The kind of structure the node is part of, with the data needed to determine its children's roles.
    indirect enum Kind: Sendable {
        /// The root of the snapshot (Spec 70).
        case groupTop
        /// The list of tables.
        case tables
        /// The top of a table (Spec 60). `table` is its position in `Snapshot.cores`, nil when it could not be read.
        case tableTop(table: TablePosition?)
        case spec(table: TablePosition?)
        /// The distinct strings of enumerated columns, one leaf for each column.
        case distinctStrings(table: TablePosition?)
        /// The search indexes, one for each column.
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
        /// A dictionary from format 23 on: parallel lists of keys and values.
        case dictionary(keys: LeafType)
        /// The collections in the values of a Mixed leaf, with the types of those values.
        case nestedCollections(types: IntegerVector)
        /// The bytes of a value.
        case bytes
        /// Numbers with their meaning.
        case numbers(NumberMeaning)
        /// A node that exists only in formats 2 to 9.
        case legacy(LegacyRole)
        /// The history's root, by the kind of its reader.
        case history(HistoryType?)
        /// Unknown.
        case unknown
    }

    let kind: Kind
    /// Display text, such as "cluster tree of class_Person".
    let title: String

    init(_ kind: Kind, _ title: String) {
        self.kind = kind
        self.title = title
    }

    /// Returns the same role, prepared for reading the node's elements one by one.
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

    /// The role of nodes that no known path leads to.
    static let unknown = NodeRole(.unknown, "unknown")
}

/// The meaning of numbers in a node without refs.
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
    /// Types of Mixed values and their positions.
    case mixedTypes
    /// Column types of formats 2 to 9.
    case legacyColumnTypes
    /// Types of values in an old Mixed column.
    case legacyMixedTypes
}
