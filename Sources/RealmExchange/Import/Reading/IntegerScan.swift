internal import RealmLayout

/// Finds integers that 64 bits cannot hold, in what is outside of strings.
struct IntegerScan {
    /// Where they end.
    private(set) var tooLarge: [Int] = []
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
        if Int64(number) == nil { tooLarge.append(offset) }
    }
}
