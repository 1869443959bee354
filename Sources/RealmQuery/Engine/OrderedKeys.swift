internal import RealmCore
internal import RealmLayout

/// Floating-point numbers as integers in the same order; NaN has no key.
enum FloatKey {
    @inline(__always)
    static func of(_ number: Double) -> Int64 {
        let bits = Int64(bitPattern: number.bitPattern)
        return bits >= 0 ? bits : bits ^ .max
    }

    @inline(__always)
    static func of(_ number: Float) -> Int64 {
        let bits = Int32(bitPattern: number.bitPattern)
        return Int64(bits >= 0 ? bits : bits ^ .max)
    }

    /// The double with that key.
    static func double(_ key: Int64) -> Double {
        Double(bitPattern: UInt64(bitPattern: key >= 0 ? key : key ^ .max))
    }

    /// The float with that key.
    static func float(_ key: Int64) -> Float {
        let bits = Int32(truncatingIfNeeded: key)
        return Float(bitPattern: UInt32(bitPattern: bits >= 0 ? bits : bits ^ .max))
    }
}

/// Points in time as integers in the same order.
enum TimeKey {
    @inline(__always)
    static func of(_ time: Timestamp) -> Int128 { Int128(time.seconds) << 32 + Int128(time.nanoseconds) }
}

/// ObjectIds and UUIDs as integers in the order of their bytes.
enum IdentifierKey {
    @inline(__always)
    static func of(_ bytes: ByteView) -> UInt128 {
        var key: UInt128 = 0
        var index = 0
        while index < bytes.count {
            key = key << 8 | UInt128(bytes.byte(unchecked: index))
            index &+= 1
        }
        return key
    }

    static func of(_ bytes: [UInt8]) -> UInt128 { bytes.reduce(0) { $0 << 8 | UInt128($1) } }
}
