import Foundation
import RealmObjects

/// Memos in a file: `memo add TITLE`, `memo list`, `memo old`, which makes a file as the first version of the app did. Without
/// a command all of it is shown.
@main
enum Main {
    static let file = URL(filePath: ProcessInfo.processInfo.environment["MEMO_FILE"] ?? "memos.realm")

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "add": try add(arguments.dropFirst().joined(separator: " "))
        case "list": try list()
        case "old": try makeOld()
        case nil:
            try makeOld()
            try add("written by version 7")
            try list()
        default: print("memo add TITLE | list | old")
        }
    }

    static func open() throws -> Realm {
        try Realm(
            configuration: Realm.Configuration(
                fileURL: file, schemaVersion: 7, migrationBlock: { migrate($0, from: $1) }, objectTypes: [Memo.self]))
    }

    static func add(_ title: String) throws {
        let realm = try open()
        try realm.write {
            realm.create(Memo.self, value: ["title": title, "date": Date(), "memoDescription": title, "count": 1.0])
        }
    }

    static func list() throws {
        let memos = try open().objects(Memo.self)
        for memo in memos.sorted(by: \.date) {
            print(
                "\(memo.date.formatted(.iso8601.year().month().day()))  \(memo.title): \(memo.memoDescription) (\(memo.count))"
            )
        }
        print("\(memos.count) memos, counts together \(memos.sum(of: \.count) as Double)")
    }

    static func makeOld() throws {
        let configuration = Realm.Configuration(fileURL: file, schemaVersion: 0, objectTypes: [FirstMemo.self])
        try Realm.deleteFiles(for: configuration)
        let realm = try Realm(configuration: configuration)
        try realm.write {
            realm.create(FirstMemo.self, value: ["Buy milk", Date(timeIntervalSince1970: 1_700_000_000)])
            realm.create(FirstMemo.self, value: ["Call Ann"])
        }
        print("\(file.lastPathComponent): 2 memos of version \(try schemaVersionAtURL(file))")
    }
}
