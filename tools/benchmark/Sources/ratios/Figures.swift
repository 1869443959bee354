import CChild
import Foundation

/// Repeated measurements of one quantity.
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

    /// Returns each number divided by the corresponding one of `others`.
    func divided(by others: Samples) -> Samples { Samples(zip(values, others.values).map { $0 / $1 }) }
}

/// Formats numbers as text.
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
    /// The average number of running processes in the last minute.
    static var load: String {
        var loads = [0.0, 0.0, 0.0]
        guard getloadavg(&loads, 3) > 0 else { return "unknown" }
        return Figures.fixed(loads[0], 1)
    }
}

/// The cost of a piece of work in this process.
struct Cost {
    /// Seconds of processor time on all threads.
    var processor: Double
    /// The system part of it.
    var system: Double
    /// Seconds of wall time.
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
