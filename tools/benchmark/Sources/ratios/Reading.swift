import Foundation
import RealmFile

/// The time for reading all values through the public library, compared with the export of the same values as BSON.
struct Reading {
    private var costs: Table
    private var tasks: Table

    init(_ input: Input, _ folder: OutputFolder, rounds: Int) async throws {
        let job = Job(name: "BSON", format: .bson)
        var read = Samples()
        var arrays = Samples()
        var toFiles = Samples()
        var toNowhere = Samples()
        var gains = Samples()
        var values = 0
        for round in 0...rounds {
            var count = 0
            let reading = try Cost.of { count = try Self.valuesByOneTask(of: input) }
            var sameCount = 0
            let asArrays = try Cost.of { sameCount = try Self.valuesInArrays(of: input) }
            guard sameCount == count else { throw BenchmarkError("\(sameCount) values in arrays, not \(count)") }
            let export = try await folder.withScratch { path in
                try await Cost.of { try await job.export(input, to: path) }
            }
            let making = try await Cost.of { try await job.exportToNowhere(input) }
            var counts = [0, 0]
            let one = try await Cost.of { counts[0] = try await Self.values(of: input, tasks: 1) }
            let two = try await Cost.of { counts[1] = try await Self.values(of: input, tasks: 2) }
            guard counts == [count, count] else { throw BenchmarkError("tasks see \(counts) values, not \(count)") }
            guard round > 0 else { continue }
            values = count
            read.add(reading.processor)
            arrays.add(asArrays.processor)
            toFiles.add(export.processor)
            toNowhere.add(making.processor)
            gains.add(one.wall / two.wall)
        }
        costs = Table(
            "Reading \(values) values through the library, output to \(folder.name)",
            ["what", "processor s (min / median / max)", "reading ÷ that (min / **median** / max)", "target"])
        costs.row(["`value(at:)` of all properties, one task", Figures.seconds(read), "", ""])
        costs.row(["`values()` of all objects", Figures.seconds(arrays), Figures.ratios(read.divided(by: arrays)), ""])
        for (what, cost, target) in [
            ("BSON export to files", toFiles, "≤ 1.5"), ("BSON, bytes thrown away", toNowhere, ""),
        ] {
            costs.row([what, Figures.seconds(cost), Figures.ratios(read.divided(by: cost)), target])
        }
        tasks = Table("Two tasks on one snapshot", ["what", "times as fast as one (min / **median** / max)", "target"])
        tasks.row(["reading all values, wall", Figures.ratios(gains), "≥ 1.7"])
    }

    func print() {
        costs.print()
        tasks.print()
    }

    /// Returns the number of values in a file, including those of embedded objects and collections.
    private static func valuesByOneTask(of input: Input) throws -> Int {
        try topLevelClasses(of: input).reduce(0) { count, table in try count + values(of: table.objects) }
    }

    private static func values(of input: Input, tasks: Int) async throws -> Int {
        let tables = try topLevelClasses(of: input)
        return try await withThrowingTaskGroup(of: Int.self) { group in
            let parts = try tables.map { try $0.split(into: tasks) }
            for task in 0..<tasks {
                group.addTask {
                    try parts.reduce(0) { count, ranges in
                        try count + (task < ranges.count ? values(of: ranges[task].objects) : 0)
                    }
                }
            }
            return try await group.reduce(0, +)
        }
    }

    private static func topLevelClasses(of input: Input) throws -> [RealmFile.Table] {
        try RealmDatabase(path: input.path).snapshot().classes.filter { $0.schema.kind != .embedded }
    }

    private static func values(of objects: ObjectCursor) throws -> Int {
        try objects.reduce(into: 0) { count, object in count += try values(of: object) }
    }

    private static func values(of object: StoredObject) throws -> Int {
        var count = 0
        for index in 0..<object.propertyCount {
            switch try object.value(at: index) {
            case .embedded(let object): count += try values(of: object)
            case .list(let items), .set(let items): for item in items { count += try values(in: item) }
            case .dictionary(let entries): for entry in entries { count += try values(in: entry.value) }
            default: count += 1
            }
        }
        return count
    }

    /// Returns the same, with an array of the values of each object.
    private static func valuesInArrays(of input: Input) throws -> Int {
        try topLevelClasses(of: input).reduce(0) { count, table in
            try table.objects.reduce(into: count) { count, object in count += try valuesInArray(of: object) }
        }
    }

    private static func valuesInArray(of object: StoredObject) throws -> Int {
        var count = 0
        for value in try object.values() {
            if case .embedded(let object) = value {
                count += try valuesInArray(of: object)
            } else if case .list(let items) = value {
                for item in items {
                    if case .embedded(let object) = item {
                        count += try valuesInArray(of: object)
                    } else {
                        count += try values(in: item)
                    }
                }
            } else {
                count += try values(in: value)
            }
        }
        return count
    }

    private static func values(in value: Value) throws -> Int {
        switch value {
        case .embedded(let object): try values(of: object)
        case .list(let items), .set(let items): try items.reduce(0) { count, item in try count + values(in: item) }
        case .dictionary(let entries): try entries.reduce(0) { count, entry in try count + values(in: entry.value) }
        default: 1
        }
    }
}
