internal import RealmReader
internal import RealmStorage

/// How much of each index that is being made is in memory, and where the rest goes.
struct IndexRoom {
    /// Bytes of all indexes of a file that are in memory at most; sorting takes as much again for one of them.
    static let usualMemory = 64 << 20
    /// Runs on the disk should not be too short.
    private static let leastMemory = 1 << 18

    /// Bytes of one index.
    let bytesInMemory: Int
    let file: SpillFile

    init(_ definitions: [TableDefinition], memory: Int, beside path: String) {
        let count = definitions.reduce(0) { count, table in
            count
                + table.properties.count { property in
                    property.effectiveIndex(isPrimaryKey: property.name == table.primaryKey) != .none
                }
        }
        bytesInMemory = max(min(memory, Self.leastMemory), memory / max(1, count))
        file = SpillFile(beside: path)
    }
}
