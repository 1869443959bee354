import CChild
import Foundation
import RealmFile

/// Opening a file for writing, and the memory of a commit, in a separate process.
struct Opening {
    private var milliseconds: [Double] = []
    /// Bytes without mapped pages: for opening, and after the first commit.
    private var opened = 0
    private var committed = 0

    /// The code of the child process: opens the file, changes one object, and prints the costs.
    static func child(_ path: String, objects: Int) throws {
        let start = anonymousBytes()
        let clock = wall_seconds()
        let store = try RealmStore(path: path, options: .init(durability: .none))
        let seconds = wall_seconds() - clock
        let opened = anonymousBytes()
        try store.write { try PersonTable.update(objects / 2, -1, in: $0) }
        print(seconds * 1000, opened - start, anonymousBytes() - start)
    }

    /// Opens a copy of a file a number of times.
    static func alone(_ stage: Stage, rounds: Int) throws -> String {
        var opening = Opening()
        for _ in 0..<rounds {
            let path = try stage.freshCopy()
            let clock = wall_seconds()
            let store = try RealmStore(path: path, options: .init(durability: .none))
            opening.milliseconds.append((wall_seconds() - clock) * 1000)
            try store.close()
        }
        return opening.text
    }

    private init() {}

    /// Runs child processes.
    init(_ stage: Stage, rounds: Int) throws {
        for _ in 0..<rounds {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = ["--objects", "\(stage.objects)", "--opening", try stage.freshCopy()]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let words = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            guard words.count == 3 else { throw CocoaError(.fileReadUnknown) }
            milliseconds.append(words[0])
            opened = max(opened, Int(words[1]))
            committed = max(committed, Int(words[2]))
        }
    }

    var text: String {
        let sorted = milliseconds.sorted()
        return String(format: "%.2f ms", sorted[sorted.count / 2])
    }

    var memory: String {
        String(format: "%.1f MB, behind a commit %.1f MB", Double(opened) / 1e6, Double(committed) / 1e6)
    }

    /// Returns the anonymous memory on Linux; 0 elsewhere.
    private static func anonymousBytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
    }
}
