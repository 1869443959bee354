import CommandTestSupport
import Expectations
import Foundation
import RealmLayout
import TestSupport
import Testing

import RealmFileCommands

/// Commands on a file that another process writes or truncates.
@Suite struct LiveFileCommandTests {
    /// Returns the commits of the documents in a folder, which must all be from the same one.
    private func commits(inFolder path: String) throws -> Set<String> {
        let text = try String(contentsOfFile: "\(path)/live/\(LiveFile.className).jsonl", encoding: .utf8)
        let numbers = try text.split(separator: "\n").map { line in
            try JSON(parsing: Array(line.utf8)).members()[required: "commit"].int()
        }
        let texts = try text.split(separator: "\n").map { line in
            try JSON(parsing: Array(line.utf8)).members()[required: "text"].string()
        }
        expectEqual(Set(texts), Set(numbers.map { LiveFile.text(Int($0)) }))
        expectEqual(numbers.count, 512)
        return Set(numbers.map(String.init))
    }

    /// With `--copy`, an export of a live file is complete; without it, complete or refused.
    @Test func `an export of a live file is complete or refused`() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/live.realm"
        let writer = try WriterProcess(path: path, objects: 512)
        defer { writer.end() }
        var copies = 0
        for number in 0..<10 {
            let copied = "\(folder.path)/copy\(number)"
            let run = await Run("export", path, "--copy", "--out", copied, "--format", "json", "--quiet")
            if run.status == .success {
                try expectEqual(commits(inFolder: copied).count, 1)
                copies += 1
            } else {
                // Twenty copies, and a commit during each of them.
                expect(run.messages.allSatisfy { $0.contains("during each of 20 attempts to copy it") })
            }
            let mapped = "\(folder.path)/map\(number)"
            let other = await Run("export", path, "--out", mapped, "--format", "json", "--quiet")
            if other.status == .success {
                try expectEqual(commits(inFolder: mapped).count, 1)
            } else {
                expectEqual(other.status, .unreadable)
                expectEqual(other.messages.count, 1)
                expectEqual(other.messages.first?.contains("another process changed the file"), true)
                expectEqual(other.messages.first?.contains("--copy"), true)
            }
        }
        // The writer pauses longer than a copy takes.
        expect(copies > 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        expect(names.allSatisfy { $0 == "live.realm" || $0.hasPrefix("copy") || $0.hasPrefix("map") })
    }

    /// An encrypted copy of a live file is of one commit, or does not exist.
    @Test func `an encrypted copy of a live file is of one commit`() async throws {
        let folder = try TemporaryFolder()
        let writer = try WriterProcess(path: folder.file("live.realm"), objects: 512)
        defer { writer.end() }
        let key = String(repeating: "0f", count: 64)
        for number in 0..<6 {
            let arguments = ["encrypt", folder.file("live.realm"), "--out", folder.file("new\(number)")]
            let run = await Run(arguments + (number % 2 == 0 ? ["--copy"] : []), newKey: key)
            guard run.status == .success else {
                expectEqual(run.messages.first?.contains("another process changed the file"), true, "\(run.messages)")
                expect(!folder.names.contains("new\(number)"))
                continue
            }
            let documents = folder.file("documents\(number)")
            let export = await Run(
                ["export", folder.file("new\(number)"), "--out", documents, "--format", "json", "--db", "live"],
                environmentKey: key)
            expectEqual(export.status, .success, "\(export.messages)")
            try expectEqual(commits(inFolder: documents).count, 1)
        }
        expect(!folder.names.contains { $0.hasSuffix(".partial") })
        expect(folder.names.contains { $0.hasPrefix("new") })
    }

    /// Short commands retry until they have read one commit.
    @Test(arguments: [["info", "--json"], ["schema"], ["inspect", "--path", "1/0"]])
    func `short commands retry until they have read one commit`(_ arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/live.realm"
        let writer = try WriterProcess(path: path, objects: 512)
        defer { writer.end() }
        for _ in 0..<20 {
            let run = await Run([arguments[0], path] + arguments.dropFirst())
            let isTold = run.messages.allSatisfy { $0.contains("another process changed") }
            expect(run.status == .success || isTold, "\(run.messages)")
        }
    }

    /// Truncating a file while it is mapped ends the process with a message, and without temporary files.
    @Test func `truncation of a mapped file is reported`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/live.realm"
        _ = LiveFile(path: path, objects: 256 * 100)
        let process = Process()
        process.executableURL = try BuiltProgram.url("realmfile")
        process.arguments = ["export", path, "--out", "-", "--class", LiveFile.className, "--format", "json"]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Once it has begun to write, it waits for this end of the pipe before it can continue reading.
        let begin = try output.fileHandleForReading.read(upToCount: 1000)
        expectEqual(begin?.count, 1000)
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 4096)
        _ = try output.fileHandleForReading.readToEnd()
        let said = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        expectEqual(process.terminationReason, .exit)
        expectEqual(process.terminationStatus, 2)
        expect(said.contains("a file was cut off by another process while it was being read"))
        expect(said.contains("--copy"))
    }

    /// An interrupted export leaves nothing that looks like an export, and keeps the previous one.
    @Test(arguments: [false, true]) func `an interrupted export keeps the previous one`(replacing: Bool) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/live.realm"
        _ = LiveFile(path: path, objects: 256 * 250)
        let manager = FileManager.default
        if replacing {
            let first = Process()
            first.executableURL = try BuiltProgram.url("realmfile")
            first.arguments = ["export", try KnownFile.fixture("kennel").url.path, "--out", folder.file("out"), "-q"]
            try first.run()
            first.waitUntilExit()
            expectEqual(first.terminationStatus, 0)
        }
        let before = replacing ? try manager.subpathsOfDirectory(atPath: folder.file("out")).sorted() : []
        let process = Process()
        process.executableURL = try BuiltProgram.url("realmfile")
        process.arguments = ["export", path, "--out", folder.file("out"), "--format", "json", "--overwrite", "-q"]
        try process.run()
        // Once documents are being written, there is work for a while.
        func hasBegun() -> Bool {
            let names = (try? manager.subpathsOfDirectory(atPath: folder.file("out"))) ?? []
            return names.contains { $0.contains(".partial/") }
        }
        while process.isRunning, !hasBegun() {}
        process.interrupt()
        process.waitUntilExit()
        let after = (try? manager.subpathsOfDirectory(atPath: folder.file("out")).sorted()) ?? []
        // It may have finished before the signal.
        let isWhole = after.contains("live/_realm/realm-schema.json") && after.contains("live/Row.jsonl")
        expect(after == before || isWhole, "\(after)")
        if process.terminationReason != .uncaughtSignal { expect(isWhole) }
    }
}
