import Expectations
import Foundation
import RealmCore
import RealmExchange
import RealmStorage
import TestSupport
import Testing

/// An export replaces another atomically: afterwards the folder contains either the new one and nothing of the old, or
/// the unchanged old one.
@Suite struct ReplacedExportTests {
    /// The differences between two exports into one folder.
    struct Variant: CustomTestStringConvertible, Sendable {
        var database = "db"
        var compressing = false
        var change: @Sendable (inout ExportOptions) -> Void = { _ in }
        let testDescription: String

        static let all = [
            Variant(testDescription: "mongo"),
            Variant(change: { $0.profile = .canonical }, testDescription: "canonical"),
            Variant(change: { $0.classNames = ["Dog"] }, testDescription: "one class"),
            Variant(compressing: true, testDescription: "gzip"),
            Variant(database: "other", testDescription: "other database"),
            Variant(change: { $0.format = .csv }, testDescription: "csv"),
            Variant(
                change: {
                    $0.format = .json; $0.isJSONArray = true
                }, testDescription: "json"),
        ]

        func export(_ snapshot: Snapshot, to folder: String, replacing: Bool) async throws {
            var options = ExportOptions()
            change(&options)
            _ = try await Exporter(snapshot, options)
                .export(toFolder: folder, database: database, compressing: compressing, replacing: replacing)
        }
    }

    private let folder: TemporaryFolder
    private let kennel: Snapshot

    init() throws {
        folder = try TemporaryFolder()
        kennel = try RealmDatabase(path: KnownFile.fixture("kennel").url.path).snapshot()
    }

    /// Returns all files of a folder with their bytes.
    private func contents(_ name: String) throws -> [String: [UInt8]] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.file(name))
        var found: [String: [UInt8]] = [:]
        for path in paths {
            if let bytes = folder.bytes("\(name)/\(path)") { found[path] = bytes }
        }
        return found
    }

    @Test(arguments: Variant.all, Variant.all)
    func `a replaced export leaves no files`(_ old: Variant, by new: Variant) async throws {
        try await old.export(kennel, to: folder.file("d"), replacing: false)
        let before = try contents("d")
        await #expect(throws: StorageError.self) {
            try await new.export(kennel, to: folder.file("d"), replacing: false)
        }
        try expectEqual(contents("d"), before)
        try await new.export(kennel, to: folder.file("d"), replacing: true)
        try await new.export(kennel, to: folder.file("fresh"), replacing: false)
        try expectEqual(contents("d"), contents("fresh"))
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.file("d")), [new.database])
        let isPlainJSON = new.testDescription == "json"
        let imported = try Imported(path: folder.file("d")) { if isPlainJSON { $0.format = .json } }
        expect(imported.report.skipped.isEmpty)
        expect(imported.losses.allSatisfy { new.testDescription == "one class" && $0.contains("danglingLink") })
    }

    /// Converts an export into the form of earlier versions: sidecars next to the database, without a list of files.
    private func makeOld(_ name: String, schemas: String = "schema") throws {
        let manager = FileManager.default
        let sidecars = folder.file("\(name)/db/_realm")
        for item in try manager.contentsOfDirectory(atPath: sidecars) {
            try manager.moveItem(
                atPath: "\(sidecars)/\(item)", toPath: folder.file("\(name)/\(item == "schema" ? schemas : item)"))
        }
        try manager.removeItem(atPath: sidecars)
        let path = "\(name)/realm-schema.json"
        var json = try #require(
            JSONSerialization.jsonObject(with: Data(folder.bytes(path) ?? [])) as? [String: Any])
        json["files"] = nil
        try folder.write([UInt8](JSONSerialization.data(withJSONObject: json)), path)
    }

    @Test(arguments: [Variant.all[0], Variant.all[1], Variant.all[3]])
    func `exports of earlier versions are replaced`(_ old: Variant) async throws {
        try await old.export(kennel, to: folder.file("d"), replacing: false)
        try makeOld("d")
        let imported = try Imported(path: folder.file("d"))
        expect(imported.losses.isEmpty && imported.report.skipped.isEmpty)
        try expectEqual(imported.snapshot.contentHash(by: .primaryKey), kennel.contentHash(by: .primaryKey))
        let before = try contents("d")
        let new = Variant.all[2]
        await #expect(throws: StorageError.self) {
            try await new.export(kennel, to: folder.file("d"), replacing: false)
        }
        try folder.write([1], "d/db/mine.txt")
        await #expect(throws: StorageError.self) { try await new.export(kennel, to: folder.file("d"), replacing: true) }
        try FileManager.default.removeItem(atPath: folder.file("d/db/mine.txt"))
        try expectEqual(contents("d"), before)
        try await new.export(kennel, to: folder.file("d"), replacing: true)
        try await new.export(kennel, to: folder.file("fresh"), replacing: false)
        try expectEqual(contents("d"), contents("fresh"))
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.file("d")), ["db"])
    }

    /// Files not written by an export are named, and stay with all the rest.
    @Test(arguments: [
        "notes.txt", "db/notes.txt", "db/_realm/notes.txt", "db/Cat.bson", "mine/Dog.bson", "losses.json",
    ])
    func `files not written by an export are reported, and stay`(_ name: String) async throws {
        try await Variant.all[0].export(kennel, to: folder.file("d"), replacing: false)
        try FileManager.default.createDirectory(atPath: folder.file("d/mine"), withIntermediateDirectories: true)
        try folder.write([1, 2, 3], "d/\(name)")
        let before = try contents("d")
        for new in Variant.all {
            let error = await #expect(throws: StorageError.self) {
                try await new.export(kennel, to: folder.file("d"), replacing: true)
            }
            let named = name.hasPrefix("mine/") ? "mine" : name
            expectEqual(error?.description.contains(named), true, "\(error?.description ?? "")")
            try expectEqual(contents("d"), before)
        }
    }

    /// The state left by a process that was killed while replacing an export.
    enum Moment: CaseIterable {
        /// Before the new export has its name.
        case moved
        /// The same, with only some of the files that earlier versions wrote side by side.
        case halfMoved
        /// After the new export got its name.
        case renamed
        case renamedOther
        /// While the old export is being removed.
        case halfRemoved
    }

    /// Creates the state, and returns the expected content of the folder.
    private func interrupt(at moment: Moment) async throws -> [String: [UInt8]] {
        let manager = FileManager.default
        func move(_ from: String, _ to: String) throws {
            try manager.createDirectory(
                at: URL(filePath: folder.file(to)).deletingLastPathComponent(), withIntermediateDirectories: true)
            try manager.moveItem(atPath: folder.file(from), toPath: folder.file(to))
        }
        try await Variant.all[0].export(kennel, to: folder.file("d"), replacing: false)
        try await Variant.all[1].export(kennel, to: folder.file("new"), replacing: false)
        let new = try contents("new")
        if moment == .halfMoved { try makeOld("d") }
        let old = try contents("d")
        switch moment {
        case .moved:
            try move("d/db", "d/.db.4711.replaced/db")
            try move("new/db", "d/.db.4711.partial")
            return old
        case .halfMoved:
            try move("d/losses.json", "d/.db.4711-2.replaced/losses.json")
            try move("new/db", "d/.db.4711-2.partial")
            return old
        case .renamed:
            try move("d/db", "d/.db.4711.replaced/db")
            try move("new/db", "d/db")
            return new
        case .renamedOther:
            try move("d/db", "d/.a.b..4711.replaced/db")
            try move("new/db", "d/a.b.")
            return Dictionary(uniqueKeysWithValues: new.map { ("a.b." + $0.key.dropFirst(2), $0.value) })
        case .halfRemoved:
            try move("d/db", "d/.db.4711.removed/db")
            try move("new/db", "d/db")
            try manager.removeItem(atPath: folder.file("d/.db.4711.removed/db/Dog.bson"))
            return new
        }
    }

    /// The next export finds the folder in the state before or after, without other files.
    @Test(arguments: Moment.allCases) func `an interrupted replacement leaves one export or the other`(_ moment: Moment)
        async throws
    {
        let expected = try await interrupt(at: moment)
        await #expect(throws: StorageError.self) {
            try await Variant.all[2].export(kennel, to: folder.file("d"), replacing: false)
        }
        try expectEqual(contents("d"), expected)
        try await Variant.all[2].export(kennel, to: folder.file("d"), replacing: true)
        try await Variant.all[2].export(kennel, to: folder.file("fresh"), replacing: false)
        try expectEqual(contents("d"), contents("fresh"))
    }

    /// Unrelated new files stay, and so do files of a running process.
    @Test func `an interrupted replacement does not change other files`() async throws {
        var expected = try await interrupt(at: .halfRemoved)
        try folder.write([1], "d/.db.4711.removed/db/notes.txt")
        expected[".db.4711.removed/db/notes.txt"] = [1]
        await #expect(throws: StorageError.self) {
            try await Variant.all[2].export(kennel, to: folder.file("d"), replacing: false)
        }
        try expectEqual(contents("d"), expected)
        let pending = try PendingFolder(path: folder.file("d/other"))
        try folder.write([2], "d/\(URL(filePath: pending.temporaryPath).lastPathComponent)/Dog.bson")
        let old = pending.temporaryPath.replacing(".partial", with: ".replaced")
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
        let before = try contents("d")
        await #expect(throws: StorageError.self) {
            try await Variant.all[2].export(kennel, to: folder.file("d"), replacing: false)
        }
        try expect(contents("d") == before && FileManager.default.fileExists(atPath: old))
        withExtendedLifetime(pending) {}
    }

    /// A first export is written next to other files; files in its place stay.
    @Test func `a first export is written next to other files`() async throws {
        try FileManager.default.createDirectory(atPath: folder.file("d/db"), withIntermediateDirectories: true)
        try folder.write([1], "d/notes.txt")
        try await Variant.all[0].export(kennel, to: folder.file("d"), replacing: false)
        expectEqual(folder.bytes("d/notes.txt"), [1])
        expect(folder.bytes("d/db/Dog.bson") != nil)
        try FileManager.default.createDirectory(atPath: folder.file("e"), withIntermediateDirectories: true)
        try folder.write([2], "e/db")
        for replacing in [false, true] {
            await #expect(throws: StorageError.self) {
                try await Variant.all[0].export(kennel, to: folder.file("e"), replacing: replacing)
            }
            try expectEqual(contents("e"), ["db": [2]])
        }
    }

    /// A failed export leaves the old content and nothing else.
    @Test func `a failed export keeps the old content`() async throws {
        struct Stop: Error {}
        try await Variant.all[0].export(kennel, to: folder.file("d"), replacing: false)
        let before = try contents("d")
        // An app changes the file between the snapshot and the export.
        try folder.write(KnownFile.fixture("kennel").bytes(), "app.realm")
        let snapshot = try RealmDatabase(path: folder.file("app.realm")).snapshot()
        var bytes = try KnownFile.fixture("kennel").bytes()
        bytes[23] ^= 1
        bytes[bytes.count - 1] ^= 1
        let handle = try FileHandle(forWritingTo: URL(filePath: folder.file("app.realm")))
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
        for name in ["d", "new"] {
            await #expect(throws: (any Error).self) {
                try await Variant.all[1].export(snapshot, to: folder.file(name), replacing: true)
            }
        }
        try expectEqual(contents("d"), before)
        expect(!FileManager.default.fileExists(atPath: folder.file("new")))
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.file("d")), ["db"])
    }
}
