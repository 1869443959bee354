internal import CChild
internal import Foundation

/// A measured operation.
public struct Line {
    /// The name of the operation.
    public let name: String
    /// The target in milliseconds; nil without a target.
    public let target: Double?
    /// Performs the operation, and returns a number that shows whether the result is correct.
    public let run: () throws -> Int

    /// Creates a line of a table.
    public init(name: String, target: Double? = nil, _ run: @escaping () throws -> Int) {
        (self.name, self.target, self.run) = (name, target, run)
    }
}

/// Measures processor time, on one thread.
public struct Measurement {
    private let rounds: Int

    /// - Parameter rounds: the number of measurements of each line.
    public init(rounds: Int) { self.rounds = rounds }

    /// Prints the header of a table.
    public func begin(_ title: String, _ what: String) {
        print("\(title); milliseconds of processor time, best and median of \(rounds)\n")
        print("| \(what) | results | best | median | to reach |\n|---|---|---|---|---|")
    }

    /// Measures a line, and prints it.
    public func run(_ line: Line) throws {
        // The first run also determines how many runs are needed for clocks with a low resolution.
        var result = 0
        let first = try seconds { result = try line.run() }
        let repeats = max(1, min(1000, Int(0.005 / max(first, 1e-7))))
        var times: [Double] = []
        for _ in 0..<rounds {
            times.append(try seconds { for _ in 0..<repeats { result = try line.run() } } / Double(repeats) * 1000)
        }
        times.sort()
        let target = line.target.map { "≤ \($0)" } ?? ""
        print("| \(line.name) | \(result) | \(text(times[0])) | \(text(times[times.count / 2])) | \(target) |")
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
