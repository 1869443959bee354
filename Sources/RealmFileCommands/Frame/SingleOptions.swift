internal import RealmLayout

/// Options with one value. If one is given twice, the parser would silently use the last value.
enum SingleOptions {
    private static let names: Set<String> = [
        "--archive", "--commit", "--db", "--entry", "--find", "--format", "--jobs", "--json-format", "--jsonFormat",
        "--key-file", "--limit", "--max-differences", "--max-findings", "--mode", "--nested", "--new-key-file",
        "--nulls", "--on-damage", "--on-loss", "--other-commit", "--other-key-file", "--other-root", "--other-skip",
        "--other-slot", "--out", "--path", "--primary-key", "--profile", "--ref", "--root", "--schema",
        "--schema-from", "--skip", "--slot", "--time-limit",
        "--use-slot",
        "--work-limit",
    ]
    /// Options that one verb accepts once, and other verbs several times.
    private static let namesOfVerbs: [String: Set<String>] = ["import": ["--class"]]
    /// The decimal numbers among them, for which the parser would accept a sign.
    private static let numbers: Set<String> = [
        "--commit", "--jobs", "--limit", "--max-differences", "--max-findings", "--other-commit", "--time-limit",
        "--work-limit",
    ]

    /// Second spellings of options.
    private static let synonyms = ["--json-format": "--jsonFormat"]

    /// Checks the arguments.
    ///
    /// - Throws: a `CommandFailure` naming an option that is given twice, or a number with a sign.
    static func check(_ arguments: [String]) throws(CommandFailure) {
        let names = names.union(arguments.first.flatMap { namesOfVerbs[$0] } ?? [])
        var seen: Set<String> = []
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { return }
            let name = String(argument.prefix { $0 != "=" })
            guard names.contains(name) else { continue }
            guard seen.insert(synonyms[name] ?? name).inserted else {
                throw CommandFailure("\(name) is given twice, and takes one value", status: .usage)
            }
            let next = index + 1 < arguments.count ? arguments[index + 1] : ""
            let value = name == argument ? next : String(argument.dropFirst(name.count + 1))
            // For all other verbs, a format is a word.
            let isNumber = numbers.contains(name) || name == "--format" && arguments[0] == "repair"
            guard isNumber, value.hasPrefix("+") else { continue }
            throw CommandFailure("\(name) \(value.singleLine): a number is written without a sign", status: .usage)
        }
    }
}
