import Expectations
import Foundation
import RealmCore
import RealmForensics
import RealmObjects
import TestSupport
import Testing

/// Files written by Device Sync: they are read-only, and copies are local files.
@Suite struct SynchronisedFileTests {
    @Test func `a copy of a read-only synchronised file is a local one`() throws {
        let file = TestRealm([])
        try Data(KnownFile.synchronised()).write(to: URL(filePath: file.path))
        try check(file, classes: 2)
    }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: ["client_schema_version_001", "client_schema_version_002", "client_schema_version_011"])
    func `a copy of a file of a sync client is a local one`(name: String) throws {
        let (file, known) = (TestRealm([]), try #require(KnownFile.upstream.first { $0.name == "upstream/\(name)" }))
        try FileManager.default.copyItem(at: known.url, to: URL(filePath: file.path))
        try check(file, classes: 1)
    }

    private func check(_ file: TestRealm, classes: Int) throws {
        let bytes = try Data(contentsOf: URL(filePath: file.path))
        let original = try RealmDatabase(path: file.path).snapshot()
        expect(original.history.type == .syncClient && original.classes.count >= classes)
        let error = #expect(throws: Realm.Error.self) { try file.open() }
        expect(error?.code == .incompatibleHistories && error?.message.contains("is a local one") ?? false)

        let copy = TestRealm([])
        file.configuration.readOnly = true
        try { try file.open().writeCopy(toFile: URL(filePath: copy.path)) }()
        try expectEqual(RealmDatabase(path: copy.path).snapshot().contentHash(), original.contentHash())
        try {
            let realm = try copy.open()
            realm.beginWrite()
            for known in original.classes where known.schema.kind == .topLevel {
                realm.delete(realm.dynamicObjects(known.name))
                expect(realm.dynamicObjects(known.name).isEmpty)
            }
            realm.cancelWrite()
        }()
        defer { try? FileManager.default.removeItem(atPath: copy.path + ".format-22.backup") }
        let counts = try copy.verified().classes.map { "\($0.name) \(try $0.count)" }
        try expectEqual(counts, original.classes.map { "\($0.name) \(try $0.count)" })
        try expectEqual(Data(contentsOf: URL(filePath: file.path)), bytes)
    }
}
