// Descriptions of the slots, for error messages and for the inspector.

extension GroupTopSlot {
    package var words: String {
        switch self {
        case .tableNames: "table names"
        case .tables: "tables"
        case .logicalFileSize: "logical file size"
        case .freePositions: "free positions"
        case .freeLengths: "free lengths"
        case .freeVersions: "free versions"
        case .version: "commit number"
        case .historyType: "history type"
        case .history: "history"
        case .historySchemaVersion: "history layout"
        case .syncFileIdentifier: "sync file identifier"
        case .evacuationPoint: "evacuation point"
        }
    }
}

extension TableTopSlot {
    package var words: String {
        switch self {
        case .spec: "spec"
        case .columns: "columns"
        case .clusterTree: "cluster tree"
        case .tableKey: "table key"
        case .searchIndexes: "search indexes"
        case .columnKeySequence: "column key sequence"
        case .contentVersion: "content version"
        case .oppositeTables: "opposite tables"
        case .oppositeColumns: "opposite columns"
        case .sequenceNumber: "sequence number"
        case .collisionMap: "collision map"
        case .primaryKeyColumn: "primary key"
        case .flags: "flags"
        case .tombstones: "tombstones"
        }
    }
}

extension SpecSlot {
    package var words: String {
        switch self {
        case .types: "column types"
        case .names: "column names"
        case .attributes: "column attributes"
        case .vacant: "vacant"
        case .enumKeys: "distinct strings"
        case .columnKeys: "column keys"
        }
    }
}

extension ClusterInnerSlot {
    package var words: String {
        switch self {
        case .keyOffsets: "key offsets"
        case .depth: "depth"
        case .objectCount: "number of objects"
        case .firstChild: "first child"
        }
    }
}

extension DictionarySlot {
    package var words: String { "\(self)" }
}

extension TimestampSlot {
    package var words: String { "\(self)" }
}

extension MediumSlot {
    package var words: String {
        switch self {
        case .endOffsets: "end offsets"
        case .bytes: "bytes"
        case .nullFlags: "null flags"
        }
    }
}

extension MixedSlot {
    @usableFromInline package var words: String {
        switch self {
        case .composites: "types"
        case .integers: "integers"
        case .pairs: "pairs"
        case .strings: "strings"
        case .collections: "collections"
        case .collectionKeys: "collection keys"
        }
    }
}

extension LegacySpecSlot {
    package var words: String {
        switch self {
        case .types: "column types"
        case .names: "column names"
        case .attributes: "column attributes"
        case .subspecs: "targets"
        case .enumKeys: "key lists"
        }
    }
}

extension LegacyMixedSlot {
    package var words: String { "\(self)" }
}
