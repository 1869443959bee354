internal import RealmLayout

/// The commands, which begin with a dot.
enum ShellWord: String, CaseIterable {
    case classes = ".classes"
    case count = ".count"
    case exit = ".exit"
    case explain = ".explain"
    case help = ".help"
    case limit = ".limit"
    case mode = ".mode"
    case output = ".output"
    case quit = ".quit"
    case read = ".read"
    case schema = ".schema"
    case select = ".select"
    case slot = ".slot"
    case sort = ".sort"
    case timer = ".timer"

    /// The argument of the command, and its effect.
    private var words: (argument: String, meaning: String) {
        switch self {
        case .classes: ("", "the classes, and how many objects each has")
        case .count: ("CLASS [PREDICATE]", "how many objects there are; the same as CLASS.count PREDICATE")
        case .explain:
            ("on|off", "also print how queries are run: which index or column is asked, what each step saw and kept")
        case .exit, .quit: ("", "quit (Ctrl-D); also without the dot")
        case .help: ("", "this text; also help and ?")
        case .limit: ("[N]", "print at most N objects; without a number, all")
        case .mode: ("table|json|…", "how objects are printed: table, vertical, json, ejson, bson, csv, tsv or keys")
        case .output: ("[FILE]", "write answers to a new file, until the next .output; without FILE to the terminal")
        case .read: ("FILE", "answer the lines of a file")
        case .schema: ("[CLASS]", "the properties of a class, or of all")
        case .select: ("[PATHS]", "print only these, as name, address.city, dogs.@count; without paths all properties")
        case .slot: ("current|other", "read the current commit, or that of the header's other slot")
        case .sort: ("[PATHS]", "sort by these, as name or age DESC; without paths as the query says")
        case .timer: ("on|off", "also print how long each query takes")
        }
    }

    /// The output of `.help`.
    static var overview: String {
        let queries = [
            ("CLASS [PREDICATE]", "the objects for which it holds: Person age > 30 SORT(name ASC) LIMIT(5)"),
            ("CLASS.count [PREDICATE]", "how many there are"),
            (
                "CLASS … --OPTION …",
                "with options of query: Person age > 30 --group-by city --avg age --sort count DESC"
            ),
            ("# or --", "a comment"),
        ]
        let commands = allCases.map { word in
            (word.rawValue + (word.words.argument.isEmpty ? "" : " \(word.words.argument)"), word.words.meaning)
        }
        let width = (queries + commands).map(\.0.count).max() ?? 0
        return (queries + commands).map { "\($0.0.padded(to: width))  \($0.1)\n" }.joined()
    }

    /// The command for a line without a dot; nil for all other lines.
    init?(plain line: String) {
        switch line.lowercased() {
        case "exit", "quit", "\\q": self = .quit
        case "help", "?", "\\h": self = .help
        default: return nil
        }
    }

    /// The advice for a command that does not exist.
    static func advice(for name: String) -> String {
        let others = [
            ".group": "write --group-by after the query, as in: Person --group-by city --sum age",
            ".tables": ".classes lists the classes", ".dump": ".mode json prints documents",
            ".once": ".output writes answers to a file", ".open": "start the shell with another file",
        ]
        if let advice = others[name] { return advice }
        return allCases.map(\.rawValue).nearest(to: name).map { "did you mean \($0)?" }
            ?? ".help lists those that there are"
    }
}
