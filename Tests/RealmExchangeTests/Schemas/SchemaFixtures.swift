import RealmCore
import RealmExchange
import TestSupport

extension KnownFile {
    /// Returns the file's current snapshot.
    func snapshot() throws -> Snapshot { try RealmDatabase(path: url.path).snapshot() }
}

extension JSONValue {
    /// Returns the value parsed again, with readable failures.
    func parsed() throws -> [JSON.Member] { try JSON(parsing: Array(compact.utf8)).members() }
}
