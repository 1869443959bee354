import RealmExchange
import RealmReader
import TestSupport

extension KnownFile {
    /// The file's current snapshot.
    func snapshot() throws -> Snapshot { try RealmDatabase(path: url.path).snapshot() }
}

extension JSONValue {
    /// The same as text for people who read failures.
    func parsed() throws -> [JSON.Member] { try JSON(parsing: Array(compact.utf8)).members() }
}
