// Copies of a snapshot. They are asynchronous, run outside the caller's thread, and can be cancelled.

extension Snapshot {
    /// Writes the commit into a new file of the same format, without free space, history and the previous commit.
    ///
    /// ```swift
    /// try await snapshot.compact(to: NewFile("compact.realm"))
    /// ```
    ///
    /// - Throws: `WriteError`. A task that is cancelled before it begins writes nothing.
    public func compact(to file: NewFile) async throws {
        try Task.checkCancellation()
        try Compaction(self).write(to: file)
    }

    /// Writes the content, or that of some classes, into a new file of format 24.
    ///
    /// ```swift
    /// let leftOut = try await snapshot.rebuild(to: NewFile("dogs.realm"), classes: ["Dog"])
    /// print(leftOut.count)
    /// ```
    ///
    /// - Parameters:
    ///   - file: the new file.
    ///   - classes: the classes to write; nil for all. Objects embedded in them are included.
    /// - Returns: the links that were left out because their targets were not selected.
    /// - Throws: `noSuchTable`, `WriteError`. A task that is cancelled before it begins writes nothing.
    @discardableResult
    public func rebuild(to file: NewFile, classes: [String]? = nil) async throws -> [OmittedLinks] {
        try Task.checkCancellation()
        return try (classes.map { try Rebuild(self, classes: $0) } ?? Rebuild(self)).write(to: file)
    }
}
