import CChild
import Foundation

/// The wall time of the tool from start to end, for commands that should be instant.
struct Latency {
    private var table: Table

    init(_ inputs: Inputs, _ tool: Tool, runs: Int) throws {
        table = Table(
            "Wall time of the tool as a process, \(runs) runs, milliseconds (min / median / max)",
            ["command"] + inputs.all.map(\.name) + ["target"])
        let commands = [["--version"], ["info"], ["schema"], ["schema", "--format", "realm-json"]]
        // Alternating, as in all measurements.
        var samples = commands.map { _ in inputs.all.map { _ in Samples() } }
        for run in 0...runs {
            for (row, command) in commands.enumerated() {
                for (column, input) in inputs.all.enumerated() {
                    let isStart = command == ["--version"]
                    let usage = try tool.run(command + (isStart ? [] : [input.path]))
                    if run > 0 { samples[row][column].add(usage.wall * 1000) }
                }
            }
        }
        for (row, command) in commands.enumerated() {
            let cells = samples[row].map {
                "\(Figures.fixed($0.minimum, 1)) / **\(Figures.fixed($0.median, 1))** / \(Figures.fixed($0.maximum, 1))"
            }
            let target = command == ["--version"] ? "(start of a process)" : "< 10 ms"
            table.row(["`realmfile \(command.joined(separator: " "))`"] + cells + [target])
        }
    }

    func print() { table.print() }
}
