package import RealmLayout

/// The checksum at the end of a collection in an archive: CRC-64 with the polynomial of ECMA-182, bits reflected.
package struct CRC64 {
    /// Eight tables, for eight bytes per step.
    private static let tables: [[UInt64]] = {
        let polynomial: UInt64 = 0xC96C_5795_D787_0F42
        var first = [UInt64](repeating: 0, count: 256)
        for byte in 0..<256 {
            var value = UInt64(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1 }
            first[byte] = value
        }
        var tables = [first]
        for _ in 1..<8 {
            let last = tables[tables.count - 1]
            tables.append(last.map { first[Int($0 & 0xFF)] ^ $0 >> 8 })
        }
        return tables
    }()

    private var state = UInt64.max

    package init() {}

    /// The checksum of the bytes so far.
    package var value: UInt64 { ~state }

    package mutating func update(_ bytes: ByteView) {
        let tables = Self.tables
        var offset = 0
        while offset &+ 8 <= bytes.count {
            let word = state ^ bytes.uint64(unchecked: offset)
            var next: UInt64 = 0
            for lane in 0..<8 { next ^= tables[7 &- lane][Int(word &>> UInt64(lane &* 8) & 0xFF)] }
            state = next
            offset &+= 8
        }
        while offset < bytes.count {
            state = tables[0][Int((state ^ UInt64(bytes.byte(unchecked: offset))) & 0xFF)] ^ state &>> 8
            offset &+= 1
        }
    }
}
