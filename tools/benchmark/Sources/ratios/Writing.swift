import CBaseline
import CChild
import Foundation

/// The cost of new files: processor time of the tool as a process, compared with copying the file, and with libbson
/// reading the documents of an import.
struct Writing {
    private var table: Table

    init(_ input: Input, _ tool: Tool, _ folder: OutputFolder, rounds: Int) throws {
        table = Table(
            "New files, output to \(folder.name)",
            [
                "work", "beside", "that, processor s", "tool, processor s", "÷ (min / **median** / max)", "memory, MB",
                "target",
            ])
        try folder.withScratch { path in
            let out = "\(path)/new.realm"
            let copy = "\(path)/copy.realm"
            for verb in ["compact", "upgrade"] {
                try measure(verb, "cp of the file", rounds, target: verb == "compact" ? "≤ 4" : "") {
                    try Self.cost(of: "/bin/cp", [input.path, copy])
                } _: {
                    try tool.run([verb, input.path, "--out", out, "--overwrite"], samplesMemory: true)
                }
            }
            let dump = "\(path)/dump"
            try tool.run(["export", input.path, "--out", dump, "--profile", "canonical"])
            let files = try Folder.files(of: dump).filter { $0.hasSuffix(".bson") }.map { "\(dump)/\($0)" }
            try measure("import of canonical BSON", "libbson reading", rounds, target: "≤ 3") {
                var (documents, fields, sum) = (0, 0, UInt64(0))
                var isWell = true
                let cost = Cost.of {
                    for file in files { isWell = reading_file(file, &documents, &fields, &sum) && isWell }
                }
                guard isWell, documents > 0 else { throw BenchmarkError("libbson cannot read the documents") }
                return cost.processor
            } _: {
                try tool.run(["import", dump, "--out", out, "--overwrite"], samplesMemory: true)
            }
        }
    }

    private mutating func measure(
        _ work: String, _ reference: String, _ rounds: Int, target: String, _ beside: () throws -> Double,
        _ run: () throws -> child_usage
    ) throws {
        var (references, costs, memory) = (Samples(), Samples(), Samples())
        for round in 0...rounds {
            let reference = try beside()
            let usage = try run()
            guard round > 0 else { continue }
            references.add(reference)
            costs.add(usage.user + usage.system)
            memory.add(Double(usage.peak_anonymous) / 1_000_000)
        }
        table.row([
            work, reference, Figures.seconds(references), Figures.seconds(costs),
            Figures.ratios(costs.divided(by: references)), Figures.fixed(memory.median, 1), target,
        ])
    }

    private static func cost(of program: String, _ arguments: [String]) throws -> Double {
        let usage = try Tool(path: program).run(arguments)
        return usage.user + usage.system
    }

    func print() { table.print() }
}

/// The cost of `verify`, compared with `sha256sum` from coreutils on the same file.
struct Verifying {
    private var table: Table

    init(_ input: Input, _ tool: Tool, rounds: Int) throws {
        table = Table(
            "Verifying",
            ["level", "sha256sum, processor s", "tool, processor s", "÷ (min / **median** / max)", "target"])
        for (level, target) in [("--quick", ""), ("", "≤ 1.5"), ("--deep", "")] {
            var (references, costs) = (Samples(), Samples())
            for round in 0...rounds {
                let reference = try Tool(path: "/usr/bin/sha256sum").run([input.path])
                let usage = try tool.run(["verify", input.path, "--jobs", "1"] + (level.isEmpty ? [] : [level]))
                guard round > 0 else { continue }
                references.add(reference.user + reference.system)
                costs.add(usage.user + usage.system)
            }
            table.row([
                level.isEmpty ? "default" : level, Figures.seconds(references), Figures.seconds(costs),
                Figures.ratios(costs.divided(by: references)), target,
            ])
        }
    }

    func print() { table.print() }
}
