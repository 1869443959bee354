/// A bit for each 8-byte word of a file. Pages without any bit, or with all bits set, take no memory.
package struct WordMap {
    private enum Page {
        case none
        case all
        case some([UInt64])
    }

    /// Words of the file that a page stands for: 256 KiB.
    private static let pageWords = 1 << 15
    private let wordCount: Int
    private var pages: [Page]

    /// Makes a map for that many bytes, all bits clear.
    package init(bytes: Int) {
        wordCount = (max(0, bytes) + 7) / 8
        pages = [Page](repeating: .none, count: (wordCount + Self.pageWords - 1) / Self.pageWords)
    }

    /// Whether the bit of the word at a byte offset is set; no outside the file.
    package func contains(_ offset: Int) -> Bool {
        let word = offset >> 3
        guard offset >= 0, word < wordCount else { return false }
        switch pages[word / Self.pageWords] {
        case .none: return false
        case .all: return true
        case .some(let bits):
            let bit = word % Self.pageWords
            return bits[bit >> 6] >> UInt64(bit & 63) & 1 != 0
        }
    }

    /// Sets the bits of `count` bytes from `offset` on, as far as they are inside the file.
    ///
    /// - Returns: whether all of them were clear before.
    @discardableResult
    package mutating func insert(_ offset: Int, count: Int) -> Bool {
        var wereClear = true
        forEachPage(offset, count) { map, page, range in
            switch map.pages[page] {
            case .all:
                wereClear = false
            case .none where range.count == Self.pageWords:
                map.pages[page] = .all
            case .none:
                var bits = [UInt64](repeating: 0, count: Self.pageWords / 64)
                _ = Self.set(&bits, range)
                map.pages[page] = .some(bits)
            case .some(var bits):
                // Taken out while it changes, so that it is not copied.
                map.pages[page] = .none
                if !Self.set(&bits, range) { wereClear = false }
                map.pages[page] = .some(bits)
            }
        }
        return wereClear
    }

    /// Whether any bit of `count` bytes from `offset` on is set.
    package func intersects(_ offset: Int, count: Int) -> Bool {
        next(isSet: true, from: offset & ~7, to: offset + count) != nil
    }

    /// The byte offset of the first word that begins in a range of bytes and whose bit is set, or clear.
    package func next(isSet: Bool, from offset: Int, to end: Int) -> Int? {
        // Rounded up: what is found lies in the range, so that who goes on behind it always gets further.
        var word = (max(0, offset) + 7) >> 3
        let last = min(wordCount, (max(0, end) + 7) >> 3)
        while word < last {
            let page = word / Self.pageWords
            let pageEnd = min(last, (page + 1) * Self.pageWords)
            switch pages[page] {
            case .none:
                if !isSet { return word * 8 }
                word = pageEnd
            case .all:
                if isSet { return word * 8 }
                word = pageEnd
            case .some(let bits):
                while word < pageEnd {
                    let bit = word % Self.pageWords
                    let group = (isSet ? bits[bit >> 6] : ~bits[bit >> 6]) >> UInt64(bit & 63)
                    if group == 0 {
                        word += 64 - (bit & 63)
                        continue
                    }
                    word += group.trailingZeroBitCount
                    return word < last ? word * 8 : nil
                }
                word = min(word, pageEnd)
            }
        }
        return nil
    }

    private mutating func forEachPage(_ offset: Int, _ count: Int, _ body: (inout WordMap, Int, Range<Int>) -> Void) {
        guard count > 0, offset >= 0 else { return }
        var word = offset >> 3
        let end = min(wordCount, (offset + count + 7) >> 3)
        while word < end {
            let page = word / Self.pageWords
            let start = page * Self.pageWords
            let pageEnd = min(end, start + Self.pageWords)
            body(&self, page, (word - start)..<(pageEnd - start))
            word = pageEnd
        }
    }

    /// Sets a range of bits and returns whether all were clear.
    private static func set(_ bits: inout [UInt64], _ range: Range<Int>) -> Bool {
        var wereClear = true
        var bit = range.lowerBound
        while bit < range.upperBound {
            let count = min(64 - (bit & 63), range.upperBound - bit)
            let mask = (count == 64 ? UInt64.max : (1 << UInt64(count)) - 1) << UInt64(bit & 63)
            if bits[bit >> 6] & mask != 0 { wereClear = false }
            bits[bit >> 6] |= mask
            bit += count
        }
        return wereClear
    }
}
