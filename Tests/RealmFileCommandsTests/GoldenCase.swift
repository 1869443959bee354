import CommandTestSupport
import Foundation
import TestSupport

/// A file of `Cases`: commands with their complete output.
///
/// ```
/// # What a reader has to know, and where it can be read that the answer is right.
/// file $TEMP/damaged.realm = $FIXTURES/kennel.realm; set 0x10 00; add 0x1028 8; cut 0x1000; zeros 8
/// file $TEMP/packed.realm = $FIXTURES/kennel.realm; returns; utf8; base64; hexadecimal; gzip; front PREFIX
/// zip $TEMP/app.zip = a/default.realm $FIXTURES/kennel.realm; notes.txt $TEMP/notes.txt deflated
/// tar $TEMP/app.tar = default.realm $FIXTURES/kennel.realm
/// line $TEMP/people.json {"name": "Ada"}
/// input a line that the next command reads
/// $ REALMFILE_KEY=00… realmfile verify --quick $TEMP/damaged.realm
/// = 2
/// | standard output
/// ! standard error
/// ```
///
/// `$FIXTURES` is the folder of fixtures, `$TEMP` a new one. Besides the tool, `ls FOLDER` and `cat FILE` are
/// available. With `REALMFILE_UPDATE_GOLDEN=1` the answers are regenerated; review them line by line before committing
/// them.
struct GoldenCase: Sendable, CustomStringConvertible {
    let url: URL
    var description: String { url.deletingPathExtension().lastPathComponent }

    static let isUpdating = ProcessInfo.processInfo.environment["REALMFILE_UPDATE_GOLDEN"] == "1"

    private static let folder = KnownFile.packageRoot.appending(path: "Tests/RealmFileCommandsTests/Cases")

    static let all: [GoldenCase] = {
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "txt" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }.map { GoldenCase(url: $0) }
    }()

    /// Returns the lines of the file.
    func lines() throws -> [String] {
        let text = try String(contentsOf: url, encoding: .utf8)
        guard text.hasSuffix("\n") else { throw TestSupportError("\(self) does not end with a line") }
        return text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the lines with the current answers of the commands.
    func answered() async throws -> [String] {
        let shell = try GoldenShell()
        var result: [String] = []
        for line in try lines() where !Self.isAnswer(line) {
            result.append(line)
            if line.hasPrefix("$ ") {
                result += try await shell.answer(to: String(line.dropFirst(2)))
            } else if !line.isEmpty, !line.hasPrefix("#") {
                try shell.prepare(line)
            }
        }
        return result
    }

    /// Writes the lines to the file.
    func write(_ lines: [String]) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
    }

    private static func isAnswer(_ line: String) -> Bool {
        guard let first = line.first, "=|!\\".contains(first) else { return false }
        return line.count == 1 || line.dropFirst().first == " "
    }

    /// Returns the removed lines (`-`) and the added lines (`+`), with context.
    static func difference(_ old: [String], _ new: [String]) -> String {
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [(mark: String, text: String)] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if removed.contains(left) {
                lines.append(("-", old[left]))
                left += 1
            } else if added.contains(right) {
                lines.append(("+", new[right]))
                right += 1
            } else {
                lines.append((" ", old[left]))
                left += 1
                right += 1
            }
        }
        // Three lines around each change, and every command.
        let near = Set(lines.indices.filter { lines[$0].mark != " " }.flatMap { ($0 - 3)...($0 + 3) })
        return lines.indices.filter { near.contains($0) || lines[$0].text.hasPrefix("$ ") }
            .map { "\(lines[$0].mark)\(lines[$0].text)" }.joined(separator: "\n")
    }
}
