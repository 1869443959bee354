import CChild
import Foundation

/// The memory of the tool without mapped pages, for a small file and a large one.
struct Memory {
    private var table: Table

    init(_ inputs: Inputs, _ tool: Tool, _ folder: OutputFolder, rounds: Int) throws {
        table = Table(
            "Peak memory beyond mapped pages, the largest of \(rounds) runs",
            ["export"] + inputs.all.flatMap { ["\($0.name), 1 thread", "2 threads"] } + ["target"])
        for job in Job.all {
            var cells = [job.name]
            for input in inputs.all {
                for jobs in 1...2 { cells.append(try Self.peak(of: job.with(jobs: jobs), input, tool, folder, rounds)) }
            }
            table.row(cells + ["< 64 MB"])
        }
    }

    private static func peak(
        of job: Job, _ input: Input, _ tool: Tool, _ folder: OutputFolder, _ rounds: Int
    ) throws -> String {
        var peak = -1
        for _ in 0..<rounds {
            let usage = try folder.withScratch { path in
                try tool.run(job.arguments(input, to: "\(path)/dump"), samplesMemory: true)
            }
            peak = max(peak, Int(usage.peak_anonymous))
        }
        return peak < 0 ? "not told by this system" : Figures.megabytes(peak)
    }

    func print() { table.print() }
}
