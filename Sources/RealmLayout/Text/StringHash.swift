/// The hash of dictionary keys in formats 21 and 22: CityHash64 as in libc++ (Spec 40).
package enum StringHash {
    private static let k0: UInt64 = 0xC3A5_C85C_97CB_3127
    private static let k1: UInt64 = 0xB492_B66F_BE98_F273
    private static let k2: UInt64 = 0x9AE1_6A3B_2F90_404F
    private static let k3: UInt64 = 0xC949_D7C7_509E_6557
    private static let factor: UInt64 = 0x9DDF_EA08_EB38_2D69

    /// Returns the hash of bytes.
    package static func of(_ bytes: ByteView) -> UInt64 {
        switch bytes.count {
        case 0: k2
        case 1...3: tiny(bytes)
        case 4...8: small(bytes)
        case 9...16: medium(bytes)
        case 17...32: long(bytes)
        case 33...64: longer(bytes)
        default: longest(bytes)
        }
    }

    private static func tiny(_ bytes: ByteView) -> UInt64 {
        let count = bytes.count
        let y = UInt64(bytes[0]) + UInt64(bytes[count / 2]) << 8
        let z = UInt64(count) + UInt64(bytes[count - 1]) << 2
        return spread(y &* k2 ^ z &* k3) &* k2
    }

    private static func small(_ bytes: ByteView) -> UInt64 {
        let count = bytes.count
        // In libc++ this shift has 32 bits.
        let start = UInt64(count) + UInt64(bytes.uint32(unchecked: 0) << 3)
        return join(start, UInt64(bytes.uint32(unchecked: count - 4)))
    }

    private static func medium(_ bytes: ByteView) -> UInt64 {
        let count = bytes.count
        let (first, last) = (bytes.uint64(unchecked: 0), bytes.uint64(unchecked: count - 8))
        return join(first, turn(last &+ UInt64(count), count)) ^ last
    }

    private static func long(_ bytes: ByteView) -> UInt64 {
        let count = bytes.count
        let a = bytes.uint64(unchecked: 0) &* k1
        let b = bytes.uint64(unchecked: 8)
        let c = bytes.uint64(unchecked: count - 8) &* k2
        let d = bytes.uint64(unchecked: count - 16) &* k0
        return join(turn(a &- b, 43) &+ turn(c, 30) &+ d, a &+ turn(b ^ k3, 20) &- c &+ UInt64(count))
    }

    private static func longer(_ bytes: ByteView) -> UInt64 {
        let count = bytes.count
        func half(_ start: Int, _ first: UInt64, _ added: UInt64) -> (UInt64, UInt64) {
            var (a, z) = (first, added)
            let b = turn(a &+ z, 52)
            var c = turn(a, 37)
            a = a &+ bytes.uint64(unchecked: start + 8)
            c = c &+ turn(a, 7)
            a = a &+ bytes.uint64(unchecked: start + 16)
            z = z &+ a
            return (z, b &+ turn(a, 31) &+ c)
        }
        let z = bytes.uint64(unchecked: 24)
        let end = bytes.uint64(unchecked: count - 16)
        let v = half(0, bytes.uint64(unchecked: 0) &+ (UInt64(count) &+ end) &* k0, z)
        let w = half(
            count - 32, bytes.uint64(unchecked: 16) &+ bytes.uint64(unchecked: count - 32),
            z &+ bytes.uint64(unchecked: count - 8))
        let sum = spread((v.0 &+ w.1) &* k2 &+ (w.0 &+ v.1) &* k0)
        return spread(sum &* k0 &+ v.1) &* k2
    }

    private static func longest(_ bytes: ByteView) -> UInt64 {
        let count = bytes.count
        func word(_ offset: Int) -> UInt64 { bytes.uint64(unchecked: offset) }
        /// Mixes in 32 bytes.
        func weak(_ start: Int, _ first: UInt64, _ second: UInt64) -> (UInt64, UInt64) {
            var a = first &+ word(start)
            var b = turn(second &+ a &+ word(start + 24), 21)
            let c = a
            a = a &+ word(start + 8) &+ word(start + 16)
            b = b &+ turn(a, 44)
            return (a &+ word(start + 24), b &+ c)
        }
        var x = word(count - 40)
        var y = word(count - 16) &+ word(count - 56)
        var z = join(word(count - 48) &+ UInt64(count), word(count - 24))
        var v = weak(count - 64, UInt64(count), z)
        var w = weak(count - 32, y &+ k1, x)
        x = x &* k1 &+ word(0)
        // The last block, which may overlap the previous one, has already been mixed in.
        for start in stride(from: 0, to: (count - 1) & ~63, by: 64) {
            x = turn(x &+ y &+ v.0 &+ word(start + 8), 37) &* k1
            y = turn(y &+ v.1 &+ word(start + 48), 42) &* k1
            x ^= w.1
            y = y &+ v.0 &+ word(start + 40)
            z = turn(z &+ w.0, 33) &* k1
            v = weak(start, v.1 &* k1, x &+ w.0)
            w = weak(start + 32, z &+ w.1, y &+ word(start + 16))
            (x, z) = (z, x)
        }
        return join(join(v.0, w.0) &+ spread(y) &* k1 &+ z, join(v.1, w.1) &+ x)
    }

    /// Combines two numbers into one.
    private static func join(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let a = spread((first ^ second) &* factor)
        return spread((second ^ a) &* factor) &* factor
    }

    private static func spread(_ value: UInt64) -> UInt64 { value ^ value >> 47 }

    /// Rotates a number to the right by 1 to 63 bits.
    private static func turn(_ value: UInt64, _ bits: Int) -> UInt64 {
        value >> UInt64(bits) | value << UInt64(64 - bits)
    }
}
