import Foundation
import RealmObjects

/// A memo, as version 7 of the app has it.
class Memo: Object {
    @Persisted var title = ""
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var memoDescription = ""
    @Persisted var count = 0.0
}

/// A memo, as version 0 had it.
class FirstMemo: Object {
    @Persisted var memoTitle = ""
    @Persisted var date: Date?

    override class func _realmObjectName() -> String? { "Memo" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The way of a file from any version to the last one.
///
/// 1 and 2 had one more property for a while, which takes no code. 3 renamed `memoTitle`, 4 added a description, 5 a count, 6 made that a
/// `Double`, 7 asks for a date.
@Sendable func migrate(_ migration: Migration, from version: UInt64) {
    if version < 3 { migration.renameProperty(onType: "Memo", from: "memoTitle", to: "title") }
    migration.enumerateObjects(ofType: "Memo") { old, new in
        let date = old?["date"] as? Date
        if version < 4 {
            let day = date?.formatted(.iso8601.year().month().day()) ?? "no date"
            new?["memoDescription"] = "\(new?["title"] as? String ?? ""), \(day)"
        }
        if version < 6 {
            let count = version < 5 ? 100 : old?["count"] as? Int ?? 0
            new?["count"] = count < 5 ? 5.5 : Double(count)
        }
        if version < 7, date == nil { new?["date"] = Date(timeIntervalSince1970: 0) }
    }
}
