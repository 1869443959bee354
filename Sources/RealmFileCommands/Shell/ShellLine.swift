internal import ArgumentParser

/// A line of the shell: a query, and options of `realmfile query` after it.
///
/// An option's value reaches to the next option, so that it needs no quotation marks: `--sort sum(total) DESC`. Within
/// quotation marks nothing is an option.
struct ShellLine {
    /// The class and the predicate.
    let query: String
    /// The options, each with its value.
    private let words: [String]

    init(_ line: String) {
        var parts = [""]
        var quote: Character?
        var rest = line[...]
        while let character = rest.first {
            if quote == nil, Self.beginsOption(rest) { parts.append("") }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else if quote != nil, character == "\\", rest.count > 1 {
                parts[parts.count - 1].append(character)
                rest.removeFirst()
            }
            parts[parts.count - 1].append(rest.removeFirst())
        }
        query = parts[0].trimmingEnds
        words = parts.dropFirst().flatMap { Self.words(of: $0.trimmingEnds) }
    }

    /// Whether a space, two hyphens and a letter are next.
    private static func beginsOption(_ rest: Substring) -> Bool {
        rest.hasPrefix(" --") && rest.dropFirst(3).first?.isLetter ?? false
    }

    /// The name of an option and its value, which may stand in quotation marks.
    private static func words(of option: String) -> [String] {
        let parts = option.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return parts }
        let value = parts[1].trimmingEnds
        // Values of --args are JSON, in which a text keeps its quotation marks.
        let quotes: [Character] = parts[0] == "--args" ? ["'"] : ["'", "\""]
        guard let first = value.first, quotes.contains(first), value.count > 1, value.last == first,
            !value.dropFirst().dropLast().contains(first)
        else { return [parts[0], value] }
        return [parts[0], String(value.dropFirst().dropLast())]
    }

    /// The options.
    ///
    /// - Throws: `CommandFailure` for those that do not exist or do not fit.
    func options() throws(CommandFailure) -> ResultOptions {
        try SingleOptions.check(["query"] + words)
        do {
            return try ResultOptions.parse(words)
        } catch {
            throw CommandFailure(ResultOptions.message(for: error), status: .usage)
        }
    }
}
