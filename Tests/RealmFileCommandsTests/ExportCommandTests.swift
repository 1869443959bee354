import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import RealmLayout
import TestSupport
import Testing

/// The command export from the user's point of view: output, messages and exit status.
@Suite final class ExportCommandTests {
    private let folder = URL.temporaryDirectory.appending(path: "realmfile-export-\(UUID().uuidString)")
    private var out: String { folder.appending(path: "out").path }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ fixture: String) throws -> String { try KnownFile.fixture(fixture).url.path }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    @Test func `the summary counts the written documents`() async throws {
        let run = await Run("export", try file("kennel"), "--out", out)
        expectEqual(run.status, .success)
        expect(run.output.isEmpty)
        expectEqual(run.messages.first, "exported \(try file("kennel")) to \(out)")
        expect(run.messages.contains { $0.hasPrefix("  Person ") && $0.contains(" 5 objects") })
        expect(run.messages.contains { $0.hasPrefix("  total ") && $0.contains(" 16 objects") })
        expect(exists("out/kennel/Person.bson"))
    }

    @Test func `an export of a private file is private`() async throws {
        let files = FileManager.default
        let input = folder.appending(path: "private.realm").path
        try files.copyItem(atPath: try file("kennel"), toPath: input)
        for (mode, allowed) in [(0o600, 0o700), (0o640, 0o750), (0o400, 0o700)] {
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: input)
            let target = "\(out)-\(mode)"
            await expectEqual(Run("export", input, "--out", target, "--quiet").status, .success)
            await expectEqual(Run("export", input, "--archive", "\(target).archive", "--quiet").status, .success)
            let made =
                try [target, "\(target).archive"] + files.subpathsOfDirectory(atPath: target).map { "\(target)/\($0)" }
            expect(made.count > 8)
            for path in made {
                let found = try files.attributesOfItem(atPath: path)
                let bits = try #require(found[.posixPermissions] as? Int)
                expectEqual(bits & ~allowed, 0, "\(path) has \(String(bits, radix: 8))")
            }
        }
    }

    @Test func `losses are reported`() async throws {
        let run = await Run("export", try file("tombstones"), "--out", out, "--quiet")
        expectEqual(run.status, .success)
        expect(run.messages.contains { $0 == "  lost: TombOrigin.one: links to deleted objects, left out (2)" })
        // One line for a kind of loss in more than three properties.
        let kept = "  lost: links to deleted objects in collections, kept as their primary keys (21 in 5 properties: "
        expect(run.messages.contains { $0.hasPrefix(kept) })
        let again = await Run("export", try file("tombstones"), "--out", out, "--overwrite", "--on-loss", "error")
        expectEqual(again.status, .findings)
        let canonical = await Run(
            "export", try file("tombstones"), "--out", "\(out)2", "--profile", "canonical", "--on-loss", "error")
        expectEqual(canonical.status, .success)
    }

    @Test func `the report is JSON on request`() async throws {
        let run = await Run("export", try file("tombstones"), "--out", out, "--json")
        expectEqual(run.status, .success)
        let report = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        expectEqual(report["reportVersion"] as? Int, 2)
        let collections = try #require(report["collections"] as? [[String: Any]])
        expectEqual(collections.compactMap { $0["name"] as? String }, ["TombTarget", "TombTargetNoPk", "TombOrigin"])
        expectEqual(collections.compactMap { $0["objects"] as? Int }, [5, 5, 5])
        let losses = try #require(report["losses"] as? [[String: Any]])
        expect(losses.contains { $0["property"] as? String == "one" && $0["count"] as? Int == 2 })
        await expectEqual(Run("export", try file("tombstones"), "--archive", "-", "--json").status, .usage)
    }

    @Test func `existing output is kept`() async throws {
        _ = await Run("export", try file("kennel"), "--out", out)
        let run = await Run("export", try file("kennel"), "--out", out)
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.count, 1)
        expect(run.messages[0].contains("already exists; use --overwrite"))
        await expectEqual(Run("export", try file("kennel"), "--out", out, "--overwrite").status, .success)
    }

    /// `mongorestore` would write into the server's system databases.
    @Test func `an export never has the name of a system database of the server`() async throws {
        for (name, database) in [("admin", "admin_"), ("Config", "Config_"), ("local", "local_"), ("mine", "mine")] {
            let path = folder.appending(path: "\(name).realm")
            try Data(KnownFile.fixture("kennel").bytes()).write(to: path)
            await expectEqual(Run("export", path.path, "--out", "\(out)-\(name)").status, .success)
            try expectEqual(FileManager.default.contentsOfDirectory(atPath: "\(out)-\(name)"), [database])
        }
        await expectEqual(Run("export", try file("kennel"), "--out", out, "--db", "admin").status, .success)
        expect(exists("out/admin/Dog.bson"))
    }

    /// The input is never replaced, even with --overwrite.
    @Test(arguments: ["--archive", "--out"])
    func `the input is not replaced`(_ option: String) async throws {
        let bytes = try KnownFile.fixture("kennel").bytes()
        let input = folder.appending(path: option == "--out" ? "out/kennel/Dog.bson" : "kennel.realm")
        try FileManager.default.createDirectory(
            at: input.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: input)
        let output =
            option == "--out"
            ? [out, "--db", "kennel"] : ["\(folder.path)/../\(folder.lastPathComponent)/kennel.realm"]
        for more in [[], ["--copy"]] {
            let run = await Run(["export", input.path, option] + output + ["--overwrite"] + more)
            expectEqual(run.status, (option == "--out" ? .unreadable : .usage))
            expectEqual(run.messages.last?.contains("input file"), true)
            expectEqual([UInt8](try Data(contentsOf: input)), bytes)
        }
    }

    /// Programs that used Realm Core directly have their data in tables that are not classes.
    @Test func `other tables are named`() async throws {
        var file = HandmadeFile()
        for (name, count) in [("people", 2), ("nobody", 0), ("metadata", 1)] {
            let cluster = file.cluster(count, [file.writer.integers(Array(0..<count))])
            file.addTable(name, [HandmadeFile.Column("value", .int)], objects: cluster)
        }
        let copy = try TemporaryFile(file.bytes())
        let run = await Run("export", copy.path, "--out", out)
        expectEqual(run.status, .success)
        expectEqual(
            run.messages.filter { $0.contains("not exported") },
            [
                "  not exported: people, which is not a class (2); --include-system exports it"
            ])
        let losses = try JSON(parsing: [UInt8](try Data(contentsOf: URL(filePath: "\(out)/test/_realm/losses.json"))))
            .members()
        let tables = try losses.objects("otherTables").map { try ($0.text("name"), $0.number("objects")) }
        expect(tables.map(\.0) == ["people"] && tables.map(\.1) == [2])
        let all = await Run("export", copy.path, "--out", "\(out)2", "--include-system")
        expect(all.messages.allSatisfy { !$0.contains("not exported") })
        expect(exists("out2/test/people.bson"))
    }

    /// A dangling link is damage that no new file can contain.
    @Test func `kept dangling links are reported`() async throws {
        var file = HandmadeFile()
        // Links to object 0, and to object 4, which does not exist: links are keys plus 1.
        let leaves = [file.writer.integers([7, 8]), file.writer.integers([1, 5])]
        let cluster = file.cluster(2, leaves)
        let columns = [HandmadeFile.Column("id", .int), HandmadeFile.Column("next", .link, index: 1, target: 0)]
        let top = file.addTable("class_T", columns, objects: cluster)
        file.writer.set(TableTopSlot.primaryKeyColumn.rawValue, of: top, to: NodeWriter.tagged(columns[0].key))
        let copy = try TemporaryFile(file.bytes())
        let kept = await Run("export", copy.path, "--out", out, "--profile", "canonical", "--on-loss", "error")
        let mongo = await Run("export", copy.path, "--out", "\(out)2", "--on-loss", "error")
        expectEqual(kept.status, mongo.status)
        expectEqual(
            kept.messages.filter { $0.contains("lost:") },
            [
                "  lost: T.next: links to objects that are not in the file, kept; no new file can have them (1)"
            ])
        expectEqual(
            mongo.messages.filter { $0.contains("lost:") },
            [
                "  lost: T.next: links to objects that are not in the file, left out (1)"
            ])
    }

    @Test(arguments: ["Cat", "Address", "class_Cat", ""])
    func `missing classes are reported`(name: String) async throws {
        let run = await Run("export", try file("kennel"), "--out", out, "--class", name)
        expectEqual(run.status, .usage)
        expectEqual(run.messages.count, 1)
        expect(!exists("out"))
    }

    @Test func `wrong command lines are reported`() async throws {
        for arguments in [
            [], ["--out", out, "--archive", "a"], ["--out", "-"],
            ["--out", "-", "--class", "Dog", "--class", "Person"],
            ["--out", out, "--jobs", "0"], ["--out", out, "--format", "xml"],
            ["--out", out, "--format", "csv", "--profile", "canonical"], ["--archive", "a", "--format", "json"],
            ["--out", out, "--jsonArray"], ["--out", out, "--safe-ints"], ["--out", out, "--db", "a.b"],
            ["--out", out, "--db", ""], ["--out", out, "--db", String(repeating: "a", count: 64)],
            ["--out", out, "--format", "ejson", "--profile", "canonical", "--jsonFormat", "relaxed"],
            ["--out", out, "--format", "json", "--jsonFormat", "relaxed"], ["--out", out, "--jsonFormat", "canonical"],
            ["--out", out, "--profile", "canonical", "--nulls", "omit"], ["--out", ""], ["--archive", ""],
            ["--archive", "a", "--profile", "canonical"],
        ] {
            let run = await Run(["export", try file("kennel")] + arguments)
            expectEqual(run.status, .usage, "\(arguments)")
            expect(!run.messages.isEmpty)
        }
        expect(!exists("out"))
    }

    /// MongoDB database names have no dots, but folder names on Apple platforms often do.
    @Test func `names of databases are valid in MongoDB`() async throws {
        for (name, database) in [
            ("com.example.app", "com_example_app"), ("my file $1", "my_file__1"), ("Größe", "Größe"),
            (String(repeating: "é", count: 60), String(repeating: "é", count: 31)),
        ] {
            let copy = folder.appending(path: "\(name).realm")
            try Data(try KnownFile.fixture("kennel").bytes()).write(to: copy)
            let run = await Run("export", copy.path, "--out", "\(out)-\(name)")
            expectEqual(run.status, .success)
            expect(exists("out-\(name)/\(database)/Dog.bson"))
        }
    }

    @Test func `damage is listed`() async throws {
        let good = try KnownFile.fixture("kennel").bytes()
        let copy = folder.appending(path: "damaged.realm")
        var statuses: Set<Int32> = []
        for place in stride(from: 24, to: good.count - 8, by: 8)
        where good[place..<(place + 4)].allSatisfy({ $0 == 0x41 }) {
            var bytes = good
            for offset in (place + 4)..<(place + 8) { bytes[offset] = 0xFF }
            try Data(bytes).write(to: copy)
            let run = await Run("export", copy.path, "--out", out, "--overwrite", "--quiet")
            statuses.insert(run.status.code)
            let says = run.messages.allSatisfy { $0.contains("damaged.realm") || $0.hasPrefix("  lost: ") }
            expect(says, "\(run.messages)")
            expectEqual((run.status == .success), run.messages.isEmpty)
        }
        expectEqual(statuses, [0, 1, 2])
    }

    /// The class whose documents are missing is named, even if another class is damaged.
    @Test func `classes without files are named`() async throws {
        let file = try KnownFile.fixture("embedded")
        let dump = try #require(file.dump)
        try expect(TypedDump(contentsOf: dump).tables.contains { $0.name == "class_EmbTag" })
        let good = try file.bytes()
        let copy = folder.appending(path: "damaged.realm")
        var isNamed = false
        for place in stride(from: 24, to: good.count - 8, by: 8)
        where good[place..<(place + 4)].allSatisfy({ $0 == 0x41 }) {
            var bytes = good
            for offset in (place + 4)..<(place + 8) { bytes[offset] = 0xFF }
            try Data(bytes).write(to: copy)
            let run = await Run("export", copy.path, "--out", out, "--overwrite", "--quiet", "--on-damage", "error")
            guard run.messages.contains(where: { $0.contains("EmbParent is not exported: EmbTag.") }) else {
                continue
            }
            isNamed = true
            expectEqual(run.status, .findings)
            let archive = folder.appending(path: "archive").path
            let other = await Run("export", copy.path, "--archive", archive, "--on-damage", "error")
            expectEqual(other.status, .findings)
            expectEqual(other.messages.last?.contains("no complete archive"), true)
            expect(!other.messages.contains { $0.hasPrefix("exported") })
            expect(!exists("archive"))
            break
        }
        expect(isNamed)
    }
}
