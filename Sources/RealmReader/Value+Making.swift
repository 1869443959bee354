extension ObjectID {
    /// Makes an ObjectId of 12 bytes; nil for another number.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 12 else { return nil }
        self.init(bytes: bytes)
    }

    /// Makes an ObjectId of 24 hexadecimal digits; nil for other text.
    public init?(_ text: String) {
        guard let bytes = bytesOf(hexadecimal: text.utf8) else { return nil }
        self.init(bytes)
    }
}

extension UUIDBytes {
    /// Makes a UUID of 16 bytes; nil for another number.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(bytes: bytes)
    }

    /// Makes a UUID of its usual text, five groups of hexadecimal digits; nil for other text.
    public init?(_ text: String) {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard groups.map(\.count) == [8, 4, 4, 4, 12], let bytes = bytesOf(hexadecimal: groups.joined())
        else { return nil }
        self.init(bytes)
    }
}

/// The bytes that pairs of hexadecimal digits stand for; nil for other text.
private func bytesOf(hexadecimal text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text {
        guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
        if let first = high {
            bytes.append(first << 4 | UInt8(digit))
            high = nil
        } else {
            high = UInt8(digit)
        }
    }
    return high == nil ? bytes : nil
}
