/// Options that have one value: given twice, the parser would take the last one without a word.
enum SingleOptions {
    private static let names: Set<String> = [
        "--archive", "--commit", "--db", "--find", "--format", "--jobs", "--jsonFormat", "--key-file", "--limit",
        "--max-differences", "--max-findings", "--mode", "--nested", "--new-key-file", "--nulls", "--on-damage",
        "--on-loss", "--other-commit", "--other-key-file", "--other-root", "--other-skip", "--other-slot", "--out",
        "--path", "--profile", "--ref", "--root", "--schema", "--skip", "--slot", "--time-limit", "--use-slot",
        "--work-limit",
    ]

    /// - Throws: a `CommandFailure` that names an option that is given twice.
    static func check(_ arguments: [String]) throws(CommandFailure) {
        var seen: Set<String> = []
        for argument in arguments {
            if argument == "--" { return }
            let name = String(argument.prefix { $0 != "=" })
            guard names.contains(name), !seen.insert(name).inserted else { continue }
            throw CommandFailure("\(name) is given twice, and takes one value", status: .usage)
        }
    }
}
