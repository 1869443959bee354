import Expectations
import TestSupport
import Testing

/// Output and exit status of the tool, byte for byte, for the command lines in `Cases`.
@Suite struct GoldenTests {
    @Test(arguments: GoldenCase.all)
    func `the output of each command line equals its file in Cases`(_ file: GoldenCase) async throws {
        let (known, found) = (try file.lines(), try await file.answered())
        if GoldenCase.isUpdating {
            if found != known { try file.write(found) }
            return
        }
        expectEqual(
            found, known,
            """
            \(file.url.lastPathComponent) has the lines with -, now it would be those with +; tools/test --golden takes them:
            \(GoldenCase.difference(known, found))
            """)
    }

    @Test func `cases exist, and each names the source of its truth`() throws {
        expect(GoldenCase.all.count > 40)
        for file in GoldenCase.all {
            try expectEqual(file.lines().first?.hasPrefix("# "), true, "\(file)")
        }
    }

    /// The expected output must not depend on the machine.
    @Test(arguments: GoldenCase.all)
    func `cases name no folder of this machine`(_ file: GoldenCase) throws {
        let text = try file.lines().joined(separator: "\n")
        expect(!text.contains(KnownFile.packageRoot.path) && !text.contains("/tmp/"))
    }

    @Test func `a difference shows removed lines, added lines and context`() {
        let old = ["$ a", "1", "2", "3", "4", "5", "6", "7", "8", "9"]
        var new = old
        new[5] = "five"
        new.append("10")
        expectEqual(
            GoldenCase.difference(old, new),
            """
             $ a
             2
             3
             4
            -5
            +five
             6
             7
             8
             9
            +10
            """)
    }
}
