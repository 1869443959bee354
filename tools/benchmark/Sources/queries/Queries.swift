import ArgumentParser
import CChild
import Foundation
import MadeData
import RealmCore
import RealmFile

/// Measures queries on a table created for the purpose, by processor time on one thread.
@main
struct Queries: AsyncParsableCommand {
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

    @Option(help: ArgumentHelp("Only the query of this name.", valueName: "name"))
    var exactly: String?

    @Flag(help: "Measure memory beyond mapped pages instead of time: each query in a process of its own.")
    var memory = false

    @Option(help: ArgumentHelp("Measure so many tasks beside one, by wall time.", valueName: "n"))
    var jobs: Int?

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "realmfile-queries-\(getpid())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = file ?? folder.appending(path: "objects.realm").path
        if !FileManager.default.fileExists(atPath: path) {
            if file == nil { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
            try MadeTable.write(objects, to: path)
        }
        let snapshot = try RealmDatabase(path: path).snapshot()
        let table = try snapshot.table(named: "Item")
        if let jobs {
            let measurement = TaskMeasurement(jobs: jobs, rounds: rounds)
            measurement.begin("\(try table.count) objects")
            if filter == nil { try await measurement.runNothing() }
            for line in TaskLine.all(table) where filter.map({ line.name.contains($0) }) ?? true {
                try await measurement.run(line)
            }
            return
        }
        let nothing = Line(name: "nothing") { try table.count }
        let lines = ([nothing] + Line.all(table, objects: objects)).filter { line in
            (filter.map { line.name.contains($0) } ?? true) && (exactly.map { $0 == line.name } ?? true)
        }
        if memory { return try measureMemory(of: lines.map(\.name), nothing.name, path) }
        let measure = Measurement(rounds: rounds)
        measure.begin("\(try table.count) objects", "query")
        for line in lines { try measure.run(line) }
    }

    private func measureMemory(of names: [String], _ nothing: String, _ path: String) throws {
        print("\(objects) objects; memory beyond mapped pages, more than \(nothing) takes\n\n| query | kB |\n|---|---|")
        let least = try peak(nothing, path)
        for name in names where name != nothing {
            print("| \(name) | \(max(0, try peak(name, path) - least) / 1024) |")
            fflush(nil)
        }
    }

    /// Returns the peak resident memory of a process that runs one query, in bytes.
    private func peak(_ name: String, _ path: String) throws -> Int64 {
        let program = CommandLine.arguments[0]
        let words = [program, "--file", path, "--objects", "\(objects)", "--rounds", "\(rounds)", "--exactly", name]
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var usage = child_usage()
        guard child_run(&pointers, true, &usage) == 0, usage.exit_code == 0 else { throw ExitCode.failure }
        return usage.peak_anonymous
    }
}
