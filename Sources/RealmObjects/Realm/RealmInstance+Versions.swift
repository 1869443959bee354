internal import RealmReader
internal import RealmStorage
internal import RealmWriter

extension RealmInstance {
    /// Shows a version, or a later one.
    func show(atLeast version: Snapshot) {
        checkConfinement()
        if snapshot.commitNumber < version.commitNumber {
            // What is later than a commit of this realm that waits for the disk is later than its end.
            waitForCommit()
            _ = refresh()
        } else if isUnread, version !== snapshot, showsCommit() {
            show(version)
            scheduleAdvance()
        }
    }

    /// The version at hand for all threads; inside of a transaction the one before.
    func frozen() -> RealmInstance {
        if isFrozen { return self }
        checkConfinement()
        waitForCommit()
        let version = versionToFreeze
        if let known = lastFrozen?.realm, known.snapshot === version, known.models.count == models.count {
            return known
        }
        let new = RealmInstance(database, configuration, .everywhere, models, version)
        lastFrozen = new.anchor
        return new
    }

    /// The realm of this thread.
    func thawed() -> RealmInstance {
        guard isFrozen else { return self }
        return database.realm(configuration, .currentThread, models)
    }

    /// Shows the last version, and tells observers, also of what was committed here. Does nothing while they are told.
    ///
    /// - Returns: whether it is another version.
    func refreshAndTell() -> Bool {
        checkConfinement()
        guard !isFrozen, !observers.areBeingTold, showsCommit() else { return false }
        let isAnother = refresh()
        if isAnother { observers.tellOfChange(.didChange, self) }
        observers.tell(self)
        return isAnother
    }

    func writeCopy(_ path: String, _ key: EncryptionKey?) throws {
        settle()
        try translatingErrors(path) {
            var file = NewFile(path)
            file.key = key
            try Compaction(snapshot).write(to: file)
        }
    }
}
