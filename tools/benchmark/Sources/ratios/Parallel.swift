import Foundation

/// The wall time with one thread and with two, and whether the output is the same.
struct Parallel {
    private var table: Table
    private let gain: String

    init(_ input: Input, _ baseline: Baseline, _ folder: OutputFolder, rounds: Int) async throws {
        table = Table(
            "Two threads, output to \(folder.name)",
            [
                "export", "1 thread, wall s", "2 threads, wall s", "times as fast (min / **median** / max)",
                "of the sums", "processor time, ÷ 1 thread", "same bytes", "target",
            ])
        var gains = Samples()
        for job in Job.all.prefix(2) {
            var single = Samples()
            var double = Samples()
            var extra = Samples()
            for round in 0...rounds {
                // The current gain from two cores, independent of the exporter.
                let gain = baseline.measureTwice(parallel: false) / baseline.measureTwice(parallel: true)
                let first = try await Self.cost(of: job, input, folder)
                let second = try await Self.cost(of: job.with(jobs: 2), input, folder)
                guard round > 0 else { continue }
                gains.add(gain)
                single.add(first.wall)
                double.add(second.wall)
                extra.add(second.processor / first.processor)
            }
            let areEqual = try await folder.withScratch { path in
                try await job.export(input, to: "\(path)/1")
                try await job.with(jobs: 2).export(input, to: "\(path)/2")
                return try Folder.areEqual("\(path)/1", "\(path)/2")
            }
            guard areEqual else { throw BenchmarkError("\(job.name): two threads write other bytes than one") }
            table.row([
                job.name, Figures.seconds(single), Figures.seconds(double),
                Figures.ratios(single.divided(by: double)),
                Figures.fixed(single.values.reduce(0, +) / double.values.reduce(0, +), 2),
                Figures.ratios(extra), "yes", "≥ 1.7",
            ])
        }
        gain = Figures.ratios(gains)
    }

    private static func cost(of job: Job, _ input: Input, _ folder: OutputFolder) async throws -> Cost {
        try await folder.withScratch { path in try await Cost.of { try await job.export(input, to: path) } }
    }

    func print() {
        table.print()
        Swift.print(
            """
            What two cores were worth meanwhile: libbson's work on two threads was \(gain) times as fast as on one; load \
            of the machine \(Machine.load).

            """)
    }
}
