import CommandTestSupport
import Expectations
import Foundation
import TestSupport
import Testing

/// Completions in the shells themselves: files are completed where the tool takes paths. A shell that is not installed
/// is left out.
@Suite struct CompletionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["app.realm", "app.key", "other.txt"] { try Data().write(to: URL(filePath: folder.file(name))) }
        try FileManager.default.createDirectory(
            at: URL(filePath: folder.file("apple")), withIntermediateDirectories: true)
    }

    private static func path(_ shell: String) -> String? {
        ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(shell)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Writes the script for a shell; returns its path.
    private func script(_ shell: String) async throws -> String {
        let run = await Run("--generate-completion-script", shell)
        let path = folder.file("completion")
        try Data(run.output.utf8).write(to: URL(filePath: path))
        return path
    }

    /// Runs a shell in the folder; returns the lines of its output.
    private func output(_ shell: String, _ arguments: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: shell)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
    }

    private static let lines: [(line: String, words: [String])] = [
        ("realmfile info ap", ["app.key", "app.realm", "apple"]),
        ("realmfile info app.realm ot", ["other.txt"]),
        ("realmfile verify app.realm --key-file app.k", ["app.key"]),
        ("realmfile compact app.realm --out ot", ["other.txt"]),
        ("realmfile import ot", ["other.txt"]),
        ("realmfile diff app.realm app.r", ["app.realm"]),
        ("realmfile export app.realm --out ap", ["apple"]),
        ("realmfile export app.realm --format cs", ["csv"]),
        ("realmfile verif", ["verify"]),
    ]

    @Test(arguments: lines) func `bash completes`(_ line: String, _ words: [String]) async throws {
        guard let bash = Self.path("bash") else { return }
        let script = try await script("bash")
        let found = try output(
            bash,
            [
                "-c",
                #"source "$1"; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$2; COMP_POINT=${#2}; "#
                    + #"_realmfile realmfile "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf '%s\n' "${COMPREPLY[@]}""#,
                "bash", script, line,
            ])
        expectEqual(found.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }, words)
    }

    @Test(arguments: lines) func `fish completes`(_ line: String, _ words: [String]) async throws {
        guard let fish = Self.path("fish") else { return }
        let script = try await script("fish")
        let found = try output(
            fish, ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line])
        // After a tab comes a description, and after a folder a slash.
        let names = found.map { $0.prefix { $0 != "\t" } }.map {
            $0.hasSuffix("/") ? String($0.dropLast()) : String($0)
        }
        expectEqual(names, words)
    }

    /// The order of keys in a terminal decides what zsh shows; its script is parsed, and says which arguments are files.
    @Test func `zsh completes`() async throws {
        guard let zsh = Self.path("zsh") else { return }
        let script = try await script("zsh")
        expectEqual(try output(zsh, ["-f", "-n", script]), [])
        let lines = try String(contentsOfFile: script, encoding: .utf8).split(separator: "\n")
        // A description in brackets is between the name and the kind of its value.
        let parts = [("':", "file:_files'"), ("'--key-file[", "]:path:_files'"), ("'--out[", "]:dir:_files -/'")]
        for (name, end) in parts {
            let named = lines.filter { $0.contains(name) }
            let isComplete = named.contains { $0.hasSuffix(end) }
            expect(isComplete, "\(name)…\(end) is missing: \(named.prefix(4).joined(separator: "\n"))")
        }
    }
}
