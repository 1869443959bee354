/// A bit for each 8-byte word of a file. Pages whose bits are all clear or all set take no memory.
package struct WordMap: Sendable {
    /// Marks for pages without stored bits.
    private enum PageMark {
        static let none: Int32 = -1
        static let all: Int32 = -2
    }

    /// The number of words of the file per page: 256 KiB.
    private static let pageWords = 1 << 15
    /// Groups of 64 bits in a page.
    private static let pageGroups = pageWords / 64
    private let wordCount: Int
    /// For each page the position of its bits in `groups`, in pages, or a mark.
    private var pages: [Int32]
    /// The stored bits of pages, in order of allocation.
    private var groups: [UInt64] = []

    /// Creates a map for the given number of bytes, with all bits clear.
    package init(bytes: Int) {
        wordCount = (max(0, bytes) + 7) / 8
        pages = [Int32](repeating: PageMark.none, count: (wordCount + Self.pageWords - 1) / Self.pageWords)
    }

    /// Creates a map for the given number of bytes with the bits of another one.
    package init(bytes: Int, _ shared: SharedWordMap) {
        self.init(bytes: bytes)
        for page in pages.indices {
            let words = min(Self.pageWords, wordCount - page * Self.pageWords)
            let bits = (0..<Self.pageGroups).map { shared.group(page * Self.pageGroups + $0) }
            if bits.allSatisfy({ $0 == 0 }) { continue }
            if words == Self.pageWords, bits.allSatisfy({ $0 == .max }) {
                pages[page] = PageMark.all
            } else {
                pages[page] = Int32(groups.count / Self.pageGroups)
                groups += bits
            }
        }
    }

    /// The bits of a word's group, in the page stored at `page`.
    private func group(_ word: Int, _ page: Int32) -> UInt64 {
        groups[Int(page) &* Self.pageGroups &+ ((word % Self.pageWords) >> 6)]
    }

    /// Whether the bit of the word at a byte offset is set; false outside the file.
    package func contains(_ offset: Int) -> Bool {
        let word = offset >> 3
        guard offset >= 0, word < wordCount else { return false }
        let page = pages[word / Self.pageWords]
        guard page >= 0 else { return page == PageMark.all }
        return group(word, page) >> UInt64(word & 63) & 1 != 0
    }

    /// Sets the bits of `count` bytes from `offset` on, as far as they are inside the file.
    ///
    /// - Returns: whether all of them were clear.
    @discardableResult
    package mutating func insert(_ offset: Int, count: Int) -> Bool {
        guard count > 0, offset >= 0 else { return true }
        let word = offset >> 3
        let end = min(wordCount, (offset + count + 7) >> 3)
        guard word < end else { return true }
        let page = pages[word / Self.pageWords]
        guard page >= 0, word >> 6 == (end &- 1) >> 6 else { return insert(words: word..<end) }
        // The case of nearly all nodes: a few words, in a page with stored bits.
        let bits = Self.mask(end &- word, from: word)
        let place = Int(page) &* Self.pageGroups &+ ((word % Self.pageWords) >> 6)
        let before = groups[place]
        groups[place] = before | bits
        return before & bits == 0
    }

    private mutating func insert(words: Range<Int>) -> Bool {
        var wereClear = true
        var word = words.lowerBound
        while word < words.upperBound {
            let page = word / Self.pageWords
            let pageEnd = min(words.upperBound, (page + 1) * Self.pageWords)
            if !insert(word..<pageEnd, page) { wereClear = false }
            word = pageEnd
        }
        return wereClear
    }

    /// Sets the bits of words within one page.
    private mutating func insert(_ words: Range<Int>, _ page: Int) -> Bool {
        if pages[page] == PageMark.all { return false }
        if pages[page] == PageMark.none {
            if words.count == Self.pageWords {
                pages[page] = PageMark.all
                return true
            }
            pages[page] = Int32(groups.count / Self.pageGroups)
            groups.append(contentsOf: repeatElement(0, count: Self.pageGroups))
        }
        let start = Int(pages[page]) * Self.pageGroups
        var wereClear = true
        var bit = words.lowerBound % Self.pageWords
        let end = bit + words.count
        while bit < end {
            let count = min(64 - (bit & 63), end - bit)
            let mask = Self.mask(count, from: bit)
            if groups[start + (bit >> 6)] & mask != 0 { wereClear = false }
            groups[start + (bit >> 6)] |= mask
            bit += count
        }
        return wereClear
    }

    /// `count` bits, from 1 to 64, beginning at that of a word.
    private static func mask(_ count: Int, from word: Int) -> UInt64 {
        (UInt64.max &>> UInt64(64 &- count)) &<< UInt64(word & 63)
    }

    /// Whether any bit of `count` bytes from `offset` on is set.
    package func intersects(_ offset: Int, count: Int) -> Bool {
        next(isSet: true, from: offset & ~7, to: offset + count) != nil
    }

    /// The byte offset of the first word that begins within a range of bytes and whose bit is set, or clear.
    package func next(isSet: Bool, from offset: Int, to end: Int) -> Int? {
        // Rounded up so that iteration always advances.
        var word = (max(0, offset) + 7) >> 3
        let last = min(wordCount, (max(0, end) + 7) >> 3)
        while word < last {
            let page = word / Self.pageWords
            let pageEnd = min(last, (page + 1) * Self.pageWords)
            let mark = pages[page]
            guard mark >= 0 else {
                if isSet == (mark == PageMark.all) { return word * 8 }
                word = pageEnd
                continue
            }
            while word < pageEnd {
                let bits = isSet ? group(word, mark) : ~group(word, mark)
                let rest = bits >> UInt64(word & 63)
                if rest == 0 {
                    word += 64 - (word & 63)
                    continue
                }
                word += rest.trailingZeroBitCount
                return word < last ? word * 8 : nil
            }
            word = min(word, pageEnd)
        }
        return nil
    }
}
