import ArgumentParser
import CChild
import Foundation

/// Measures speed and memory of exports, as ratios within one run.
@main
struct Ratios: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ratios",
        abstract: "Measures exports of a Realm file against libbson building the same documents.",
        discussion: """
            Every figure comes from pairs that are measured in turn, so that what else the machine does weighs on both \
            sides. Prints tables in Markdown.
            """)

    enum Section: String, CaseIterable, ExpressibleByArgument {
        case cpu
        case process
        case jobs
        case memory
        case latency
        case encrypted
        case encrypt
        case write
        case verify
        case read
    }

    @Argument(
        help: ArgumentHelp(
            "The file to export, .realm or .realm.xz; REALMFILE_BENCHMARK_INPUT or the shop of 100 MB unless given.",
            valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("A smaller file of the same kind, to compare memory.", valueName: "file"))
    var small: String?

    @Option(help: ArgumentHelp("The project.", valueName: "folder"))
    var root = "."

    @Option(help: ArgumentHelp("The release build of the tool; the project's unless given.", valueName: "path"))
    var tool: String?

    @Option(
        help: ArgumentHelp(
            "Where exports go; memory and disk, both, unless given. May be repeated.", valueName: "folder"))
    var out: [String] = []

    @Option(help: "How often each pair is measured.")
    var rounds = 15

    @Option(help: "Only this section; may be repeated.")
    var only: [Section] = []

    func run() async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let inputs = try Inputs(file: file, small: small, root: root, scratch: scratch)
        let sections = only.isEmpty ? Section.allCases : only
        let folders = out.isEmpty ? OutputFolder.usual : out.map { OutputFolder(name: $0, path: $0) }
        let tool = Tool(path: tool ?? "\(root)/.build/release/realmfile")
        print("\(inputs.large.name): \(Figures.megabytes(inputs.large.size)); load of the machine \(Machine.load)\n")

        if !Set(sections).isDisjoint(with: [.cpu, .process, .jobs]) {
            let baseline = try await Baseline(of: inputs.large, scratch: scratch)
            print(
                """
                Baseline: libbson makes \(baseline.documents) documents, \(baseline.fields) fields, \
                \(Figures.megabytes(baseline.bytes)) of BSON; equal to the exported bytes.

                """)
            if sections.contains(.cpu) {
                let floor = try await Floor(of: inputs.large, scratch: scratch)
                for folder in folders {
                    try await ProcessorTime(inputs.large, baseline, floor, folder, rounds: rounds).print()
                }
            }
            if sections.contains(.process) {
                for folder in folders { try WholeProcess(inputs.large, baseline, tool, folder, rounds: rounds).print() }
            }
            if sections.contains(.jobs), let folder = folders.first {
                try await Parallel(inputs.large, baseline, folder, rounds: rounds).print()
            }
        }
        if sections.contains(.memory), let folder = folders.first {
            try Memory(inputs, tool, folder, rounds: max(3, rounds / 3)).print()
        }
        if sections.contains(.latency) { try Latency(inputs, tool, runs: max(21, rounds * 5)).print() }
        if sections.contains(.encrypted), let folder = folders.first {
            try await Encrypted(inputs.large, folder, scratch: scratch, rounds: rounds).print()
        }
        if sections.contains(.encrypt), let folder = folders.first {
            try Encrypting(inputs.large, folder, scratch: scratch, rounds: rounds).print()
        }
        if sections.contains(.write), let folder = folders.first {
            try Writing(inputs.large, tool, folder, rounds: rounds).print()
        }
        if sections.contains(.verify) { try Verifying(inputs.large, tool, rounds: rounds).print() }
        if sections.contains(.read), let folder = folders.first {
            try await Reading(inputs.large, folder, rounds: rounds).print()
        }
        print("Load of the machine at the end: \(Machine.load)")
    }
}

/// An error that prevents the benchmark from running.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
