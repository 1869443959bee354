extension Realm.Configuration {
    /// Terminates the program if the configuration has conflicting options, as RealmSwift does.
    func check() {
        if let inMemoryIdentifier {
            if inMemoryIdentifier.isEmpty { Failure.stop("In-memory identifier must not be empty") }
        } else if let path, path.isEmpty {
            Failure.stop("Realm path must not be empty")
        }
        if schemaVersion == .max { Failure.stop("Cannot set schema version to \(schemaVersion) (RLMNotVersioned)") }
        guard readOnly else { return }
        if deleteRealmIfMigrationNeeded {
            Failure.stop("Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
        }
        if shouldCompactOnLaunch != nil {
            Failure.stop("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
        }
    }
}
