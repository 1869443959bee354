import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import TestSupport
import Testing

/// Reports of all verbs conform to `Spec/schemas`, for all kinds of files.
@Suite final class ReportTests {
    private let schema: JSONSchema
    private let folder: TemporaryFolder

    init() throws {
        schema = try JSONSchema(
            contentsOf: KnownFile.packageRoot.appending(path: "Spec/schemas/reports.schema.json"))
        folder = try TemporaryFolder()
    }

    static let verbs = [
        "info", "doctor", "schema", "export", "import", "inspect", "verify", "repair", "hash", "diff", "compact",
        "upgrade", "encrypt", "decrypt", "query",
    ]

    /// Returns the reports of a run, one or one for each line.
    private func reports(_ run: Run) throws -> [JSON] {
        if let one = try? JSON(parsing: Array(run.output.utf8)) { return [one] }
        return try run.output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
    }

    /// Validates the report of a run against the schema, and its `exit` against the exit status of the process.
    @discardableResult
    private func check(_ arguments: [String], key: String? = nil) async throws -> [JSON.Member] {
        let run = await Run(arguments + ["--json"], environmentKey: key)
        let reports = try reports(run)
        try #require(reports.count == 1, "\(arguments) \(run.messages)")
        let report = try reports[0].members()
        try expectEqual(report.text("verb"), arguments[0])
        try expectEqual(report.number("exit"), Int(run.status.code), "\(arguments)")
        let hasError = try report[required: "error"] != .null
        expect(!hasError || !run.messages.isEmpty, "\(arguments)")
        try expectEqual(schema.problems(of: reports[0], as: arguments[0]), [], "\(arguments)")
        return report
    }

    /// A file of each kind: intact, with damage in a table, with damage in a value, without a header, truncated, not a
    /// Realm file, missing.
    static let kinds = ["good", "table", "value", "header", "cut", "text", "missing", "legacy"]

    private func file(_ kind: String) throws -> String {
        let name = kind == "legacy" ? "Legacy/format-9-people" : "kennel"
        var bytes = try KnownFile.fixture(name).bytes()
        switch kind {
        case "table": bytes.replaceSubrange(0xd28 + 4...0xd28 + 5, with: [0xf8, 0x7f])
        case "value":
            // In both commits.
            for start in bytes.indices.dropLast(5) where bytes[start..<start + 5].elementsEqual("Alice".utf8) {
                bytes[start] = 0xFF
            }
        case "header": bytes.replaceSubrange(..<24, with: [UInt8](repeating: 0, count: 24))
        case "cut": bytes.removeSubrange(0x1000...)
        case "text": bytes = Array("Just some text that is no Realm file.\n".utf8)
        case "missing": return folder.file("missing.realm")
        default: break
        }
        try folder.write(bytes, "\(kind).realm")
        return folder.file("\(kind).realm")
    }

    @Test(arguments: kinds)
    func `every verb has a report that matches the schema`(_ kind: String) async throws {
        let path = try file(kind)
        let key = folder.file("key")
        try folder.write((0..<64).map { UInt8($0) }, "key")
        let isGood = kind == "good" || kind == "legacy"
        let commands: [[String]] = [
            ["info"], ["info", "--slot", "other"], ["doctor"], ["schema"], ["schema", "--format", "json-schema"],
            ["schema", "--format", "mongo-validator"], ["inspect"], ["inspect", "--find", "0x100"],
            ["inspect", "--path", "1"], ["verify"], ["verify", "--quick"], ["verify", "--deep"], ["hash"],
            ["query", "Person", "TRUEPREDICATE"], ["hash", "--by-primary-key"],
            ["export", "--out", folder.file("dump")],
            ["export", "--out", folder.file("csv"), "--format", "csv"], ["compact", "--out", folder.file("c.realm")],
            ["upgrade", "--out", folder.file("u.realm")],
            ["encrypt", "--new-key-file", key, "--out", folder.file("e.realm")],
            ["decrypt", "--key-file", key, "--out", folder.file("d.realm")],
            ["import", "--out", folder.file("i.realm")], ["repair", "--find-root", "--dry-run"],
            ["repair", "--use-slot", "other", "--dry-run"], ["repair", "--find-root", "--out", folder.file("r.realm")],
            ["repair", "--salvage", "--out", folder.file("s.realm")],
            ["repair", "--best", "--out", folder.file("b.realm")],
        ]
        for command in commands {
            let report = try await check([command[0], path] + command.dropFirst())
            try expectEqual(report.text("file"), path)
            let isUnreadable = kind == "missing" || kind == "text"
            if isUnreadable, command[0] != "import" {
                let hasError = try report[required: "error"] != .null || command[0] == "doctor"
                try expect(hasError && report.number("exit") == 2, "\(command)")
            }
            if isGood, !["decrypt", "import"].contains(command[0]) {
                try expectEqual(report[required: "error"], .null, "\(command)")
            }
        }
        let other = try KnownFile.fixture("embedded").url.path
        let report = try await check(["diff", path, other])
        try expectEqual(report[required: "files"].elements().map { try $0.string() }, [path, other])
    }

    /// Each line of a search is a match or the report at the end, for a file of each kind.
    @Test(arguments: kinds)
    func `the lines of a search match the schema`(_ kind: String) async throws {
        let path = try file(kind)
        let run = await Run(["search", "--regex", "--free", "--names", "e", path, "--json"])
        let lines = try run.output.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
        for line in lines.dropLast() { try expectEqual(schema.problems(of: line, as: "searchMatch"), []) }
        let report = try #require(lines.last)
        try expectEqual(schema.problems(of: report, as: "search"), [])
        try expectEqual(report.members().number("exit"), Int(run.status.code))
        expectEqual(lines.count > 1, ["good", "legacy", "value", "table"].contains(kind))
    }

    /// A report on documents, including losses.
    @Test func `a report of documents matches the schema`() async throws {
        let dump = folder.file("dump")
        try await check(["export", KnownFile.fixture("mixed-nested").url.path, "--out", dump])
        try await check(["import", dump, "--out", folder.file("new.realm")])
        try folder.write(
            Array("{\"_id\":1,\"b\":{\"$date\":\"no\"},\"a\":1}\n{\"_id\":2,\"a\":\"x\"}\n".utf8), "T.jsonl")
        try await check(["import", folder.file("T.jsonl"), "--out", folder.file("t.realm")])
    }

    @Test func `reports of encrypted files match the schema`() async throws {
        let people = try KnownFile.fixture("Encrypted/people")
        let key = try people.key().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try await check(["info", people.url.path, "--check-pages"], key: key)
        try await check(["verify", people.url.path], key: key)
        try await check(["decrypt", people.url.path, "--out", folder.file("plain.realm")], key: key)
        for verb in ["info", "verify", "hash", "schema", "export"] {
            let out = verb == "export" ? ["--out", folder.file("dump")] : []
            let report = try await check([verb, people.url.path] + out)
            try expectEqual(report.object("error").text("code"), "encrypted")
        }
    }

    /// One report on each line for each file, including unreadable ones; the worst exit code counts.
    @Test(arguments: ["info", "verify", "hash"])
    func `each of several files has a report`(_ verb: String) async throws {
        let good = try file("good")
        let files = [good, try file("text"), try file("missing"), try KnownFile.fixture("embedded").url.path]
        let run = await Run([verb] + files + ["--json"])
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.filter { $0.hasPrefix("realmfile: \(folder.path)") }.count, 2)
        let reports = try reports(run)
        expectEqual(run.output.split(separator: "\n").count, 4)
        for report in reports { try expectEqual(schema.problems(of: report, as: verb), []) }
        let members = try reports.map { try $0.members() }
        try expectEqual(members.map { try $0.text("file") }, files)
        try expectEqual(members.map { try $0.number("exit") }, [0, 2, 2, 0])

        let text = await Run([verb] + files)
        expect(text.status == .unreadable && text.messages.count >= 2)
        for part in [files[0], files[3]] { expect(text.output.contains(part)) }
        // The report on a file does not depend on other files.
        let alone = try await check([verb, good])
        expectEqual(JSON.object(alone), reports[0])
    }

    /// A damaged file results in exit status 1, and the files after it are still reported.
    @Test func `the worst of several files determines the exit status`() async throws {
        let files = [try file("table"), try file("good")]
        let run = await Run(["verify"] + files)
        expectEqual(run.status, .findings)
        expect(run.output.contains("result          ok"))
        await expectEqual(Run("verify", files[1], files[1]).status, .success)
    }

    /// `--quiet` keeps the requested data and the problems.
    @Test func `a quiet command prints the requested data and the problems`() async throws {
        let (good, text) = (try file("good"), try file("text"))
        let out = folder.file("new.realm")
        let commands = [
            ["info", good], ["verify", good], ["diff", good, good], ["compact", good, "--out", out],
            ["upgrade", good, "--out", out, "--overwrite"], ["repair", good, "--find-root", "--dry-run"],
            ["repair", good, "--salvage", "--out", out, "--overwrite"], ["export", good, "--out", folder.file("dump")],
            ["import", folder.file("dump"), "--out", out, "--overwrite"],
        ]
        for command in commands {
            let run = await Run(command + ["--quiet"])
            expectEqual(run.status, .success, "\(command) \(run.messages)")
            expect(run.output.isEmpty && run.messages.isEmpty, "\(command) \(run.output) \(run.messages)")
        }
        for verb in ["hash", "schema", "inspect"] {
            await expectEqual(Run(verb, good, "-q").output, (await Run(verb, good)).output)
        }
        let failed = await Run("info", text, "-q")
        expect(failed.status == .unreadable && failed.output.isEmpty && failed.messages.count == 1)
        try await expectEqual(Run("info", good, "-q", "--json").json().number("exit"), 0)
    }

    /// A pipe buffers at most 64 KiB, and the reader goes away immediately.
    @Test(.timeLimit(.minutes(60))) func `an export has a report even if the reader has gone away`() async throws {
        signal(SIGPIPE, SIG_IGN)
        let documents = (0..<8000).map { "{\"_id\":\($0),\"text\":\"some words of a text\"}\n" }
        try folder.write(Array(documents.joined().utf8), "T.jsonl")
        let path = folder.file("many.realm")
        await expectEqual(Run("import", folder.file("T.jsonl"), "--out", path).status, .success)
        let pipe = folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = Thread { try? FileHandle(forReadingAtPath: pipe)?.close() }
        reader.start()
        let report = try await check(["export", path, "--archive", pipe])
        try expect(report.number("exit") == 141 && report.text("status") == "closedPipe")
        let words = "\(path): the export is not complete: nobody reads the output any more"
        try expectEqual(report.object("error").text("message"), words)
    }

    /// The page about reports names every verb, and every member of its report.
    @Test(arguments: verbs)
    func `the page about reports names every member`(_ verb: String) throws {
        let url = KnownFile.packageRoot.appending(path: "Spec/200-json-reports.md")
        let page = String(decoding: try Data(contentsOf: url), as: UTF8.self)
        // Other tables have rows of these names too, and the rows of other verbs mention them.
        let verbs = page.split(separator: "\n").drop { $0 != "## The verbs" }
        let row = try #require(
            verbs.first { $0.hasPrefix("| `") && $0.split(separator: "|")[0].contains("`\(verb)`") })
        for name in try schema.properties(of: verb) {
            expect(row.contains("`\(name)`") || page.contains("\n| `\(name)` |"), "\(name)")
        }
    }
}
