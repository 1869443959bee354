import ArgumentParser
import CChild
import Foundation
import RealmQuery
import RealmReader

/// Measures queries on a table that is made for it, by processor time on one thread.
@main
struct Queries: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Measures queries on a table of a million objects.")

    @Option(help: "How many objects.")
    var objects = 1_000_000

    @Option(help: "How often each query is measured.")
    var rounds = 9

    @Option(help: ArgumentHelp("Only queries whose name contains this.", valueName: "text"))
    var filter: String?

    @Option(
        help: ArgumentHelp("Where the file is kept between runs; a temporary folder unless given.", valueName: "path"))
    var file: String?

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "realmfile-queries-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = file ?? folder.appending(path: "objects.realm").path
        if !FileManager.default.fileExists(atPath: path) {
            if file == nil { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
            try MadeTable.write(objects, to: path)
        }
        let snapshot = try RealmDatabase(path: path).snapshot()
        let table = try snapshot.table(named: "Item")
        print("\(try table.count) objects; milliseconds of processor time, best and median of \(rounds)\n")
        print("| query | results | best | median | to reach |\n|---|---|---|---|---|")
        for line in Line.all(table, objects: objects) where filter.map({ line.name.contains($0) }) ?? true {
            try measure(line)
        }
    }

    private func measure(_ line: Line) throws {
        // The first run also says how many fit into some milliseconds, for clocks that do not count less.
        var result = 0
        let first = try seconds { result = try line.run() }
        let repeats = max(1, min(1000, Int(0.005 / max(first, 1e-7))))
        var times: [Double] = []
        for _ in 0..<rounds {
            times.append(try seconds { for _ in 0..<repeats { result = try line.run() } } / Double(repeats) * 1000)
        }
        times.sort()
        let target = line.target.map { "≤ \($0)" } ?? ""
        print(
            "| \(line.name) | \(result) | \(text(times[0])) | \(text(times[times.count / 2])) | \(target) |")
        fflush(nil)
    }

    private func text(_ milliseconds: Double) -> String {
        String(format: milliseconds < 10 ? "%.3f" : "%.1f", milliseconds)
    }

    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = process_cpu_seconds()
        try body()
        return process_cpu_seconds() - start
    }
}
