public import RealmCore
internal import RealmLayout
internal import RealmStorage

// Operations on a whole file. All are asynchronous, run outside the caller's thread, and can be cancelled.

extension RealmDatabase {
    /// Checks the whole file, both commits, and the free space (`Verification`).
    ///
    /// ```swift
    /// let report = try await database.verify(.deep)
    /// for finding in report.findings { print(finding.check.rawValue, finding.message) }
    /// print(report.isSound)
    /// ```
    ///
    /// `Verification` itself also checks files that cannot be opened. It is synchronous.
    ///
    /// - Parameters:
    ///   - level: how much to check.
    ///   - maximumFindings: how many findings to keep, the worst first; all are counted.
    ///   - jobs: the number of threads.
    ///   - progress: called from time to time with the number of checked objects and the total.
    /// - Throws: `CancellationError` if the task was cancelled; for an encrypted file, `StorageError` if its pages do
    ///   not fit in memory.
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

    /// The number of objects that a verification visits.
    private func countOfObjects(at level: VerificationLevel) -> Int {
        let commits: [SnapshotSelection] = level == .deep ? [.current, .otherSlot] : [.current]
        return commits.reduce(0) { $0 + ((try? snapshot($1, toleratingDamage: true))?.countOfObjects ?? 0) }
    }

    /// Copies everything readable into a new file of format 24 (`Salvage`).
    ///
    /// ```swift
    /// let result = try await database.salvage(to: NewFile("salvaged.realm"))
    /// for table in result.report.tables { print(table.name, table.objects, table.isIntact) }
    /// ```
    ///
    /// `Salvage` itself also accepts files that cannot be opened. It is synchronous.
    ///
    /// - Parameters:
    ///   - file: the new file.
    ///   - root: the commit to salvage.
    ///   - progress: called from time to time with the number of copied objects and the total of those that are left.
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

    /// Writes a complete commit into a new file, for a file whose last commit is damaged (`FileRepair`).
    ///
    /// ```swift
    /// if let report = try await database.repair(.otherSlot, to: NewFile("before.realm")) { print(report.isSound) }
    /// ```
    ///
    /// `FileRepair` itself also accepts files that cannot be opened, and shows its plan first.
    ///
    /// - Parameters:
    ///   - method: where to look for the commit.
    ///   - file: the new file.
    /// - Returns: the verification report of the new file; nil if no commit is complete, and nothing was written.
    /// - Throws: as `FileRepair.plan(_:)` and `FileRepair.write(_:to:)`. A task that is cancelled before writing writes
    ///   nothing.
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
    /// Hashes the content. Equal hashes mean equal content, whatever the layout of the files (`contentHash`).
    ///
    /// ```swift
    /// let hash = try await snapshot.hash(by: .primaryKey) { hashed, total in print("\(hashed) of \(total) objects") }
    /// print(hash.total)
    /// ```
    ///
    /// - Parameters:
    ///   - identity: how objects are identified.
    ///   - progress: called from time to time with the number of hashed objects and the total.
    /// - Throws: as `contentHash(by:includesSystemTables:)`; `CancellationError` if the task was cancelled.
    public func hash(
        by identity: ContentIdentity = .objectKey, progress: (@Sendable (_ hashed: Int, _ total: Int) -> Void)? = nil
    ) async throws -> ContentHash {
        try contentHash(by: identity, progress: progress)
    }
}
