import Foundation

/// Processor time of exports on one thread in this process, each beside the baseline.
struct ProcessorTime {
    private var table: Table

    init(_ input: Input, _ baseline: Baseline, _ folder: OutputFolder, rounds: Int) async throws {
        table = Table(
            "Processor time in one process, output to \(folder.name)",
            [
                "export", "baseline s", "export s", "of it in the system", "÷ baseline (min / **median** / max)",
                "÷ of the minima", "target",
            ])
        var baselines = Job.all.map { _ in Samples() }
        var exports = baselines
        var systems = baselines
        // The first round warms up.
        for round in 0...rounds {
            for (index, job) in Job.all.enumerated() {
                let reference = baseline.measure()
                let cost = try await folder.withScratch { path in
                    try await Cost.of { try await job.export(input, to: path) }
                }
                guard round > 0 else { continue }
                baselines[index].add(reference.processor)
                exports[index].add(cost.processor)
                systems[index].add(cost.system)
            }
        }
        for (index, job) in Job.all.enumerated() {
            table.row([
                job.name, Figures.seconds(baselines[index]), Figures.seconds(exports[index]),
                Figures.fixed(systems[index].median, 3), Figures.ratios(exports[index].divided(by: baselines[index])),
                Figures.fixed(exports[index].minimum / baselines[index].minimum, 2),
                job.target.map { "≤ \($0)" } ?? "",
            ])
        }
    }

    func print() { table.print() }
}
