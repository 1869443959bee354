internal import RealmReader
internal import RealmStorage
public import RealmWriter

extension RealmStore {
    /// Writes the database into a new file without free space, which takes the place of the old one.
    ///
    /// Who writes waits meanwhile. The commit keeps its number, and snapshots that were handed out stay as they are: the old file is gone
    /// when the last of them is. `changes(since:)` of a snapshot before looks at the whole database, once. Takes as much room on the disk as the new file has, and time for all of it.
    ///
    /// - Throws: `WriteError` where the caller has a transaction open, and what the system refuses: nothing has changed then.
    public func compact(isolation: (any Actor)? = #isolation) throws(WriteError) {
        let turn = try takeTurn(LockOwner(on: isolation))
        defer { turn.end() }
        let database = try database()
        do throws(WriteError) {
            replace(try database.compacted())
        } catch {
            // Nobody would find what is committed to a file that has lost its name.
            if database.hasLostItsName {
                let failure = if case .storage(let failure) = error { failure } else { StorageError.closed(queue.path) }
                fail(failure)
            }
            throw error
        }
    }
}

extension OpenDatabase {
    /// The same commit in a new place, without free space.
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

    /// Whether another file has the name of this one.
    var hasLostItsName: Bool { !device.hasItsName }

    /// Compacts the database if that is worth it.
    ///
    /// - Parameter isWorth: says so, given the bytes of the file and those that are in use.
    func compacted(where isWorth: ((_ total: Int, _ used: Int) -> Bool)?) throws -> OpenDatabase {
        guard let isWorth else { return self }
        let used = current.logicalSize - (try current.freeBytes() ?? 0)
        return isWorth(try device.size(), used) ? try compacted() : self
    }
}
