internal import RealmCore
internal import RealmLayout

extension ShellSession {
    /// Completes the word that a user types: commands and classes at the start of a line; then properties of the class,
    /// also at the end of link paths, and keywords.
    ///
    /// - Returns: whole words, and whether a single match is complete.
    func completions(of word: String, after before: String) -> (words: [String], endsWord: Bool) {
        let snapshot = snapshot
        let start = before.split(separator: " ").map(String.init)
        let classes = snapshot.classes.map(\.name)
        guard let first = start.first else {
            let words =
                word.hasPrefix(".") ? ShellWord.allCases.map(\.rawValue) : classes + classes.map { "\($0).count" }
            return (Self.matching(word, words), true)
        }
        if let command = ShellWord(rawValue: first), start.count == 1 {
            let words: [String] =
                switch command {
                case .mode: QueryFormat.allCases.map(\.rawValue)
                case .slot: SlotOption.allCases.map(\.rawValue)
                case .explain, .timer: ["off", "on"]
                case .schema, .count: classes
                default: []
                }
            if !words.isEmpty { return (Self.matching(word, words), true) }
        }
        let named = ShellWord(rawValue: first) == .count && start.count > 1 ? start[1] : first
        let name = named.hasSuffix(".count") ? String(named.dropLast(6)) : named
        guard let table = snapshot.classes.first(where: { $0.name == name }) else {
            // Paths after `.select` can begin at any class.
            let names = snapshot.classes.flatMap { $0.schema.properties.map(\.name) }
            return first == ShellWord.select.rawValue ? (Self.matching(word, Array(Set(names))), true) : ([], true)
        }
        return paths(word, from: table.schema, in: snapshot)
    }

    private func paths(
        _ word: String, from schema: TableSchema, in snapshot: Snapshot
    ) -> (words: [String], endsWord: Bool) {
        let steps = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var schema = schema
        for step in steps.dropLast() {
            guard let target = schema.properties.first(where: { $0.name == step })?.target,
                let next = snapshot.schema.tables.first(where: { $0.tableName == target })
            else { return ([], true) }
            schema = next
        }
        let before = steps.dropLast().map { "\($0)." }.joined()
        let names = schema.properties.map(\.name)
        let words = steps.count > 1 ? names + Self.suffixes : names + Self.language
        let found = Self.matching(steps.last ?? "", words)
        let only = found.count == 1 ? schema.properties.first { $0.name == found[0] } : nil
        // A path can continue after a link or a collection.
        return (found.map { before + $0 }, only.map { $0.target == nil && $0.collection == nil } ?? true)
    }

    /// Returns the words with a given prefix; keywords in capitals match in any case.
    private static func matching(_ word: String, _ words: [String]) -> [String] {
        let exact = words.filter { $0.hasPrefix(word) }
        return (exact.isEmpty ? words.filter { $0.lowercased().hasPrefix(word.lowercased()) } : exact).inOrder()
    }

    private static let suffixes = ["@avg", "@count", "@max", "@min", "@sum", "@type"]

    private static let language = [
        "ALL", "AND", "ANY", "ASC", "BEGINSWITH", "BETWEEN", "CONTAINS", "DESC", "DISTINCT(", "ENDSWITH",
        "FALSEPREDICATE",
        "IN", "LIKE", "LIMIT(", "NONE", "NOT", "OR", "SORT(", "SUBQUERY(", "TRUEPREDICATE", "@links", "false", "null",
        "true",
    ]
}
