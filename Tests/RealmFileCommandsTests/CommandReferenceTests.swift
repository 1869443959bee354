import CommandTestSupport
import Expectations
import Foundation
import TestSupport
import Testing

/// `docs/commands.md` is generated from the help of every verb, so that it matches the tool. `tools/test --golden`
/// regenerates it.
@Suite struct CommandReferenceTests {
    @Test func `the page of commands contains the help of every verb`() async throws {
        let page = KnownFile.packageRoot.appending(path: "docs/commands.md")
        let text = try await reference()
        if GoldenCase.isUpdating { return try text.write(to: page, atomically: true, encoding: .utf8) }
        let old = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        let difference = GoldenCase.difference(old, text.components(separatedBy: "\n"))
        expect(difference.isEmpty, "tools/test --golden takes the new help:\n\(difference)")
    }

    private func reference() async throws -> String {
        let help = try await Run("--experimental-dump-help").json()
        let verbs = try help.object("command").objects("subcommands").map { try $0.text("commandName") }
            .filter { $0 != "help" }
        var text = """
            # Commands

            Made of the help texts; `realmfile VERB --help` prints the same. [Guide](guide.md) shows the usual tasks.

            ```text
            \(try await self.help([]))
            ```

            """
        for verb in verbs {
            text += "\n## \(verb)\n\n```text\n\(try await self.help([verb]))\n```\n"
        }
        return text
    }

    private func help(_ verb: [String]) async throws -> String {
        let run = await Run(verb + ["--help"])
        expectEqual(run.status, .success)
        let text = run.output.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.replacing("OVERVIEW: ", with: "", maxReplacements: 1)
    }
}
