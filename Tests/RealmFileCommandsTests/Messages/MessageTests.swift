import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import TestSupport
import Testing

/// Exit codes and messages for errors: one line with the problem, the place, and what to try.
@Suite struct MessageTests {
    static let verbs = ["info", "schema", "inspect"]

    @Test(
        arguments: [
            ([], "info"), (["--nope"], "--nope"),
            (["inform", "x.realm"], "unknown command 'inform'; did you mean 'info'"),
            (["info"], "<file>"), (["info", ""], "empty"), (["info", "a", "--key-file", ""], "--key-file"),
            (["schema", "a", "b"], "'b'"), (["info", "a", "--jsn"], "--json"),
            (["schema", "a", "--format", "xml"], "json-schema"), (["inspect", "a", "--ref", "banana"], "banana"),
            (["inspect", "a", "--path", "1/x"], "1/x"), (["inspect", "a", "--ref", "8", "--find", "8"], "--find"),
            (["info", "a", "--slot", "third"], "other"), (["help", "nope"], "unknown command 'nope'; commands: info"),
            (["repair", "a"], "Choose how: --best does what doctor advises"),
        ] as [([String], String)])
    func `a wrong command line is reported in one line`(_ arguments: [String], _ hint: String) async {
        let console = TestConsole()
        let status = await RealmFileCommand.run(arguments, on: console)
        if arguments.isEmpty {
            // Without arguments, the tool prints its help.
            expectEqual(status, .success)
            expect(console.output.contains(hint))
        } else {
            expectEqual(status, .usage)
            expect(console.output.isEmpty)
            expectEqual(console.messages.count, 1)
            expectEqual(console.messages.first?.contains(hint), true, "\(console.messages)")
            expect(console.messages.allSatisfy { !$0.contains("\n") && $0.hasPrefix("realmfile: ") })
        }
    }

    @Test(arguments: verbs)
    func `a missing file is reported`(_ verb: String) async {
        let run = await Run(verb, "/nowhere/missing.realm")
        expectEqual(run.status, .unreadable)
        let reason = "cannot open: No such file or directory; check the path"
        expectEqual(run.messages, ["realmfile: /nowhere/missing.realm: \(reason)"])
    }

    @Test(arguments: verbs)
    func `a folder is not a file`(_ verb: String) async {
        let run = await Run(verb, FileManager.default.temporaryDirectory.path)
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.count, 1)
        expect(run.messages[0].contains("not its folder"))
    }

    /// Bytes that are not a readable Realm file, and parts of the message and advice.
    static let unreadable: [(String, [UInt8], [String])] = [
        ("empty", [], ["0 bytes", "copy the file again"]),
        ("short", Array(repeating: 1, count: 20), ["20 bytes", "copy the file again"]),
        ("zeros", Array(repeating: 0, count: 4096), ["zeros only", "look for another copy", "backup"]),
        (
            "sqlite", Array("SQLite format 3\0".utf8) + Array(repeating: 7, count: 100),
            ["SQLite", "is this the right file"]
        ),
        ("root", header(format: 9), ["expected an array of refs", "realmfile doctor"]),
        ("newer", header(format: 77), ["unknown file format 77", "newer version"]),
    ]

    static func header(format: UInt8) -> [UInt8] {
        [24, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + Array("T-DB".utf8) + [format, format, 0, 0]
            + Array(repeating: 0, count: 64)
    }

    @Test(arguments: verbs, unreadable.indices)
    func `an unreadable file is reported`(_ verb: String, _ index: Int) async throws {
        let (_, bytes, words) = Self.unreadable[index]
        let file = try TemporaryFile(bytes)
        let run = await Run(verb, file.path)
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.count, 1)
        for word in words { expect(run.messages[0].contains(word), "\(run.messages)") }
        // Only info gives partial output for such a file.
        expectEqual(run.output.isEmpty, (verb != "info"))
    }

    /// Advice about a packed file appears once, with the offset of the bytes that identify it.
    @Test(
        arguments: [
            ("a ZIP archive", [0x50, 0x4B, 0x03, 0x04]), ("a gzip file", [0x1F, 0x8B]),
            ("an xz file", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        ] as [(String, [UInt8])])
    func `a packed file is reported, with advice`(_ name: String, _ start: [UInt8]) async throws {
        let file = try TemporaryFile(start + Array(repeating: 0x51, count: 100))
        for verb in Self.verbs {
            let run = await Run(verb, file.path)
            expectEqual(run.status, .unreadable)
            let words = "not a Realm file: it begins like \(name); unpack it first (at offset 0x0)"
            let advice = "see what is in it: `realmfile doctor \(file.path)`"
            expectEqual(run.messages, ["realmfile: \(file.path): \(words); \(advice)"])
        }
    }

    /// The coordination file next to a database is distinguished from an interrupted copy.
    @Test func `the lock file of a database is reported`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("app.realm.lock")
        for bytes in [[UInt8](repeating: 0, count: 8), [UInt8](repeating: 3, count: 8), Self.noise(1184)] {
            try Data(bytes).write(to: URL(filePath: path))
            for verb in Self.verbs {
                let run = await Run(verb, path)
                expectEqual(run.status, .unreadable)
                let words = "a lock file, which Realm keeps beside a database; give \(folder.file("app.realm")) itself"
                expectEqual(run.messages, ["realmfile: \(path): \(words)"])
            }
        }
    }

    static func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 5) } }

    /// Both outputs appear on a terminal: a failure is written to one of them only.
    @Test func `info reports a failure once`() async throws {
        let files = [
            try TemporaryFile(Self.noise(100)), try TemporaryFile(fixture: "kennel") { $0.removeSubrange(0x1000...) },
        ]
        for file in files {
            let run = await Run("info", file.path)
            expectEqual(run.messages.count, 1)
            let reason = try #require(
                run.messages[0].dropFirst("realmfile: \(file.path): ".count).split(separator: ";").first)
            expect(!run.output.contains(reason), "\(reason)\n\(run.output)")
        }
    }

    /// For a missing class, the message names the existing ones.
    @Test(arguments: ["export", "schema", "upgrade", "hash"])
    func `a missing class is reported with the existing ones`(_ verb: String) async throws {
        let folder = try TemporaryFolder()
        let out = ["export", "upgrade"].contains(verb) ? ["--out", folder.file("out")] : []
        let run = await Run([verb, try KnownFile.fixture("kennel").url.path, "--class", "Nope"] + out)
        expectEqual(run.status, .usage)
        expectEqual(
            run.messages.first?.hasSuffix("; classes are Address, Dog, DogClub, Person"), true, "\(run.messages)")
    }

    /// Examples fit the lines of a terminal of 80 columns: the parser would break longer ones in mid-phrase.
    @Test(arguments: ["export", "import", "repair", "compact", "upgrade", "encrypt", "decrypt", "schema"])
    func `examples fit a terminal`(_ verb: String) async throws {
        let run = await Run(verb, "--help")
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).prefix {
            !$0.hasPrefix("USAGE:")
        }
        expect(lines.contains { $0.hasPrefix("  ") })
        for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("  ") {
            // The rest of a broken line begins at the left margin.
            expect(next.isEmpty || next.hasPrefix("  "), "\(line)\n\(next)")
        }
    }

    @Test(arguments: verbs)
    func `a header of zeros is reported`(_ verb: String) async throws {
        let file = try TemporaryFile(fixture: "kennel") { bytes in
            for index in 0..<24 { bytes[index] = 0 }
        }
        let run = await Run(verb, file.path)
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.first?.contains("nodes of a Realm file follow"), true)
    }

    @Test(arguments: verbs)
    func `an encrypted file is reported`(_ verb: String) async throws {
        // A page of counters and codes, then pages without structure.
        var bytes = [UInt8](repeating: 0, count: 8192)
        bytes[0] = 1
        for index in 4..<32 { bytes[index] = 0xC7 }
        for index in 4096..<8192 { bytes[index] = UInt8(truncatingIfNeeded: index &* 167 &+ index >> 5) }
        let file = try TemporaryFile(bytes)
        let run = await Run(verb, file.path)
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.count, 1)
        expect(run.messages[0].contains("encrypted"))
        expect(run.messages[0].contains("--key-file"))
    }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: KnownFile.corpus.filter { !$0.isClustered && !$0.isLegacy })
    func `an unreadable corpus file is reported in one line`(_ file: KnownFile) async {
        let run = await Run("info", file.url.path)
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages.count, 1)
        expect(!run.output.isEmpty)
    }

    @Test func `advice of info is the same in both forms`() async throws {
        for slots in [[0], [0, 1]] {
            let file = try TemporaryFile(fixture: "kennel") { bytes in
                // Top refs beyond the end.
                for slot in slots { bytes[slot * 8 + 4] = 0x7F }
            }
            let text = await Run("info", file.path)
            let json = await Run("info", file.path, "--json")
            expect(text.status == .unreadable && json.status == .unreadable)
            let advice = try json.json().object("error").text("advice")
            expect(advice.contains("`realmfile doctor "))
            expect(text.messages[0].hasSuffix("; \(advice)"))
        }
    }

    /// If something cannot be written, the advice is about outputs.
    @Test func `a folder as output is reported`() async throws {
        let folder = try TemporaryFolder()
        let run = await Run("export", try KnownFile.fixture("kennel").url.path, "--archive", folder.path)
        expectEqual(run.status, .unreadable)
        expectEqual(run.messages, ["realmfile: \(folder.path): cannot write: Is a directory; give the path of a file"])
    }

    /// `| head` has stopped reading: no message, no failure.
    @Test func `a closed output is not a failure`() async throws {
        let console = TestConsole(capacity: 100)
        let path = try KnownFile.fixture("kennel").url.path
        let status = await RealmFileCommand.run(["schema", path, "--format", "swift"], on: console)
        expectEqual(status, .success)
        expect(console.messages.isEmpty)
    }

    @Test(arguments: ["--help", "--version", "help", "--generate-completion-script=zsh"])
    func `help and version are printed`(_ argument: String) async {
        let run = await Run(argument)
        expectEqual(run.status, .success)
        expect(!run.output.isEmpty)
        expect(run.messages.isEmpty)
    }

    /// Every non-repeatable option known to the parser is refused when given twice.
    @Test func `a repeated option is refused`() async throws {
        let help = try await Run("--experimental-dump-help").json()
        let verbs = try help.object("command").objects("subcommands").filter { try $0.text("commandName") != "help" }
        var count = 0
        for verb in verbs {
            let options = try verb.objects("arguments").filter { try $0.text("kind") == "option" }
            for option in options where try !option[required: "isRepeating"].bool() {
                let name = "--" + (try option.object("preferredName").text("name"))
                let run = await Run(try verb.text("commandName"), "\(name)=0", "\(name)=0")
                expectEqual(run.messages, ["realmfile: \(name) is given twice, and takes one value"])
                expectEqual(run.status, .usage)
                count += 1
            }
        }
        expect(count > 60)
    }

    /// Every option of every verb has a help text.
    @Test(arguments: verbs)
    func `every option has help`(_ verb: String) async throws {
        let run = await Run(verb, "--help")
        expectEqual(run.status, .success)
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (index, line) in lines.enumerated() where line.hasPrefix("  -") {
            let hasText = line.dropFirst(2).contains("   ") || (line.count >= 26 && line.dropFirst(24).first == " ")
            let next = index + 1 < lines.count ? lines[index + 1] : ""
            expect(hasText || next.hasPrefix("                          "), "\(line)")
        }
    }
}
