internal import RealmLayout
public import RealmReader

/// Writes the current commit of a file into a new one of the same format: without free space, history and the commit before.
/// Every node stays as it is; object keys do, too.
package struct Compaction: Sendable {
    private let source: Snapshot
    /// The number that the commit has in the new file.
    private let commitNumber: UInt64

    /// Prepares for writing the content of `source`.
    package init(_ source: Snapshot) { self.init(source, commitNumber: GroupTop.firstCommit) }

    /// Prepares for writing the content of `source` as the commit of a number.
    package init(_ source: Snapshot, commitNumber: UInt64) { (self.source, self.commitNumber) = (source, commitNumber) }

    /// Writes the file.
    ///
    /// - Throws: what is wrong with nodes of the source, or that another process changed it meanwhile, or what the system
    ///   refuses. Nothing has changed at the path then.
    package func write(to file: NewFile) throws(WriteError) {
        try file.write { output throws(WriteError) in
            guard let group = source.group else {
                if let damage = source.damage.first { throw .source(damage) }
                // An empty file: any program decides on its format.
                return FileHeader.bytes(selecting: (Ref(0), source.version))
            }
            let nodes = NodeOutput(output)
            var copy = NodeCopy(source, to: nodes)
            let (names, tables) = try checked { () throws(FormatError) in
                try source.reading { () throws(FormatError) in try group.roots() }
            }
            let copiedNames = try copy.copy(names)
            let copiedTables = try copy.copy(tables)
            let root = try GroupTop(format: source.version, commitNumber: commitNumber).write(
                names: copiedNames, tables: copiedTables, to: nodes)
            try nodes.end()
            try checked { () throws(FormatError) in try source.checkUnchanged() }
            return FileHeader.bytes(selecting: (root, source.version))
        }
    }
}

extension Snapshot {
    /// Saves the snapshot as a new file, which can be opened like any other.
    ///
    /// ```swift
    /// let store = try RealmStore(inMemory: schema)
    /// try store.snapshot().write(to: NewFile("saved.realm"))
    /// ```
    ///
    /// - Throws: `WriteError`; what is wrong with nodes of the source, that another process changed it meanwhile, or what the system refuses.
    ///   Nothing has changed at the path then.
    public func write(to file: NewFile) throws(WriteError) { try Compaction(self).write(to: file) }
}
