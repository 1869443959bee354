import CChild
import Foundation

/// The processor time of the tool as counted by the system, from start to end of the process, each run compared with
/// the baseline.
struct WholeProcess {
    private var table: Table

    init(_ input: Input, _ baseline: Baseline, _ tool: Tool, _ folder: OutputFolder, rounds: Int) throws {
        table = Table(
            "Processor time of the tool as a process, output to \(folder.name)",
            ["export", "baseline s", "tool s", "of it in the system", "÷ baseline (min / **median** / max)", "target"])
        for job in Job.all {
            var baselines = Samples()
            var processes = Samples()
            var systems = Samples()
            for round in 0...rounds {
                let reference = baseline.measure()
                let usage = try folder.withScratch { try tool.run(job.arguments(input, to: "\($0)/dump")) }
                guard round > 0 else { continue }
                baselines.add(reference.processor)
                processes.add(usage.user + usage.system)
                systems.add(usage.system)
            }
            table.row([
                job.name, Figures.seconds(baselines), Figures.seconds(processes), Figures.fixed(systems.median, 3),
                Figures.ratios(processes.divided(by: baselines)), job.target.map { "≤ \($0)" } ?? "",
            ])
        }
    }

    func print() { table.print() }
}
