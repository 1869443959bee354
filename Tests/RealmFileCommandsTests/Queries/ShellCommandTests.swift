import CommandTestSupport
import Expectations
import RealmFileCommands
import TestSupport
import Testing

/// The shell in an interactive session; its answers to lines are in `Cases/shell.txt`.
@Suite struct ShellCommandTests {
    private func session(_ lines: [String], _ options: String...) async throws -> TestConsole {
        let console = TestConsole(input: lines, isInteractive: true)
        let file = try KnownFile.fixture("kennel").url.path
        await expectEqual(RealmFileCommand.run(["shell", file] + options, on: console), .success)
        return console
    }

    @Test func `the user is greeted, and lines are remembered without surrounding spaces`() async throws {
        let console = try await session(["", "  Dog.count ; ", "Cat", ".quit"])
        expectEqual(console.output, "10\n")
        expectEqual(console.messages.count, 2)
        expectEqual(console.messages.first?.contains("kennel.realm: commit 3, 4 classes\n"), true)
        expectEqual(console.messages.last?.hasPrefix("error: "), true)
        expectEqual(console.lines.remembered.withLock { $0 }, ["Dog.count", "Cat", ".quit"])
        try await expectEqual(session([], "--quiet").messages, [])
    }

    @Test func `an unreadable file has no shell`() async throws {
        let run = await Run(["shell", try KnownFile.fixture("kennel").url.path + ".jsonl"], input: ["Dog"])
        expectEqual(run.status, .unreadable)
        expectEqual(run.output, "")
    }

    /// The classes and properties of the kennel.
    @Test(
        arguments: [
            ("", "D", ["Dog", "Dog.count", "DogClub", "DogClub.count"], true),
            ("", "per", ["Person", "Person.count"], true),
            ("", ".s", [".schema", ".select", ".slot", ".sort"], true),
            (".mode ", "j", ["json"], true),
            (".slot ", "", ["current", "other"], true),
            (".schema ", "Add", ["Address"], true),
            ("Dog ", "a", ["age"], true),
            ("Dog age > 3 ", "A", ["ALL", "AND", "ANY", "ASC"], true),
            ("Person ", "address", ["address"], false),
            ("Person ", "address.c", ["address.city", "address.country"], true),
            ("Person.count ", "dogs.@c", ["dogs.@count"], true),
            (".count Person ", "na", ["name"], true),
            ("Person ", "cat.", [], true),
            ("Cat ", "", [], true),
        ] as [(String, String, [String], Bool)])
    func `words are completed`(_ before: String, _ word: String, _ words: [String], _ endsWord: Bool) async throws {
        let completer = try #require(try await session([]).lines.completer.withLock { $0 })
        let found = completer(before, word)
        expectEqual(found.words, words)
        expectEqual(found.endsWord, endsWord)
    }
}
