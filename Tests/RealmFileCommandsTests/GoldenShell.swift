import CommandTestSupport
import Foundation
import Synchronization
import TestSupport

/// Runs the commands of a `GoldenCase` in a new folder.
final class GoldenShell {
    private let temporary: TemporaryFolder
    /// The standard input of the next command.
    private let input = Mutex<[String]>([])
    private static let fixtures = KnownFile.packageRoot.appending(path: "Fixtures").path

    init() throws { temporary = try TemporaryFolder() }

    /// Returns the exit code of a command and its output, line by line.
    func answer(to command: String) async throws -> [String] {
        var words = try words(of: command)
        var variables: [String: String] = [:]
        while let word = words.first, word.hasPrefix("REALMFILE_"), let sign = word.firstIndex(of: "=") {
            variables[String(word[..<sign])] = String(word[word.index(after: sign)...])
            words.removeFirst()
        }
        switch words.first {
        case "realmfile":
            let entered = input.withLock { input in
                defer { input = [] }
                return input
            }
            let run = await Run(
                Array(words.dropFirst()), environmentKey: variables["REALMFILE_KEY"],
                newKey: variables["REALMFILE_NEW_KEY"], input: entered)
            return ["= \(run.status.rawValue)"] + marked("|", run.output)
                + run.messages.flatMap { marked("!", "\($0)\n") }
        case "ls" where words.count == 2: return marked("|", try list(words[1]))
        case "cat" where words.count == 2:
            return marked("|", try String(contentsOf: URL(filePath: words[1]), encoding: .utf8))
        default: throw TestSupportError("no command: \(command)")
        }
    }

    /// Creates the file that a line describes.
    func prepare(_ line: String) throws {
        let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch parts.first {
        case "input" where parts.count > 1:
            let line = expanded(parts.dropFirst().joined(separator: " "))
            input.withLock { $0.append(line) }
        case "line" where parts.count == 3:
            let url = URL(filePath: expanded(parts[1]))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let before = (try? Data(contentsOf: url)) ?? Data()
            try (before + Data("\(parts[2])\n".utf8)).write(to: url)
        case "file" where parts.count == 3 && parts[2].hasPrefix("= "):
            let steps = parts[2].dropFirst(2).split(separator: ";").map { $0.split(separator: " ").map(String.init) }
            guard let source = steps.first?.first else { throw TestSupportError("copy of what? \(line)") }
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: expanded(source))))
            for step in steps.dropFirst() { try change(&bytes, step) }
            try Data(bytes).write(to: URL(filePath: expanded(parts[1])))
        case "zip" where parts.count == 3 && parts[2].hasPrefix("= "),
            "tar" where parts.count == 3 && parts[2].hasPrefix("= "):
            let entries = try parts[2].dropFirst(2).split(separator: ";").map { try entry(String($0)) }
            let bytes = parts[0] == "zip" ? try PackedFiles.zip(entries) : PackedFiles.tar(entries)
            try Data(bytes).write(to: URL(filePath: expanded(parts[1])))
        default: throw TestSupportError("neither a command nor a file: \(line)")
        }
    }

    /// Returns the file of an archive that `NAME FILE [deflated|password|method N|checksum]` describes. Answers hold
    /// sizes, so files are stored: those of compressed ones depend on the version of zlib.
    private func entry(_ description: String) throws -> PackedFiles.Entry {
        let words = description.split(separator: " ").map(String.init)
        guard words.count >= 2 else { throw TestSupportError("no file of an archive: \(description)") }
        let content = [UInt8](try Data(contentsOf: URL(filePath: expanded(words[1]))))
        var entry = PackedFiles.Entry(words[0], content)
        entry.isDeflated = words.dropFirst(2).first == "deflated"
        switch words.dropFirst(2).first {
        case "password": entry.flags = 1
        case "method": entry.statedMethod = words.last.flatMap { UInt16($0) }
        case "checksum": entry.statedChecksum = 0
        default: break
        }
        return entry
    }

    private func change(_ bytes: inout [UInt8], _ step: [String]) throws {
        switch step.first {
        case "gzip": return bytes = try PackedFiles.gzip(bytes, level: 0)
        case "base64": return bytes = Array(Data(bytes).base64EncodedString(options: .lineLength76Characters).utf8)
        case "hexadecimal":
            return bytes = Array(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined().utf8)
        case "returns": return bytes = PackedFiles.withReturns(bytes)
        case "utf8": return bytes = Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
        case "front" where step.count == 2: return bytes = Array(step[1].utf8) + bytes
        default: break
        }
        let numbers = step.dropFirst().map { text in
            text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
        }
        switch (step.first, numbers.first ?? nil) {
        case ("set", let offset?):
            for (index, digits) in step.dropFirst(2).enumerated() {
                guard let byte = UInt8(digits, radix: 16) else { throw TestSupportError("no byte: \(digits)") }
                bytes[offset + index] = byte
            }
        case ("add", let offset?) where numbers.count == 2: bytes[offset] &+= UInt8(numbers[1] ?? 0)
        case ("cut", let size?): bytes.removeSubrange(size...)
        case ("clear", let offset?) where numbers.count == 2:
            bytes.replaceSubrange(
                offset..<offset + (numbers[1] ?? 0), with: [UInt8](repeating: 0, count: numbers[1] ?? 0))
        case ("zeros", let count?): bytes += [UInt8](repeating: 0, count: count)
        default: throw TestSupportError("no change: \(step.joined(separator: " "))")
        }
    }

    /// Returns all files in a folder and its subfolders, with their sizes.
    private func list(_ path: String) throws -> String {
        let files = FileManager.default
        return try files.subpathsOfDirectory(atPath: path).sorted().compactMap { name in
            let attributes = try files.attributesOfItem(atPath: "\(path)/\(name)")
            guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
            return "\(attributes[.size] ?? 0) \(name)\n"
        }.joined()
    }

    /// Splits a command into words at spaces; text in single quotes is one word.
    private func words(of command: String) throws -> [String] {
        var words: [String] = []
        for (index, part) in command.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 {
                words.append(expanded(String(part)))
            } else {
                words += part.split(separator: " ").map { expanded(String($0)) }
            }
        }
        return words
    }

    private func expanded(_ word: String) -> String {
        word.replacingOccurrences(of: "$FIXTURES", with: Self.fixtures)
            .replacingOccurrences(of: "$TEMP", with: temporary.path)
    }

    /// Returns lines with a mark before them, and placeholders for folders.
    private func marked(_ mark: String, _ text: String) -> [String] {
        if text.isEmpty { return [] }
        let text = text.replacingOccurrences(of: temporary.path, with: "$TEMP")
            .replacingOccurrences(of: Self.fixtures, with: "$FIXTURES")
        // Split by bytes: in Swift, CR and LF are one character.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self).replacingOccurrences(of: "\r", with: "␍") }
        let isWhole = lines.last == ""
        if isWhole { lines.removeLast() }
        return lines.map { $0.isEmpty ? mark : "\(mark) \($0)" } + (isWhole ? [] : ["\\ no end of line"])
    }
}
