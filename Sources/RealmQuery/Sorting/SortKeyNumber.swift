internal import RealmLayout

/// Converts values to unsigned numbers of the same order, and back.
enum SortKeyNumber {
    @inline(__always)
    static func of(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

    @inline(__always)
    static func integer(_ rank: UInt64) -> Int64 { Int64(bitPattern: rank ^ 1 << 63) }

    /// - Parameter number: must not be NaN; both zeros give the same number.
    @inline(__always)
    static func of(_ number: Double) -> UInt64 { of(FloatKey.of(number + 0)) }

    @inline(__always)
    static func double(_ rank: UInt64) -> Double { FloatKey.double(integer(rank)) }

    /// Up to eight bytes of an id, the first byte as the highest.
    @inline(__always)
    static func of(_ bytes: ByteView, from offset: Int) -> UInt64 {
        SortKeyColumn.firstBytes(bytes.slice(unchecked: offset, count: min(8, bytes.count &- offset)))
    }
}
