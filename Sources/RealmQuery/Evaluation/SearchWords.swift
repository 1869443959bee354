internal import RealmCore
internal import RealmLayout

/// The words of a TEXT search: required words, required beginnings of words, and excluded words (Spec 80).
struct SearchWords: Sendable, Equatable {
    let included: Set<[UInt8]>
    /// Words that were followed by a star.
    let beginnings: Set<[UInt8]>
    let excluded: Set<[UInt8]>

    /// - Throws: `binding` for input that Realm Core rejects.
    init(_ text: [UInt8]) throws(QueryError) {
        var (included, beginnings, excluded): (Set<[UInt8]>, Set<[UInt8]>, Set<[UInt8]>) = ([], [], [])
        for part in text.split(whereSeparator: { $0 == 0x20 || (0x09...0x0D).contains($0) }) {
            let isExcluded = part.first == UInt8(ascii: "-")
            let sought = Array(isExcluded ? part.dropFirst() : part)
            let words = ByteView.with(sought) { FullTextWords.words(in: $0) }
            guard words.count <= 1 else {
                throw .binding(
                    "'\(String(decoding: part, as: UTF8.self))' is more than one word: TEXT takes words of letters and digits"
                )
            }
            // Signs alone count as a word without letters, which hardly any text contains.
            let word = words.first ?? []
            if isExcluded {
                excluded.insert(word)
            } else if part.last == UInt8(ascii: "*"), !word.isEmpty {
                beginnings.insert(word)
            } else {
                included.insert(word)
            }
        }
        if let both = included.intersection(excluded).first {
            throw .binding("the word '\(String(decoding: both, as: UTF8.self))' is looked for and excluded")
        }
        guard !included.isEmpty || !beginnings.isEmpty || !excluded.isEmpty else {
            throw .binding("TEXT needs a word to look for")
        }
        (self.included, self.beginnings, self.excluded) = (included, beginnings, excluded)
    }

    /// Whether no word is required.
    var onlyExcludes: Bool { included.isEmpty && beginnings.isEmpty }

    func hold(in value: Value) -> Bool {
        guard let text = QueryOrder.text(value) else { return onlyExcludes }
        return ByteView.with(text) { hold(in: $0) }
    }

    func hold(in text: ByteView) -> Bool {
        let words = FullTextWords.words(in: text)
        return included.isSubset(of: words) && excluded.isDisjoint(with: words)
            && beginnings.allSatisfy { beginning in words.contains { $0.starts(with: beginning) } }
    }
}
