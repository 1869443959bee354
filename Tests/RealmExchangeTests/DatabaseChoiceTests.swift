import Expectations
import Foundation
import RealmCore
import RealmExchange
import TestSupport
import Testing

/// One database of a dump is imported: the only one, or the chosen one. The rest of the dump is named.
@Suite struct DatabaseChoiceTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try add("shop/Order.json", #"{"_id": 1}"#)
        try add("shop/Order.metadata.json", #"{"indexes": [], "collectionName": "Order"}"#)
        try add("shop/Big.metadata.json", #"{"options": {"viewOn": "Order", "pipeline": []}, "collectionName": "Big"}"#)
    }

    private func add(_ name: String, _ text: String) throws {
        let path = folder.file("dump/\(name)")
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try folder.write(Array(text.utf8), "dump/\(name)")
    }

    @Test func `one of several databases must be chosen`() throws {
        try add("blog/Post.json", #"{"_id": 1}"#)
        let error = #expect(throws: ImportError.self) { try Imported(path: folder.file("dump")) }
        expectEqual(error?.description.contains("several databases, blog, shop; choose one with --db"), true)
        for (name, className) in [("blog", "Post"), ("shop", "Order")] {
            let imported = try Imported(path: folder.file("dump")) { $0.database = name }
            expectEqual(imported.report.tables.map(\.name), [className])
            // Or by its folder.
            try expectEqual(Imported(path: folder.file("dump/\(name)")).report.tables.map(\.name), [className])
        }
    }

    /// A dump of a whole server contains system databases of the server.
    @Test func `databases of the server are omitted`() throws {
        try add("admin/system.version.json", #"{"_id": "a"}"#)
        try add("config/x.json", #"{"_id": "a"}"#)
        let imported = try Imported(path: folder.file("dump"))
        expectEqual(imported.report.tables.map(\.name), ["Order"])
        expectEqual(imported.report.notes.filter { $0.reason.contains("MongoDB's own") }.count, 2)
        let admin = try Imported(path: folder.file("dump")) { $0.database = "admin" }
        expectEqual(admin.report.tables.map(\.name), ["system.version"])
    }

    @Test func `other files are reported`() throws {
        try add("oplog.bson", "")
        try add("prelude.json", "{}")
        try add("shop/Empty.metadata.json", #"{"indexes": [], "collectionName": "Empty"}"#)
        let imported = try Imported(path: folder.file("dump"))
        let notes = imported.report.notes.map { "\($0.path.split(separator: "/").last ?? ""): \($0.reason)" }
        expectEqual(
            notes,
            [
                "oplog.bson: operations during the dump, which mongorestore --oplogReplay applies",
                "prelude.json: what mongodump says of the server",
                "Big.metadata.json: a view, which has no documents of its own",
                "Empty.metadata.json: metadata of a collection without documents",
            ])
        // This is no loss.
        expect(imported.report.isComplete)
    }
}
