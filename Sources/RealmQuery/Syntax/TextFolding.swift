/// What does not count when texts are compared: `[c]`, `[d]` or both.
package struct TextFolding: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Upper and lower case are one.
    package static let `case` = TextFolding(rawValue: 1)
    /// Accents and other marks are left away. Realm Core has nothing like it: Realm's Swift SDK asks Foundation.
    package static let diacritics = TextFolding(rawValue: 2)

    /// How it is written behind an operator.
    static let spellings: [(text: String, folding: TextFolding)] = [
        ("[c]", .case), ("[d]", .diacritics), ("[cd]", [.case, .diacritics]), ("[dc]", [.case, .diacritics]),
    ]
}

extension TextFolding {
    init(case ignoresCase: Bool, diacritics ignoresDiacritics: Bool) {
        self = (ignoresCase ? TextFolding.case : []).union(ignoresDiacritics ? .diacritics : [])
    }
}

extension TextFolding: CustomStringConvertible {
    package var description: String { Self.spellings.first { $0.folding == self }?.text ?? "" }
}
