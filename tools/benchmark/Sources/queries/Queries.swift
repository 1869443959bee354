import ArgumentParser
import Foundation
import MadeData
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
        let measure = Measurement(rounds: rounds)
        measure.begin("\(try table.count) objects", "query")
        for line in Line.all(table, objects: objects) where filter.map({ line.name.contains($0) }) ?? true {
            try measure.run(line)
        }
    }
}
