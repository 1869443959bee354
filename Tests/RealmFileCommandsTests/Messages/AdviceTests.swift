import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import RealmStorage
import TestSupport
import Testing

/// Advice is a command line that works when it is pasted. The tests run all advice for files of many kinds.
@Suite final class AdviceTests {
    private let folder: TemporaryFolder
    private let keyFile: String

    init() throws {
        folder = try TemporaryFolder()
        keyFile = folder.file("the key")
        try folder.write(KnownFile.fixture("Encrypted/people").key(), "the key")
    }

    /// Returns the words of a command line as parsed by a shell.
    static func words(_ command: String) throws -> [String] {
        let shell = Process()
        // Words with bytes that are not text are in `$'…'`, which dash does not know.
        let bash = "/bin/bash"
        shell.executableURL = URL(filePath: FileManager.default.isExecutableFile(atPath: bash) ? bash : "/bin/sh")
        shell.arguments = ["-c", "set -- \(command); printf '%s\\0' \"$@\""]
        let pipe = Pipe()
        shell.standardOutput = pipe
        try shell.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0, "\(command)")
        return bytes.split(separator: 0).map { NativePath.text(Array($0)) }
    }

    /// Returns the command lines in the output of a run.
    static func commands(_ run: Run) -> [String] {
        let lines = run.messages + run.output.split(separator: "\n").map(String.init)
        return lines.flatMap { line in
            line.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
                .map { String($0.element) }.filter { $0.hasPrefix("realmfile ") && !$0.hasSuffix("--help") }
        }
    }

    static let kinds = [
        "good", "header", "overwritten", "cut", "table", "value", "top", "slot", "stray", "format", "zeros", "text",
        "encrypted", "encrypted page", "encrypted header", "encrypted cut", "without key", "wrong key", "packed",
        "archive",
    ]

    /// Returns a file of a kind, with a name that a shell splits unless it is quoted, and the options that it needs.
    private func file(_ kind: String) throws -> (path: String, options: [String]) {
        let isEncrypted = kind.hasPrefix("encrypted") || kind.hasSuffix("key")
        var bytes = try KnownFile.fixture(isEncrypted ? "Encrypted/people" : "kennel").bytes()
        var options = isEncrypted ? ["--key-file", keyFile] : []
        switch kind {
        case "header": bytes.replaceSubrange(..<24, with: [UInt8](repeating: 0, count: 24))
        case "overwritten": bytes.replaceSubrange(..<24, with: Array("somebody else's bytes...".utf8))
        case "cut": bytes.removeSubrange(0x1000...)
        case "table": bytes.replaceSubrange(0xd28 + 4...0xd28 + 5, with: [0xf8, 0x7f])
        case "value":
            for start in bytes.indices.dropLast(5) where bytes[start..<start + 5].elementsEqual("Alice".utf8) {
                bytes[start] = 0xFF
            }
        case "top": bytes[8 * Int(bytes[23] & 1) + 4] = 0x7F
        case "slot": for index in 0..<8 { bytes[8 * Int(bytes[23] & 1) + index] = 0 }
        case "stray": bytes += [1, 2, 3]
        case "format": bytes[20] = 77
        case "zeros": bytes = [UInt8](repeating: 0, count: 4096)
        case "packed":
            bytes.replaceSubrange(..<24, with: [UInt8](repeating: 0, count: 24))
            bytes = try PackedFiles.gzip(bytes)
        case "archive":
            bytes = try PackedFiles.zip([.init("it's.realm", bytes), .init("-a b.realm", bytes)])
        case "text": bytes = Array("Just some text that is no Realm file.\n".utf8)
        case "encrypted page": bytes[4096 * 2 + 100] ^= 0xFF
        case "encrypted header": bytes[4096 + 100] ^= 0xFF
        case "encrypted cut": bytes.removeSubrange((bytes.count / 2 / 4096 * 4096)...)
        case "without key": options = []
        case "wrong key":
            try folder.write((0..<64).map { UInt8($0) }, "wrong")
            options = ["--key-file", folder.file("wrong")]
        default: break
        }
        try folder.write(bytes, "it's a $file.realm")
        return (folder.file("it's a $file.realm"), options)
    }

    /// Advice is never a wrong command line, whatever its cause; new files from advised commands exist and are sound.
    @Test(arguments: Share.current.of(kinds))
    func `every piece of advice works when pasted`(_ kind: String) async throws {
        let (path, options) = try file(kind)
        let out = folder.file("out.realm")
        let runs: [[String]] = [
            ["info"], ["verify"], ["schema"], ["hash"], ["inspect"], ["doctor"],
            ["export", "--out", folder.file("dump")],
            ["compact", "--out", out], ["upgrade", "--out", out], ["repair", "--find-root", "--out", out],
            ["repair", "--use-slot", "other", "--out", out], ["repair", "--find-root", "--dry-run"],
            ["repair", "--best", "--out", out],
            ["repair", "--salvage", "--out", out], ["decrypt", "--out", out],
            ["diff", try KnownFile.fixture("kennel").url.path],
        ]
        var advice: Set<String> = []
        for run in runs {
            let isPair = run[0] == "diff"
            let result = await Run([run[0], path] + (isPair ? [run[1]] : Array(run.dropFirst())) + options)
            advice.formUnion(Self.commands(result))
            try? FileManager.default.removeItem(atPath: out)
            try? FileManager.default.removeItem(atPath: folder.file("dump"))
        }
        let isHopeless = ["zeros", "text", "without key", "wrong key"].contains(kind)
        expect(!advice.isEmpty || isHopeless, "\(kind)")
        for command in advice.sorted() {
            let words = try Self.words(command)
            expectEqual(words.first, "realmfile")
            let result = await Run(Array(words.dropFirst()))
            expect(result.status != .usage, "\(command): \(result.messages)")
            if words.contains("doctor") || words.contains("--dry-run") {
                expect(!result.output.isEmpty || result.status == .unreadable, "\(command)")
            }
            guard let place = words.firstIndex(of: "--out") else { continue }
            let key = words.firstIndex(of: "--key-file").map { ["--key-file", words[$0 + 1]] } ?? []
            let check = await Run(["verify", words[place + 1]] + key)
            expectEqual(check.status, .success, "\(command): \(result.messages) \(check.output)")
            try FileManager.default.removeItem(atPath: words[place + 1])
        }
    }

    /// Advice on damage contains the next command, with the file's name.
    @Test func `damage is reported with a next step`() async throws {
        let (path, _) = try file("table")
        let next = "`realmfile doctor '\(path.replacing("'", with: "'\\''"))'`"
        let verify = await Run("verify", path)
        expect(verify.status == .findings && verify.output.hasSuffix("\(next)\n"))
        await expect(Run("info", path).output.hasSuffix("\(next)\n"))
        let report = try await Run("verify", path, "--json").json().object("next")
        try expectEqual(report[required: "commands"].elements().map { "`\(try $0.string())`" }, [next])
    }

    /// The list of tables, or of their names, is lost: nothing is exported, and each command names a way to recover the
    /// objects. Core's dump has 21.
    @Test(arguments: [1, 0])
    func `a lost list of tables is reported with a way to recover`(_ element: Int) async throws {
        var bytes = try KnownFile.fixture("kennel").bytes()
        // The root is at 0x1050: names and tables are its first two elements, of 4 bytes (Spec 60).
        let list = bytes[(0x1058 + 4 * element)..<(0x105c + 4 * element)].reversed().reduce(0) { $0 << 8 | Int($1) }
        bytes.replaceSubrange(list..<list + 8, with: [UInt8](repeating: 0xFF, count: 8))
        try folder.write(bytes, "lost.realm")
        let path = folder.file("lost.realm")
        let next = "realmfile doctor \(path)"
        for arguments in [
            ["export", path, "--out", folder.file("dump")], ["export", path, "--out", folder.file("dump"), "--quiet"],
            ["schema", path], ["info", path], ["verify", path],
        ] {
            // The last run replaces the output of the first.
            let run = await Run(arguments + (arguments.contains("--quiet") ? ["--overwrite"] : []))
            expectEqual(run.status, .findings)
            expectEqual(Self.commands(run), [next], "\(arguments) \(run.messages)")
        }
        for arguments in [["export", path, "--out", folder.file("json")], ["schema", path]] {
            let report = try await Run(arguments + ["--json"]).json().object("next")
            try expectEqual(report[required: "commands"].elements().map { try $0.string() }, [next])
        }
        // No command claims that a lost class does not exist.
        for arguments in [["hash", path], ["query", path, "Dog"], ["schema", path, "--class", "Dog"]] {
            let run = await Run(arguments)
            expectEqual(run.status, .unreadable, "\(arguments) \(run.messages)")
            expect(!Self.commands(run).isEmpty)
        }
        let doctor = await Run("doctor", path)
        let last = try #require(Self.commands(doctor).last)
        let salvaged = try await Run(Array(try Self.words(last).dropFirst()) + ["--json"]).json()
        try expectEqual(salvaged.objects("tables").reduce(0) { $0 + (try $1.number("objects")) }, 21)
    }

    /// For a file in which `info` sees no damage, it names the command that reads values; failing pages are not
    /// reported as "none".
    @Test func `info names the content that it does not read`() async throws {
        let good = try KnownFile.fixture("kennel").url.path
        let run = await Run("info", good)
        expect(
            run.output.contains(
                "damage          none seen (values not checked); for a full check run: `realmfile verify "))
        let (path, options) = try file("encrypted page")
        let pages = await Run(["info", path, "--check-pages"] + options)
        expectEqual(pages.status, .findings)
        expect(!pages.output.contains("none seen"), "\(pages.output)")
    }

    /// Standard input cannot be read again, so that no command is advised.
    @Test func `advice keeps the key and the copy option`() async throws {
        let (path, options) = try file("encrypted page")
        let run = await Run(["verify", path, "--copy"] + options)
        let command = try #require(Self.commands(run).last)
        let words = try Self.words(command)
        expect(words.contains(keyFile) && words.contains("--copy") && words.contains(path))
    }
}
