internal import RealmLayout

/// Writes the current commit of a file into a new one of the same format, without free space, history and the previous
/// commit. Nodes and object keys are unchanged.
package struct Compaction: Sendable {
    private let source: Snapshot
    /// The commit number in the new file.
    private let commitNumber: UInt64

    /// Prepares to write the content of `source`.
    package init(_ source: Snapshot) { self.init(source, commitNumber: GroupTop.firstCommit) }

    /// Prepares to write the content of `source` with a given commit number.
    package init(_ source: Snapshot, commitNumber: UInt64) { (self.source, self.commitNumber) = (source, commitNumber) }

    /// Writes the file.
    ///
    /// - Throws: Errors of the source's nodes; `fileChanged` when another process changed it meanwhile; errors of the
    ///   system. The file at the path is then unchanged.
    package func write(to file: NewFile) throws(WriteError) {
        try file.write { output throws(WriteError) in
            guard let group = source.group else {
                if let damage = source.damage.first { throw .source(damage) }
                // An empty file. The next program to open it chooses the format.
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
    /// Saves the snapshot as a new file that can be opened like any other.
    ///
    /// ```swift
    /// let store = try RealmStore(inMemory: schema)
    /// try store.snapshot().write(to: NewFile("saved.realm"))
    /// ```
    ///
    /// - Throws: `WriteError`: errors of the source's nodes, a change of the source by another process meanwhile, or
    ///   errors of the system. The file at the path is then unchanged.
    public func write(to file: NewFile) throws(WriteError) { try Compaction(self).write(to: file) }
}
