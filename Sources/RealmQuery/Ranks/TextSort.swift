internal import RealmLayout
internal import RealmStorage

/// Sorts texts by their bytes.
///
/// Texts mostly have few different bytes: with a number of a few bits for each, in their order, twenty bytes of a text fit into two
/// words, by which rows are sorted digit by digit. Only those that agree so far are compared.
struct TextSort {
    private let texts: [ByteView]
    /// The number of each byte that occurs; 0 stands for the end of a text.
    private var codes: [UInt8] = Array(repeating: 0, count: 256)
    private var bits: UInt64 = 8
    private var perWord: Int { 64 / Int(bits) }

    init(_ texts: [ByteView], _ rows: [UInt32]) {
        self.texts = texts
        var occurs = [Bool](repeating: false, count: 256)
        for row in rows {
            let text = texts[Int(row)]
            var offset = 0
            while offset < text.count, offset < Self.counted {
                occurs[Int(text.byte(unchecked: offset))] = true
                offset &+= 1
            }
        }
        var count: UInt8 = 0
        let distinct = occurs.reduce(0) { $0 + ($1 ? 1 : 0) }
        // With all 256 there is no room for the end: the word of bytes as they are is not enough to tell texts apart then.
        guard distinct < 255 else {
            for byte in 0..<256 { codes[byte] = UInt8(byte) }
            hasEnd = false
            return
        }
        for byte in 0..<256 where occurs[byte] {
            count += 1
            codes[byte] = count
        }
        bits = UInt64(8 - count.leadingZeroBitCount)
        bits = max(bits, 4)
    }

    private var hasEnd = true
    /// Bytes of a text that may be in the two words.
    private static let counted = 32

    /// Brings rows into the order of their texts; those with equal texts keep theirs.
    func sort(_ rows: inout [UInt32]) {
        var first = [UInt64].large(repeating: 0, count: texts.count)
        var second = [UInt64].large(repeating: 0, count: texts.count)
        for row in rows {
            let text = texts[Int(row)]
            first[Int(row)] = word(text, from: 0)
            second[Int(row)] = word(text, from: perWord)
        }
        RadixSort.sort(&rows) { second[Int($0)] }
        RadixSort.sort(&rows) { first[Int($0)] }
        var start = 0
        while start < rows.count {
            let row = Int(rows[start])
            var end = start + 1
            while end < rows.count, first[Int(rows[end])] == first[row], second[Int(rows[end])] == second[row] {
                end += 1
            }
            if end > start + 1 { finish(&rows, start..<end) }
            start = end
        }
    }

    /// Sorts rows whose texts agree in their words.
    private func finish(_ rows: inout [UInt32], _ range: Range<Int>) {
        // The end is in the words where there is one before theirs.
        if hasEnd, texts[Int(rows[range.lowerBound])].count < 2 * perWord { return }
        rows[range].sort { left, right in
            let order = texts[Int(left)].order(texts[Int(right)])
            return order == 0 ? left < right : order < 0
        }
    }

    @inline(__always)
    private func word(_ text: ByteView, from start: Int) -> UInt64 {
        var word: UInt64 = 0
        let end = min(text.count, start &+ perWord)
        var offset = start
        while offset < end {
            word = word &<< bits | UInt64(codes[Int(text.byte(unchecked: offset))])
            offset &+= 1
        }
        let missing = UInt64(truncatingIfNeeded: start &+ perWord &- max(end, start))
        return missing &* bits >= 64 ? 0 : word &<< (missing &* bits)
    }
}
