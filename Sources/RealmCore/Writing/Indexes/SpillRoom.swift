internal import RealmStorage

/// Memory limits for data that grows with the number of objects, and the place for the rest.
struct SpillRoom {
    /// Default limit in bytes for the entries of all indexes of a file, and for objects waiting to be sorted. Sorting
    /// one of them temporarily doubles its memory.
    static let usualMemory = 64 << 20
    /// Minimum memory, which keeps runs on disk from being too short.
    private static let leastMemory = 1 << 18

    /// Limit in bytes for one index.
    let bytesOfIndex: Int
    /// Limit in bytes for the objects of one table.
    let bytesOfTable: Int
    let folder: ScratchFolder
    let file: SpillFile

    init(_ definitions: [TableDefinition], memory: Int, in folder: ScratchFolder) {
        let indexes = definitions.reduce(0) { count, table in
            count
                + table.properties.count { property in
                    property.effectiveIndex(isPrimaryKey: property.name == table.primaryKey) != .none
                }
        }
        let least = min(memory, Self.leastMemory)
        bytesOfIndex = max(least, memory / max(1, indexes))
        bytesOfTable = max(least, memory / max(1, definitions.count))
        self.folder = folder
        file = SpillFile(in: folder)
    }
}
