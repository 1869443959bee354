public import RealmCore
internal import RealmStorage

extension RealmStore {
    /// Replaces the database file with a new one without free space.
    ///
    /// Writers wait meanwhile. The commit keeps its number, and existing snapshots stay valid: the old file disappears
    /// with the last of them. The first `changes(since:)` of an earlier snapshot compares the whole database. Needs
    /// disk space for the new file, and time proportional to its size.
    ///
    /// - Throws: `WriteError` if the caller has an open transaction, and for errors of the system; nothing has changed
    ///   then.
    public func compact(isolation: (any Actor)? = #isolation) throws(WriteError) {
        let turn = try takeTurn(LockOwner(on: isolation))
        defer { turn.end() }
        let database = try database()
        do throws(WriteError) {
            replace(try database.compacted())
        } catch {
            // Commits to a file that has lost its name could not be found.
            if database.hasLostItsName {
                let failure = if case .storage(let failure) = error { failure } else { StorageError.closed(queue.path) }
                fail(failure)
            }
            throw error
        }
    }
}

extension OpenDatabase {
    /// Writes the same commit to a new place, without free space.
    ///
    /// - Throws: `WriteError`.
    func compacted() throws(WriteError) -> OpenDatabase {
        let place = current.data.source.device
        let compaction = Compaction(current, commitNumber: current.commitNumber)
        guard let file else {
            let output = MemoryOutput()
            try compaction.write(to: NewFile(in: output))
            return try opened {
                try OpenDatabase(MemoryDevice(output.bytes, named: device.path, replacing: place), .none)
            }
        }
        try compaction.write(to: file.replacement)
        return try opened { try OpenDatabase(file, replacing: place) }
    }

    private func opened(_ body: () throws -> OpenDatabase) throws(WriteError) -> OpenDatabase {
        do {
            return try body()
        } catch let error as StorageError {
            throw .storage(error)
        } catch {
            throw .internalInconsistency("\(error)")
        }
    }

    /// Whether the path now leads to another file.
    var hasLostItsName: Bool { !device.hasItsName }

    /// Compacts the database if that is worthwhile.
    ///
    /// - Parameter isWorth: decides, given the size of the file and the number of bytes in use.
    func compacted(where isWorth: ((_ total: Int, _ used: Int) -> Bool)?) throws -> OpenDatabase {
        guard let isWorth else { return self }
        let used = current.logicalSize - (try current.freeBytes() ?? 0)
        return isWorth(try device.size(), used) ? try compacted() : self
    }
}
