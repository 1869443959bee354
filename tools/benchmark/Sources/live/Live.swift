import ArgumentParser
import Foundation
import RealmFile

/// Measures transactions on files created for the purpose.
@main
struct Live: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live", abstract: "Measures transactions of a database with so many objects.")

    @Option(help: ArgumentHelp("How many objects, as 10k,100k,1M: several make a table of growth.", valueName: "sizes"))
    var objects = "1M"

    @Option(help: "How often each job is measured; the median is told.")
    var rounds = 3

    @Option(help: ArgumentHelp("Only jobs whose name contains this.", valueName: "text"))
    var filter: String?

    @Option(
        help: ArgumentHelp(
            "Where files are of jobs that do not wait for the disk; memory, where the system has a folder for it.",
            valueName: "folder"))
    var folder: String?

    @Option(
        help: ArgumentHelp(
            "Where files are of jobs that wait for the disk; the temporary folder unless given.", valueName: "folder"))
    var disk: String?

    @Option(
        help: ArgumentHelp(
            "Where the file is kept that jobs have copies of: one that is there is not made again, unless that is measured.",
            valueName: "path"))
    var file: String?

    @Flag(help: "Also checks each file that a job has changed.")
    var verify = false

    @Option(help: ArgumentHelp("Does nothing but open a copy of this file for writing.", valueName: "path"))
    var open: String?

    @Option(help: .hidden)
    var opening: String?

    func run() async throws {
        let sizes = try self.sizes
        if let opening { return try Opening.child(opening, objects: sizes[0]) }
        let memory = URL(fileURLWithPath: "/dev/shm")
        let usual =
            FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
        let name = "realmfile-live-\(ProcessInfo.processInfo.processIdentifier)"
        let folder = (folder.map { URL(fileURLWithPath: $0) } ?? usual).appending(path: name)
        let disk = (disk.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory).appending(
            path: name + "-disk")
        defer { for place in [folder, disk] { try? FileManager.default.removeItem(at: place) } }
        for place in [folder, disk] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        }
        if let open {
            let stage = Stage(0, open, in: folder, disk: disk)
            let text = try Opening.alone(stage, rounds: rounds)
            return print("opening \(stage.fileSize / 1_000_000) MB for writing: \(text)")
        }
        guard file == nil || sizes.count == 1 else { throw ValidationError("--file is for one size") }
        var growth = Growth(sizes)
        for size in sizes {
            let stage = Stage(size, file, in: folder, disk: disk)
            try await measure(stage, sizes.count > 1, &growth)
            if file == nil { try stage.remove() }
        }
        if sizes.count > 1 { growth.print() }
    }

    private func measure(_ stage: Stage, _ isOneOfSeveral: Bool, _ growth: inout Growth) async throws {
        let isMillion = stage.objects == 1_000_000
        let isMeasured = isChosen(LiveJob.making) && !(filter == nil && stage.isMade)
        let others = try LiveJob.makingOtherwise.map { other in
            (other.job, try (0..<(isMeasured ? rounds : 0)).map { _ in try stage.make(other.form) })
        }
        let made = try (0..<(isMeasured ? rounds : stage.isMade ? 0 : 1)).map { _ in try stage.make() }
        print("\n\(stage.objects) objects, \(stage.fileSize / 1_000_000) MB; seconds, best and median of \(rounds)\n")
        print("| job | best | median | of one | Realm Core | to reach |\n|---|---|---|---|---|---|")
        if isMeasured {
            tell(LiveJob.making, made, isMillion, &growth)
            for (job, measured) in others { tell(job, measured, isMillion, &growth) }
        }
        for job in LiveJob.all where isChosen(job) && !(isOneOfSeveral && job.sign == " ") {
            var measured: [Measurement] = []
            for _ in 0..<rounds { measured.append(try await job.run(on: stage)) }
            tell(job, measured, isMillion, &growth)
            if verify { print("  findings: \(try stage.findings(job.durability))") }
        }
        guard filter == nil else { return }
        let opening = try Opening(stage, rounds: rounds)
        print("| opening for writing, wall | | \(opening.text) | | | \(isMillion ? "< 10 ms" : "") |")
        print("| memory of it | | \(opening.memory) | | | |")
    }

    private func tell(_ job: LiveJob, _ measured: [Measurement], _ isMillion: Bool, _ growth: inout Growth) {
        let seconds = measured.map { job.isOnClock ? $0.wall : $0.processor }.sorted()
        let median = seconds[seconds.count / 2]
        let each = median / Double(measured[0].count) * 1e6
        let core = isMillion ? job.core : ""
        let target = isMillion ? job.target : ""
        print(
            "| \(job.name) | \(text(seconds[0])) | \(text(median)) | \(Growth.text(each)) µs | \(core) | \(target) |")
        fflush(nil)
        if job.sign != " " { growth.add(job, each) }
    }

    private func isChosen(_ job: LiveJob) -> Bool { filter.map { job.name.contains($0) } ?? true }

    private func text(_ seconds: Double) -> String { String(format: "%.3f", seconds) }

    private var sizes: [Int] {
        get throws {
            let sizes = objects.split(separator: ",").map { word -> Int? in
                let factor = word.hasSuffix("M") ? 1_000_000 : word.hasSuffix("k") ? 1000 : 1
                let number = factor == 1 ? Int(word) : Int(word.dropLast())
                return number.flatMap { $0 > 0 && $0 <= 1 << 30 ? $0 * factor : nil }
            }
            guard !sizes.isEmpty, let all = sizes as? [Int] else {
                throw ValidationError("'\(objects)' is no list of sizes such as 10k,100k,1M")
            }
            return all
        }
    }
}
