import CChild
import Foundation

/// Measured numbers of one thing.
struct Samples {
    private(set) var values: [Double] = []

    init(_ values: [Double] = []) { self.values = values }

    mutating func add(_ value: Double) { values.append(value) }

    var sorted: [Double] { values.sorted() }
    var minimum: Double { sorted.first ?? .nan }
    var maximum: Double { sorted.last ?? .nan }
    var median: Double {
        let sorted = sorted
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// Each number divided by the one at the same place of `others`.
    func divided(by others: Samples) -> Samples { Samples(zip(values, others.values).map { $0 / $1 }) }
}

/// Text of numbers.
enum Figures {
    static func fixed(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }

    static func megabytes(_ bytes: Int) -> String { "\(fixed(Double(bytes) / 1e6, 1)) MB" }

    static func seconds(_ samples: Samples) -> String {
        "\(fixed(samples.minimum, 3)) / \(fixed(samples.median, 3)) / \(fixed(samples.maximum, 3))"
    }

    static func ratios(_ samples: Samples) -> String {
        "\(fixed(samples.minimum, 2)) / **\(fixed(samples.median, 2))** / \(fixed(samples.maximum, 2))"
    }
}

/// A table in Markdown.
struct Table {
    private var lines: [String]

    init(_ title: String, _ columns: [String]) {
        lines = ["### \(title)", "", Self.line(columns), "|" + String(repeating: "---|", count: columns.count)]
    }

    mutating func row(_ cells: [String]) { lines.append(Self.line(cells)) }

    func print() {
        Swift.print(lines.joined(separator: "\n") + "\n")
        fflush(nil)
    }

    private static func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
}

/// The machine's state.
enum Machine {
    /// Running processes in the last minute, on average.
    static var load: String {
        var loads = [0.0, 0.0, 0.0]
        guard getloadavg(&loads, 3) > 0 else { return "unknown" }
        return Figures.fixed(loads[0], 1)
    }
}

/// What a piece of work in this process took.
struct Cost {
    /// Seconds of processor time on all threads.
    var processor: Double
    /// The part of it in the system.
    var system: Double
    /// Seconds that passed.
    var wall: Double

    static func of(_ body: () throws -> Void) rethrows -> Cost {
        let start = Cost.now
        try body()
        return Cost(from: start, to: Cost.now)
    }

    static func of(_ body: () async throws -> Void) async rethrows -> Cost {
        let start = Cost.now
        try await body()
        return Cost(from: start, to: Cost.now)
    }

    private static var now: Cost {
        Cost(processor: process_cpu_seconds(), system: process_system_seconds(), wall: wall_seconds())
    }

    private init(processor: Double, system: Double, wall: Double) {
        self.processor = processor
        self.system = system
        self.wall = wall
    }

    private init(from start: Cost, to end: Cost) {
        self.init(
            processor: end.processor - start.processor, system: end.system - start.system, wall: end.wall - start.wall)
    }
}
