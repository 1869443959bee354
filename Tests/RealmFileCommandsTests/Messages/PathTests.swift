#if os(Linux)
    import CommandTestSupport
    import Expectations
    import RealmFileCommands
    import RealmStorage
    import TestSupport
    import Testing

    /// Output paths that are not UTF-8 are printed in shell notation.
    @Suite struct PathTests {
        /// Verbs that write, each with the option that names its output.
        static let commands: [[String]] = [
            ["compact", "--out"], ["upgrade", "--out"], ["repair", "--find-root", "--out"],
            ["repair", "--salvage", "--out"], ["export", "--out"], ["export", "--archive"],
        ]

        @Test(arguments: commands)
        func `the path of an output is shown even if it is not UTF-8`(_ command: [String]) async throws {
            let folder = try TemporaryFolder()
            defer { Folder.remove(Folder.tree(folder.path).files, in: folder.path) }
            let out = NativePath.text(Array("\(folder.path)/b".utf8) + [0xFF])
            let shown = "\(folder.path)/b\\xff"
            let arguments = [command[0], try KnownFile.fixture("kennel").url.path] + command.dropFirst() + [out]
            let run = await Run(arguments)
            let said = run.output + run.messages.joined()
            expect(run.status == .success && said.contains(shown), "\(said)")
            let again = await Run(arguments).messages
            expect(again.count == 1)
            expect(again[0].contains(shown) && again[0].contains(" already exists"), "\(again)")
            let report = try await Run(arguments + ["--overwrite", "--json"]).json()
            try expect(report.text("out") == shown)
            for text in [said] + again { expect(!text.unicodeScalars.contains { $0.value >= 0x10F700 }) }
        }
    }
#endif
