internal import RealmLayout

/// The text of a value with a match, or the part of a long one around it.
struct Excerpt {
    let text: String
    /// Whether the bytes are text, and not digits or another printed form.
    let isText: Bool
    /// Whether the text is not complete.
    let isPart: Bool

    /// The bytes shown before a match in a long text.
    private static let bytesBefore = 40

    /// Makes an excerpt of text, with U+FFFD for what is not UTF-8.
    init(_ text: ByteView, _ match: Range<Int>, most: Int, isText: Bool = true) {
        let shown = Self.shown(text.count, match, most: most)
        var (start, end) = (shown.lowerBound, shown.upperBound)
        // Characters are kept whole.
        while start > 0, start < end, text.byte(unchecked: start) & 0xC0 == 0x80 { start += 1 }
        while end < text.count, end > start, text.byte(unchecked: end) & 0xC0 == 0x80 { end -= 1 }
        self.init(
            text.slice(unchecked: start, count: end - start).repairedString, isText: isText, isCutBefore: start > 0,
            after: end < text.count)
    }

    /// Makes an excerpt of bytes that are not all text: the run of text with a match.
    ///
    /// - Parameter isValue: whether the bytes are one value, of which a run is a part.
    init(textIn bytes: ByteView, around match: Range<Int>, most: Int, isValue: Bool) {
        let run = Self.run(in: bytes, around: match, most: most)
        let text = bytes.slice(unchecked: run.lowerBound, count: run.count)
        let place = match.lowerBound - run.lowerBound..<match.upperBound - run.lowerBound
        let excerpt = Excerpt(text, place, most: most)
        self.init(
            text: excerpt.text, isText: true, isPart: excerpt.isPart || isValue && run.count < bytes.count)
    }

    /// The bytes around a match up to the next control character on both sides; if they are not UTF-8, up to the next
    /// byte that is not ASCII.
    private static func run(in bytes: ByteView, around match: Range<Int>, most: Int) -> Range<Int> {
        func run(below limit: UInt8) -> Range<Int> {
            let first = max(0, match.lowerBound - most)
            let last = match.upperBound + min(most, bytes.count - match.upperBound)
            var (start, end) = (match.lowerBound, match.upperBound)
            while start > first, isText(bytes.byte(unchecked: start - 1), limit) { start -= 1 }
            while end < last, isText(bytes.byte(unchecked: end), limit) { end += 1 }
            return start..<end
        }
        let wide = run(below: .max)
        let isUTF8 = bytes.slice(unchecked: wide.lowerBound, count: wide.count).isValidUTF8
        return isUTF8 ? wide : run(below: 0x7F)
    }

    private static func isText(_ byte: UInt8, _ limit: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F && byte < limit
    }

    /// Makes an excerpt of the hexadecimal digits of bytes.
    init(digitsOf bytes: ByteView, _ match: Range<Int>, most: Int) {
        let shown = Self.shown(bytes.count, match, most: most / 2)
        let digits = Hexadecimal.text(bytes.slice(unchecked: shown.lowerBound, count: shown.count).bytes)
        let (isCutBefore, isCutAfter) = (shown.lowerBound > 0, shown.upperBound < bytes.count)
        self.init(
            isCutBefore ? digits : "0x" + digits, isText: false, isCutBefore: isCutBefore, after: isCutAfter)
    }

    private init(_ text: String, isText: Bool, isCutBefore: Bool, after isCutAfter: Bool) {
        self.init(
            text: (isCutBefore ? "…" : "") + text + (isCutAfter ? "…" : ""), isText: isText,
            isPart: isCutBefore || isCutAfter)
    }

    private init(text: String, isText: Bool, isPart: Bool) {
        (self.text, self.isText, self.isPart) = (text, isText, isPart)
    }

    private static func shown(_ count: Int, _ match: Range<Int>, most: Int) -> Range<Int> {
        guard count > most else { return 0..<count }
        let start = min(max(0, match.lowerBound - min(bytesBefore, most / 2)), count - most)
        return start..<(start + most)
    }
}
