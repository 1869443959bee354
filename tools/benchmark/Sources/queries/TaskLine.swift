import CChild
import Foundation
import RealmCore
import RealmFile

/// An operation that several tasks share.
struct TaskLine {
    let name: String
    /// Performs the operation with `jobs` tasks, and returns a number that shows whether the result is correct.
    let run: (_ jobs: Int) async throws -> Int

    /// Returns the operations to measure with several tasks.
    static func all(_ table: Table) -> [TaskLine] {
        func count(_ text: String) -> TaskLine {
            TaskLine(name: "count: \(text)") { try await table.count(matching: try ObjectQuery(text), jobs: $0) }
        }
        func results(_ text: String) -> TaskLine {
            TaskLine(name: text) { try await table.objects(matching: try ObjectQuery(text), jobs: $0).count }
        }
        func groups(_ paths: [String], _ summarized: [String]) -> TaskLine {
            let names = "\(paths.joined(separator: ", ")), of \(summarized.joined(separator: ", "))"
            return TaskLine(name: "all objects, grouped by \(names)") { jobs in
                let all = try await table.objects(matching: try ObjectQuery("TRUEPREDICATE"), jobs: jobs)
                return try await all.grouped(by: paths, summarizing: summarized, jobs: jobs).count
            }
        }
        return [
            count("age > 50"), count("age IN {1, 7, 12, 25, 33, 48, 51, 66, 78, 90}"),
            count("score > 100 AND active == true"), count("time > T1650000000:0"), count("name CONTAINS '345'"),
            count("name CONTAINS[c] 'A 45'"), count("name LIKE '*a*7'"), count("owner.age > 500"),
            count("name LIKE '*q*7*x*' OR name CONTAINS[c] 'A 4555'"), results("age > 50"),
            results("TRUEPREDICATE SORT(name ASC)"), results("age > 50 SORT(score DESC)"),
            results("age > 50 SORT(score DESC) LIMIT(10)"), results("TRUEPREDICATE SORT(time DESC)"),
            results("TRUEPREDICATE SORT(city ASC, age DESC)"),
            results("TRUEPREDICATE SORT(city ASC, age DESC) LIMIT(10)"), results("TRUEPREDICATE DISTINCT(city)"),
            results("TRUEPREDICATE DISTINCT(owner.age)"), results("TRUEPREDICATE DISTINCT(name)"),
            results("TRUEPREDICATE DISTINCT(name) DISTINCT(active)"),
            results("TRUEPREDICATE SORT(name ASC) DISTINCT(active)"),
            results("TRUEPREDICATE SORT(name ASC) DISTINCT(city)"), groups(["city"], ["score"]),
            groups(["owner.age", "city"], ["age"]),
        ]
    }
}

/// Measures the gain of several tasks: wall time, alternating with one task.
struct TaskMeasurement {
    let jobs: Int
    let rounds: Int

    /// Prints the header of a table.
    func begin(_ title: String) {
        print("\(title); milliseconds of wall time, the best of \(rounds) rounds in turn\n")
        print("| query | results | one task | \(jobs) tasks | times | processor time of \(jobs) tasks ÷ one |")
        print("|---|---|---|---|---|---|")
    }

    /// Measures a line, and prints it.
    func run(_ line: TaskLine) async throws {
        var best = [Double](repeating: .infinity, count: 2)
        var processor = best
        var result = 0
        for round in 0...rounds {
            for (index, jobs) in [1, jobs].enumerated() {
                let (start, used) = (wall_seconds(), process_cpu_seconds())
                result = try await line.run(jobs)
                // The first round loads pages.
                if round > 0 {
                    best[index] = min(best[index], wall_seconds() - start)
                    processor[index] = min(processor[index], process_cpu_seconds() - used)
                }
            }
        }
        let numbers = [best[0] * 1000, best[1] * 1000, best[0] / best[1], processor[1] / processor[0]]
        let texts = numbers.map { String(format: $0 < 0.1 ? "%.4f" : "%.2f", $0) }
        print("| \(line.name) | \(result) | \(texts.joined(separator: " | ")) |")
        fflush(nil)
    }

    /// Measures the overhead of starting tasks that do nothing, and of waiting for them.
    func runNothing() async throws {
        try await run(
            TaskLine(name: "nothing") { jobs in
                if jobs < 2 { return 0 }
                return await withTaskGroup(of: Int.self) { group in
                    for _ in 0..<jobs { group.addTask { 0 } }
                    return await group.reduce(0, +)
                }
            })
    }
}
