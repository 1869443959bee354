import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import TestSupport
import Testing

/// For modified files, every command ends with a defined exit code, its JSON is well-formed, and problems are reported.
/// Runs under a sanitizer only with all cases (`.ci/run --all`), since the code that handles bytes is in lower modules.
@Suite struct HostileInputCommandTests {
    @Test(arguments: [
        "kennel", "mixed-nested", "embedded", "format-21-tombstones", "format-23-scalars-stream",
        "Legacy/format-9-subtables", "Legacy/format-6-links", "Legacy/format-4-enumerated",
    ])
    func `commands exit with their own code and valid JSON when bytes have changed`(_ fixture: String)
        async throws
    {
        let original = try KnownFile.fixture(fixture).bytes()
        var random = Seeded(UInt64(original.count))
        for round in 0..<8 {
            var bytes = original
            for _ in 0...(round % 4) {
                // Half of the changes affect the upper part of the tree, which is written last.
                let start = round % 2 == 0 ? 0 : max(0, bytes.count - 4096)
                let offset = Int.random(in: start..<bytes.count, using: &random)
                bytes[offset] = UInt8.random(in: 0...255, using: &random)
            }
            let offset = Int.random(in: 0..<bytes.count, using: &random)
            if Share.current.contains(round, of: original.count) { try await run(on: bytes, offset: offset) }
        }
    }

    @Test(arguments: ["kennel", "links-stream"])
    func `commands exit with their own code and valid JSON when the end is missing`(_ fixture: String)
        async throws
    {
        let original = try KnownFile.fixture(fixture).bytes()
        for count in Share.current.of(stride(from: 0, to: original.count, by: max(8, original.count / 40))) {
            try await run(on: Array(original[..<count]), offset: count / 2)
        }
    }

    private func run(on bytes: [UInt8], offset: Int) async throws {
        let file = try TemporaryFile(bytes)
        let commands = [
            ["info"], ["info", "--json"], ["info", "--json", "--slot", "other"], ["schema", "--include-system"],
            ["schema", "--format", "realm-json"], ["schema", "--format", "json-schema"],
            ["schema", "--format", "mongo-validator"], ["schema", "--format", "swift"], ["inspect", "--json"],
            ["inspect", "--path", "1/1/2"], ["inspect", "--json", "--path", "1/1/2/1"],
            ["inspect", "--json", "--find", "0x\(String(offset, radix: 16))"],
            ["search", "--quiet", "1"],
            ["search", "--json", "--quiet", "--regex", "--ignore-case", "--free", "--names", "[a-f]1?$"],
            ["inspect", "--ref", "0x\(String(offset & ~7, radix: 16))"], ["inspect", "--free", "--texts", "--json"],
            ["stats"], ["stats", "--json", "--values"], ["history"], ["history", "--json"],
            ["info", "--json", "--evidence"],
        ]
        for command in commands {
            let console = TestConsole()
            let status = await RealmFileCommand.run(command + [file.path], on: console)
            if status == .success { expect(console.messages.isEmpty) }
            // A search reports damage that it finds before what ends it.
            if command[0] != "search", status == .unreadable || status == .usage {
                expectEqual(console.messages.count, 1)
            }
            expect(console.messages.allSatisfy { $0.hasPrefix("realmfile: ") && !$0.contains("\n") })
            let isJSON = command.contains { $0 == "--json" || $0 == "realm-json" || $0.hasSuffix("-schema") }
            guard isJSON, !console.output.isEmpty else { continue }
            // A search writes a line for each match.
            let texts = command[0] == "search" ? console.output.split(separator: "\n") : [console.output[...]]
            for text in texts { _ = try JSON(parsing: Array(text.utf8)) }
        }
    }
}
