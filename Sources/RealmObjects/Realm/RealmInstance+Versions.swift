internal import RealmCore
internal import RealmStorage

extension RealmInstance {
    /// Shows a version, or a later one.
    func show(atLeast version: Snapshot) {
        checkConfinement()
        if snapshot.commitNumber < version.commitNumber {
            // A version later than a pending commit of this realm can only follow the end of that commit.
            waitForCommit()
            _ = refresh()
        } else if isUnread, version !== snapshot, showsCommit() {
            show(version)
            scheduleAdvance()
        }
    }

    /// Returns a frozen realm of the current version; inside a transaction, of the version before it.
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

    /// Returns the live realm of this thread.
    func thawed() -> RealmInstance {
        guard isFrozen else { return self }
        return database.realm(configuration, .currentThread, models)
    }

    /// Shows the latest version, and notifies observers, also of commits made here. Does nothing while they are being
    /// notified.
    ///
    /// - Returns: whether the version changed.
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
