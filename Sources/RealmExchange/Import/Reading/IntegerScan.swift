internal import RealmLayout

/// Finds integers that 64 bits cannot hold, in what is outside of strings.
struct IntegerScan {
    /// Where they end, and whether a double holds them.
    private(set) var tooLarge: [(end: Int, isKept: Bool)] = []
    private var digits = 0
    private var isWhole = true

    /// No integer of 64 bits has more digits; most with as many fit.
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

    /// Takes the end of a number, if there was one, before `offset`.
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
    /// Whether a whole number that was read as this double is kept: the double is exactly that, or the number is how programs
    /// that have no other numbers write the double, with zeros behind as many digits as it takes.
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
