/// The null patterns of encodings without a separate null flag (Spec 30).
// Computed, to make the numbers visible to other modules.
@usableFromInline
package enum NullPattern {
    /// The element that stands for null in a nullable Bool.
    @inlinable package static var bool: Int64 { 3 }
    /// Decodes the element of a Bool; nil for null.
    @inlinable @inline(__always)
    package static func bool(_ element: Int64) -> Bool? { element == bool ? nil : element != 0 }
    /// The element for a Bool, or for null.
    @inlinable @inline(__always)
    package static func element(_ value: Bool?) -> Int64 { value.map { $0 ? 1 : 0 } ?? bool }
    /// Whether an element is valid for a Bool or null.
    package static func isBool(_ element: Int64) -> Bool { element == 0 || element == 1 || element == bool }
    /// The bits of a null Float.
    @inlinable package static var float: UInt32 { 0x7FC0_00AA }
    /// The bits of a Float; nil when they are the null pattern.
    @inlinable @inline(__always)
    package static func float(_ bits: UInt32) -> UInt32? { bits == float ? nil : bits }
    /// The bits of a null Double.
    @inlinable package static var double: UInt64 { 0x7FF8_0000_0000_00AA }
    /// The bits of a Double; nil when they are the null pattern.
    @inlinable @inline(__always)
    package static func double(_ bits: UInt64) -> UInt64? { bits == double ? nil : bits }
    /// The bits of a null 4-byte Decimal128.
    @inlinable package static var decimal32: UInt32 { 0x7C00_00AA }
    /// The bits of a null 8-byte Decimal128.
    @inlinable package static var decimal64: UInt64 { 0x7C00_0000_0000_00AA }
    /// The low and high half of a null 16-byte Decimal128.
    @inlinable package static var decimal128Low: UInt64 { 0xAA }
    @inlinable package static var decimal128High: UInt64 { 0x7C00_0000_0000_0000 }
}
