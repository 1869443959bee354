import Foundation

/// The cost of an object, an update or a commit, by the number of objects.
struct Growth {
    private let sizes: [Int]
    private var costs: [(job: LiveJob, microseconds: [Double])] = []

    init(_ sizes: [Int]) { self.sizes = sizes }

    /// Adds the cost of a single unit in a job, for the next size.
    mutating func add(_ job: LiveJob, _ microseconds: Double) {
        if let index = costs.firstIndex(where: { $0.job.name == job.name }) {
            costs[index].microseconds.append(microseconds)
        } else {
            costs.append((job, [microseconds]))
        }
    }

    func print() {
        Swift.print("\nMicroseconds of processor time by the number of objects\n")
        let heads = sizes.map { " \(Self.name(of: $0)) |" }.joined()
        Swift.print("| job | sign |\(heads)\n|---|---|\(sizes.map { _ in "---|" }.joined())")
        for (job, costs) in costs {
            let cells = costs.map { " \(Self.text($0)) |" }.joined()
            Swift.print("| \(job.name), \(job.unit) | \(job.sign) |\(cells)")
        }
        Swift.print("\n```text\n\(plot)```")
    }

    static func text(_ microseconds: Double) -> String {
        String(format: microseconds < 10 ? "%.2f" : microseconds < 100 ? "%.1f" : "%.0f", microseconds)
    }

    static func name(of size: Int) -> String {
        size >= 1_000_000 ? "\(size / 1_000_000) M" : size >= 1000 ? "\(size / 1000) k" : "\(size)"
    }

    /// A plot in lines of a quarter power of ten, from the highest cost to the lowest, with a column for each size.
    private var plot: String {
        let step = { (cost: Double) in Int((log10(max(cost, 1e-3)) * 4).rounded()) }
        let all = costs.flatMap(\.microseconds).map(step)
        guard let lowest = all.min(), let highest = all.max() else { return "" }
        var text = ""
        for row in (lowest...highest).reversed() {
            let label = row % 4 == 0 ? Self.text(pow(10, Double(row / 4))) + " µs" : ""
            text += String(repeating: " ", count: max(0, 10 - label.count)) + label + " |"
            for size in sizes.indices {
                let signs = costs.filter { $0.microseconds.count > size && step($0.microseconds[size]) == row }
                let here = String(signs.map(\.job.sign))
                text += "   " + here + String(repeating: " ", count: max(0, 9 - here.count))
            }
            while text.last == " " { text.removeLast() }
            text += "\n"
        }
        text += String(repeating: " ", count: 11) + "+" + String(repeating: "-", count: sizes.count * 12) + "\n"
        text += String(repeating: " ", count: 12)
        for size in sizes { text += "   " + Self.name(of: size).padding(toLength: 9, withPad: " ", startingAt: 0) }
        while text.last == " " { text.removeLast() }
        return text + "\n"
    }
}
