internal import RealmReader
internal import RealmStorage

/// How much of what grows with the number of objects is in memory, and where the rest goes.
struct SpillRoom {
    /// Bytes of entries of all indexes of a file that are in memory at most, and as many of objects that wait for their
    /// order; sorting takes as much again for one of them.
    static let usualMemory = 64 << 20
    /// Runs on the disk should not be too short.
    private static let leastMemory = 1 << 18

    /// Bytes of one index.
    let bytesOfIndex: Int
    /// Bytes of the objects of one table.
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
