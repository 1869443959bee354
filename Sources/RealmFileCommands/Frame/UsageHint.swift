internal import RealmLayout
internal import RealmStorage

/// Messages about command lines that are wrong in a way that many people choose.
enum UsageHint {
    /// The message about a first word that is not a verb.
    static func unknown(_ arguments: [String], _ verbs: [String]) -> String {
        let word = arguments.first ?? ""
        if Folder.hasFile(word) || word.hasSuffix(".realm") {
            let rest = arguments.dropFirst()
            let isQuery = rest.first.map { !$0.hasPrefix("-") } ?? false
            let words = ["realmfile", isQuery ? "query" : "info", FileArguments.argument(word)] + rest
            return "a command comes before the file: `\(words.map(FileArguments.quoted).joined(separator: " "))`"
        }
        let all = verbs + ["help"]
        if let nearest = all.nearest(to: word) {
            return "unknown command '\(word.singleLine)'; did you mean '\(nearest)'?"
        }
        return "unknown command '\(word.singleLine)'; commands: \(verbs.joined(separator: ", "))"
    }

    /// The message about an option that would hold a key; nil if the parser's message is about something else.
    static func forKey(_ message: String) -> String? {
        let names = ["--key", "--encryption-key", "--encryptionKey", "--password", "--passphrase", "--hex-key"]
        guard let name = names.first(where: { message.hasPrefix("Unknown option '\($0)'") }) else { return nil }
        return "there is no \(name): others could read a key on the command line; give the file that holds it with "
            + "--key-file PATH (- for standard input), or put the key into the variable \(AccessOptions.keyVariable)"
    }
}
