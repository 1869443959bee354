/// How encodings without room of their own for null spell it (Spec 30).
// Computed, so that other modules see the numbers.
@usableFromInline
package enum NullPattern {
    /// A nullable Bool is null when its element is this.
    @inlinable package static var bool: Int64 { 3 }
    /// What the element of a Bool says; nil for null.
    @inlinable @inline(__always)
    package static func bool(_ element: Int64) -> Bool? { element == bool ? nil : element != 0 }
    /// The element of a Bool, or of null.
    @inlinable @inline(__always)
    package static func element(_ value: Bool?) -> Int64 { value.map { $0 ? 1 : 0 } ?? bool }
    /// Whether an element is that of a Bool or of null.
    package static func isBool(_ element: Int64) -> Bool { element == 0 || element == 1 || element == bool }
    /// The bits of a null Float.
    @inlinable package static var float: UInt32 { 0x7FC0_00AA }
    /// The bits of a Float; nil for those of null.
    @inlinable @inline(__always)
    package static func float(_ bits: UInt32) -> UInt32? { bits == float ? nil : bits }
    /// The bits of a null Double.
    @inlinable package static var double: UInt64 { 0x7FF8_0000_0000_00AA }
    /// The bits of a Double; nil for those of null.
    @inlinable @inline(__always)
    package static func double(_ bits: UInt64) -> UInt64? { bits == double ? nil : bits }
    /// The bits of a null Decimal128 of 4 bytes.
    @inlinable package static var decimal32: UInt32 { 0x7C00_00AA }
    /// The bits of a null Decimal128 of 8 bytes.
    @inlinable package static var decimal64: UInt64 { 0x7C00_0000_0000_00AA }
    /// The low and high half of a null Decimal128 of 16 bytes.
    @inlinable package static var decimal128Low: UInt64 { 0xAA }
    @inlinable package static var decimal128High: UInt64 { 0x7C00_0000_0000_0000 }
}
