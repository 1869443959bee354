/// How encodings without room of their own for null spell it (Spec 30).
package enum NullPattern {
    /// A nullable Bool is null when its element is this.
    package static let bool: Int64 = 3
    /// The bits of a null Float.
    package static let float: UInt32 = 0x7FC0_00AA
    /// The bits of a null Double.
    package static let double: UInt64 = 0x7FF8_0000_0000_00AA
    /// The bits of a null Decimal128 of 4 bytes.
    package static let decimal32: UInt32 = 0x7C00_00AA
    /// The bits of a null Decimal128 of 8 bytes.
    package static let decimal64: UInt64 = 0x7C00_0000_0000_00AA
    /// The low and high half of a null Decimal128 of 16 bytes.
    package static let decimal128Low: UInt64 = 0xAA
    package static let decimal128High: UInt64 = 0x7C00_0000_0000_0000
}
