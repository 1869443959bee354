import CChild
import Foundation

/// The processor time of exports on one thread in this process, each compared with the baseline.
struct ProcessorTime {
    private var table: Table

    /// An operation that is measured alternating with the baseline.
    private struct Line {
        let name: String
        var target: Double?
        let work: () async throws -> Cost
        var baselines = Samples()
        var costs = Samples()
        var systems = Samples()
    }

    init(
        _ input: Input, _ baseline: Baseline, _ floor: Floor, _ folder: OutputFolder, rounds: Int
    ) async throws {
        var lines = Job.all.map { job in
            Line(name: job.name, target: job.target) {
                try await folder.withScratch { path in try await Cost.of { try await job.export(input, to: path) } }
            }
        }
        lines += Job.all.prefix(2).map { job in
            Line(name: "\(job.name), bytes thrown away") {
                try await Cost.of { try await job.exportToNowhere(input) }
            }
        }
        for (name, readsAll) in [("pages touched", false), ("file read", true)] {
            lines.append(
                Line(name: "least for BSON, mongo profile: \(name), fields copied, written") {
                    try folder.withScratch { path in try floor.measure(to: "\(path)/bytes", readsAll: readsAll) }
                })
        }
        lines.append(
            Line(name: "writing \(Figures.megabytes(baseline.bytes)), nothing else") {
                try folder.withScratch { path in try baseline.measureWriting(to: "\(path)/bytes") }
            })
        // The first round warms up.
        for round in 0...rounds {
            for index in lines.indices {
                let reference = baseline.measure()
                let cost = try await lines[index].work()
                guard round > 0 else { continue }
                lines[index].baselines.add(reference.processor)
                lines[index].costs.add(cost.processor)
                lines[index].systems.add(cost.system)
            }
        }
        table = Table(
            "Processor time in one process, output to \(folder.name)",
            [
                "work", "baseline s (min / median / max)", "work s", "of it in the system (median)",
                "÷ baseline (min / **median** / max)", "÷ of the minima", "target",
            ])
        for line in lines {
            table.row([
                line.name, Figures.seconds(line.baselines), Figures.seconds(line.costs),
                Figures.fixed(line.systems.median, 3), Figures.ratios(line.costs.divided(by: line.baselines)),
                Figures.fixed(line.costs.minimum / line.baselines.minimum, 2), line.target.map { "≤ \($0)" } ?? "",
            ])
        }
    }

    func print() { table.print() }
}
