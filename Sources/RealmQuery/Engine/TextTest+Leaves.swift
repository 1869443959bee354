internal import RealmCore
internal import RealmLayout

// Tests of the strings of a leaf in place, many at a time, without locating the bounds of each (Spec 30).
extension TextTest {
    /// The matching candidates; nil for tests and leaves that need string-by-string evaluation.
    ///
    /// - Parameters:
    ///   - start: the element of the leaf that is the first row.
    ///   - null: whether null matches.
    func quickRows(
        of leaf: ColumnLeaf, _ start: Int, _ count: Int, among candidates: RowMask, null: Bool
    ) -> RowMask? {
        guard elements.count == 1, quantifier != .none, !null, leaf.hasPlainStrings else { return nil }
        switch (elements[0], leaf.encoding) {
        case (.order(let bytes, less: false, equal: true, greater: false), .shortStrings):
            return equalRows(bytes.view, leaf, start, count, candidates)
        case (.begins(let needle), .shortStrings): return beginningRows(needle, leaf, start, count, candidates)
        case (.contains(let needle), .shortStrings), (.contains(let needle), .mediumStrings):
            return containingRows(needle, leaf, start, count, candidates)
        case (.pieces(let pieces), .shortStrings):
            return RowMask(among: candidates) {
                leaf.plainShortString(at: start &+ $0).map { pieces.match($0) } ?? false
            }
        case (.pieces(let pieces), .mediumStrings):
            return RowMask(among: candidates) {
                leaf.plainMediumString(at: start &+ $0).map { pieces.match($0) } ?? false
            }
        default: return nil
        }
    }

    /// Compares padded short strings as a few words.
    private func equalRows(
        _ text: ByteView, _ leaf: ColumnLeaf, _ start: Int, _ count: Int, _ candidates: RowMask
    ) -> RowMask? {
        let width = leaf.shortStringWidth
        guard width == 8 || width == 16 || width == 32 else { return nil }
        guard text.count < width else { return RowMask.none }
        func word(_ index: Int) -> UInt64 {
            let left = text.count &- index &* 8
            return left >= 8
                ? text.uint64(unchecked: index &* 8)
                : left > 0 ? text.slice(unchecked: index &* 8, count: left).shortWord : 0
        }
        let bytes = leaf.stringBytes
        let last = word(width / 8 - 1) | UInt64(truncatingIfNeeded: width &- 1 &- text.count) &<< 56
        // Few candidates are compared one by one.
        if candidates.hasFew {
            let words = (word(0), word(1), word(2))
            return RowMask(among: candidates) { row in
                let place = (start &+ row) &* width
                guard bytes.uint64(unchecked: place &+ width &- 8) == last else { return false }
                return (width == 8 || bytes.uint64(unchecked: place) == words.0)
                    && (width < 32
                        || bytes.uint64(unchecked: place &+ 8) == words.1
                            && bytes.uint64(unchecked: place &+ 16) == words.2)
            }
        }
        if width == 8 {
            return RowMask(among: candidates, count: count) { first, count in
                Self.bits(count) { bytes.uint64(unchecked: (start &+ first &+ $0) &* 8) == last }
            }
        }
        let first = word(0)
        if width == 16 {
            return RowMask(among: candidates, count: count) { row, count in
                Self.bits(count) {
                    let place = (start &+ row &+ $0) &* 16
                    return (bytes.uint64(unchecked: place) ^ first) | (bytes.uint64(unchecked: place &+ 8) ^ last) == 0
                }
            }
        }
        let (second, third) = (word(1), word(2))
        return RowMask(among: candidates, count: count) { row, count in
            Self.bits(count) {
                let place = (start &+ row &+ $0) &* 32
                let low = (bytes.uint64(unchecked: place) ^ first) | (bytes.uint64(unchecked: place &+ 8) ^ second)
                let high =
                    (bytes.uint64(unchecked: place &+ 16) ^ third) | (bytes.uint64(unchecked: place &+ 24) ^ last)
                return low | high == 0
            }
        }
    }

    /// Compares the first bytes of strings; the needle must not contain zeros, which could match padding.
    private func beginningRows(
        _ needle: Needle, _ leaf: ColumnLeaf, _ start: Int, _ count: Int, _ candidates: RowMask
    ) -> RowMask? {
        let width = leaf.shortStringWidth
        guard !needle.isFolded, width >= 8, 1...8 ~= needle.count, !needle.hasZero else { return nil }
        guard needle.count < width else { return RowMask.none }
        let mask = UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- 8 &* needle.count)
        let wanted = needle.count == 8 ? needle.sought.upper.uint64(unchecked: 0) : needle.sought.upper.shortWord
        let bytes = leaf.stringBytes
        return RowMask(among: candidates, count: count) { first, count in
            Self.bits(count) { bytes.uint64(unchecked: (start &+ first &+ $0) &* width) & mask == wanted }
        }
    }

    /// Searches all strings of the block at once, testing eight positions at a time for the first and the last byte of
    /// the needle.
    private func containingRows(
        _ needle: Needle, _ leaf: ColumnLeaf, _ start: Int, _ count: Int, _ candidates: RowMask
    ) -> RowMask? {
        guard needle.count > 0, !needle.hasZero else { return nil }
        let bytes = leaf.stringBytes
        let isShort = leaf.encoding == .shortStrings
        let width = leaf.shortStringWidth
        var from = 0
        var end = bytes.count
        if isShort {
            guard width > 0 else { return RowMask.none }
            (from, end) = (start &* width, (start &+ count) &* width)
        } else {
            guard let range = leaf.blobRange(of: start..<(start &+ count)) else { return nil }
            (from, end) = (range.lowerBound, range.upperBound)
        }
        var found = RowMask.none
        var row = 0
        let search = BytePairs(needle)
        search.forEachPlace(in: bytes, from: from, to: end &- needle.count &+ 1) { place in
            guard Self.matches(needle.sought, bytes, at: place) else { return }
            if isShort {
                row = place / width &- start
                let length = width &- 1 &- Int(bytes.byte(unchecked: (start &+ row) &* width &+ width &- 1))
                if place &+ needle.count <= (start &+ row) &* width &+ length { found.insert(row) }
            } else {
                // Positions ascend, and so do rows.
                while row < count, Int(truncatingIfNeeded: leaf.numbers[unchecked: start &+ row]) <= place { row &+= 1 }
                guard row < count,
                    place &+ needle.count < Int(truncatingIfNeeded: leaf.numbers[unchecked: start &+ row]),
                    !leaf.isNullMediumString(at: start &+ row)
                else { return }
                found.insert(row)
            }
        }
        return found.intersection(candidates)
    }

    @inline(__always)
    private static func bits(_ count: Int, _ holds: (Int) -> Bool) -> UInt64 {
        var bits: UInt64 = 0
        var index = 0
        while index < count {
            bits |= (holds(index) ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
            index &+= 1
        }
        return bits
    }
}

/// Finds positions where the first and the last byte of a needle may match.
private struct BytePairs {
    private let distance: Int
    private let first: (wanted: UInt64, fold: UInt64)
    private let last: (wanted: UInt64, fold: UInt64)

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    init(_ needle: TextTest.Needle) {
        distance = needle.count - 1
        first = Self.sought(needle, 0)
        last = Self.sought(needle, distance)
    }

    /// The two cases of a letter differ in one bit.
    private static func sought(_ needle: TextTest.Needle, _ index: Int) -> (UInt64, UInt64) {
        let (upper, lower) = (needle.sought.upper.byte(unchecked: index), needle.sought.lower.byte(unchecked: index))
        let fold = UInt64(upper ^ lower)
        return ((UInt64(lower) | fold) &* ones, fold &* ones)
    }

    /// Passes candidate positions to a closure in ascending order; some may be false positives.
    ///
    /// - Parameters:
    ///   - end: end of the range of positions; each must be followed by the length of the needle.
    @inline(__always)
    func forEachPlace(in bytes: ByteView, from start: Int, to end: Int, _ body: (Int) -> Void) {
        var place = start
        while place &+ 8 <= end {
            let low = (bytes.uint64(unchecked: place) | first.fold) ^ first.wanted
            let high = (bytes.uint64(unchecked: place &+ distance) | last.fold) ^ last.wanted
            let both = low | high
            // The lowest zero byte is exact; higher ones can be false positives.
            var zeros = (both &- Self.ones) & ~both & (Self.ones &<< 7)
            while zeros != 0 {
                body(place &+ zeros.trailingZeroBitCount &>> 3)
                zeros &= zeros &- 1
            }
            place &+= 8
        }
        while place < end {
            body(place)
            place &+= 1
        }
    }
}

extension TextTest.Needle {
    /// Whether it contains a zero byte, like padding.
    fileprivate var hasZero: Bool { sought.upper.firstIndex(of: 0, from: 0) != nil }
}

extension ColumnLeaf {
    /// The byte range of some medium strings; nil if their ends do not ascend or lie outside the leaf.
    fileprivate func blobRange(of rows: Range<Int>) -> Range<Int>? {
        var last = rows.lowerBound == 0 ? 0 : numbers[unchecked: rows.lowerBound &- 1]
        let first = last
        guard first >= 0 else { return nil }
        for row in rows {
            let end = numbers[unchecked: row]
            // Each string ends with a zero byte, or is null.
            guard end >= last, end <= Int64(stringBytes.count), end > last || isNullMediumString(at: row) else {
                return nil
            }
            last = end
        }
        return Int(truncatingIfNeeded: first)..<Int(truncatingIfNeeded: last)
    }
}
