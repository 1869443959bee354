/// Differences to ignore when texts are compared: `[c]`, `[d]` or both.
package struct TextFolding: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Ignores case.
    package static let `case` = TextFolding(rawValue: 1)
    /// Ignores accents and other marks. Realm Core does not support this: Realm's Swift SDK uses Foundation.
    package static let diacritics = TextFolding(rawValue: 2)

    /// The spellings after an operator.
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
