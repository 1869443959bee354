internal import RealmLayout

/// Finds integers outside of strings that exceed 64 bits.
struct IntegerScan {
    /// Their end offsets, and whether a double represents them.
    private(set) var tooLarge: [(end: Int, isKept: Bool)] = []
    private var digits = 0
    private var isWhole = true

    /// No 64-bit integer has more digits, and most integers of that many digits fit.
    private static let mostDigits = 19

    /// Takes the byte at `offset`.
    @inline(__always)
    mutating func add(_ byte: UInt8, _ text: ByteView, _ offset: Int) {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digits &+= 1
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"): isWhole = false
        default: end(text, offset)
        }
    }

    /// Ends the number before `offset`, if there is one.
    @inline(__always)
    mutating func end(_ text: ByteView, _ offset: Int) {
        if digits >= Self.mostDigits, isWhole { check(text, offset) }
        digits = 0
        isWhole = true
    }

    @inline(never)
    private mutating func check(_ text: ByteView, _ offset: Int) {
        var start = offset - digits
        if start > 0, text.byte(unchecked: start - 1) == UInt8(ascii: "-") { start -= 1 }
        let number = String(decoding: text.slice(unchecked: start, count: offset - start).bytes, as: UTF8.self)
        guard Int64(number) == nil else { return }
        tooLarge.append((offset, Double(number)?.isMeant(byInteger: number) ?? false))
    }
}

extension Double {
    /// Whether an integer that was read as this double is preserved. True if the double is equal to it, or if the text
    /// is the double's spelling by programs without integers: the significant digits followed by zeros.
    func isMeant(byInteger text: String) -> Bool {
        guard isFinite else { return false }
        let digits = text.drop { $0 == "-" || $0 == "+" || $0 == "0" }
        if let integer = UInt128(digits), let own = UInt128(exactly: magnitude), integer == own { return true }
        let spelled = magnitude.description.split(separator: "e")
        guard spelled.count == 2, let exponent = Int(spelled[1]) else { return false }
        let significant = spelled[0].split(separator: ".").joined()
        return digits.count == exponent + 1 && digits.hasPrefix(significant)
            && digits.dropFirst(significant.count).allSatisfy { $0 == "0" }
    }
}
