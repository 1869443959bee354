// What is done with a whole file, in one shape: awaited, beside the caller's thread, until its task is cancelled.

extension RealmDatabase {
    /// Checks the whole file, both commits, and what is free (`Verification`).
    ///
    /// ```swift
    /// let report = try await database.verify(.deep)
    /// for finding in report.findings { print(finding.check.rawValue, finding.message) }
    /// print(report.isSound)
    /// ```
    ///
    /// `Verification` itself checks files that cannot even be opened, and is not awaited.
    ///
    /// - Parameters:
    ///   - level: how much to look at.
    ///   - maximumFindings: how many findings to keep, the worst first; all are counted.
    ///   - jobs: threads that work at the same time.
    ///   - progress: hears how many objects of how many were looked at, from time to time.
    /// - Throws: `CancellationError` when the task was cancelled; of an encrypted file `StorageError` when there is no room for its pages.
    public func verify(
        _ level: VerificationLevel = .standard, maximumFindings: Int = 100, jobs: Int = 1,
        progress: (@Sendable (_ checked: Int, _ total: Int) -> Void)? = nil
    ) async throws -> VerificationReport {
        var verification = Verification(level: level, maximumFindings: maximumFindings, jobs: jobs)
        verification.isCancellable = true
        verification.tally = ObjectTally(total: countOfObjects(at: level), progress)
        try Task.checkCancellation()
        let report =
            if let key = data.pages?.key { try verification.run(on: data.source, key: key) } else {
                verification.run(on: data.source)
            }
        try Task.checkCancellation()
        return report
    }

    /// The objects that a verification looks at.
    private func countOfObjects(at level: VerificationLevel) -> Int {
        let commits: [SnapshotSelection] = level == .deep ? [.current, .otherSlot] : [.current]
        return commits.reduce(0) { $0 + ((try? snapshot($1, toleratingDamage: true))?.countOfObjects ?? 0) }
    }

    /// Brings everything that can be read of the file into a new one of format 24 (`Salvage`).
    ///
    /// ```swift
    /// let result = try await database.salvage(to: NewFile("salvaged.realm"))
    /// for table in result.report.tables { print(table.name, table.objects, table.isIntact) }
    /// ```
    ///
    /// `Salvage` itself takes files that cannot even be opened, and is not awaited.
    ///
    /// - Parameters:
    ///   - file: the new file.
    ///   - root: which commit is salvaged.
    ///   - progress: hears how many objects of how many that are left are copied, from time to time.
    /// - Throws: as `Salvage.write(to:)`. A task that is cancelled before it begins writes nothing.
    public func salvage(
        to file: NewFile, from root: Salvage.Root = .current,
        progress: (@Sendable (_ copied: Int, _ total: Int) -> Void)? = nil
    ) async throws -> Salvage.Result {
        try Task.checkCancellation()
        var salvage =
            if let key = data.pages?.key { try Salvage(data.source, key: key) } else { Salvage(data.source) }
        (salvage.root, salvage.progress) = (root, progress)
        return try salvage.write(to: file)
    }

    /// Makes a file of its own of a commit that is complete, when the last one is not (`FileRepair`).
    ///
    /// ```swift
    /// if let report = try await database.repair(.otherSlot, to: NewFile("before.realm")) { print(report.isSound) }
    /// ```
    ///
    /// `FileRepair` itself takes files that cannot even be opened, and shows its plan first.
    ///
    /// - Parameters:
    ///   - method: where to look for the commit.
    ///   - file: the new file.
    /// - Returns: what the verifier says of the new file; nil when no commit is complete, and nothing is written.
    /// - Throws: as `FileRepair.plan(_:)` and `FileRepair.write(_:to:)`. A task that is cancelled before it writes writes nothing.
    public func repair(_ method: RepairMethod, to file: NewFile) async throws -> VerificationReport? {
        try Task.checkCancellation()
        let repair =
            if let key = data.pages?.key { try FileRepair(data.source, key: key) } else { FileRepair(data.source) }
        let plan = try repair.plan(method)
        try Task.checkCancellation()
        return plan.isComplete ? try repair.write(plan, to: file) : nil
    }
}

extension Snapshot {
    /// Hashes the content: two files with the same hash hold the same, however they lie on the disk (`contentHash`).
    ///
    /// ```swift
    /// let hash = try await snapshot.hash(by: .primaryKey) { hashed, total in print("\(hashed) of \(total) objects") }
    /// print(hash.total)
    /// ```
    ///
    /// - Parameters:
    ///   - identity: what an object is known by.
    ///   - progress: hears how many objects of how many are hashed, from time to time.
    /// - Throws: as `contentHash(by:includesSystemTables:)`; `CancellationError` when the task was cancelled.
    public func hash(
        by identity: ContentIdentity = .objectKey, progress: (@Sendable (_ hashed: Int, _ total: Int) -> Void)? = nil
    ) async throws -> ContentHash {
        try contentHash(by: identity, progress: progress)
    }

    /// Writes the commit into a new file of the same format: without free space, history and the commit before.
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
    ///   - classes: the classes to write; nil for all. What is embedded in them goes along.
    /// - Returns: the links that are left out because they lead to objects that were not chosen.
    /// - Throws: `noSuchTable`, `WriteError`. A task that is cancelled before it begins writes nothing.
    @discardableResult
    public func rebuild(to file: NewFile, classes: [String]? = nil) async throws -> [OmittedLinks] {
        try Task.checkCancellation()
        return try (classes.map { try Rebuild(self, classes: $0) } ?? Rebuild(self)).write(to: file)
    }
}
