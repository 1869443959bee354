internal import RealmLayout

extension ObjectID {
    /// Makes an ObjectId of 12 bytes; nil for another number.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 12 else { return nil }
        self.init(bytes: bytes)
    }

    /// Makes an ObjectId of 24 hexadecimal digits; nil for other text.
    public init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text.utf8) else { return nil }
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
        guard let bytes = Hexadecimal.uuidBytes(text.utf8) else { return nil }
        self.init(bytes)
    }
}
