/// Hexadecimal encoding, two digits per byte.
package enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Encodes bytes as lowercase digits.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The 36 characters of a UUID's 16 bytes: five groups of lowercase digits.
    package static func uuidText(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        for (index, digit) in self.text(bytes).utf8.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append(UInt8(ascii: "-")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes pairs of digits in upper or lower case; nil for other text.
    package static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let digit = digit(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : nil
    }

    /// Decodes the five digit groups of a UUID; nil for other text.
    package static func uuidBytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        let groups = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard groups.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
        return bytes(groups.joined())
    }

    /// The value of a digit in upper or lower case; nil for other characters.
    package static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
