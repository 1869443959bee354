/// The bytes of a file that are significant in its current commit. Uses its own walk over the nodes, so that the
/// verifier is not judged by its own code.
struct LiveBytes {
    private var isLive: [Bool]

    init(of bytes: [UInt8]) {
        isLive = [Bool](repeating: false, count: bytes.count)
        // Top refs, mnemonic, formats and flags; of the unselected slot, only whether it is empty matters.
        let slot = Int(bytes[23] & 1)
        let isStreaming = slot == 0 && bytes[0..<8].allSatisfy { $0 == 0xFF }
        for offset in Array((slot * 8)..<(slot * 8 + 8)) + Array(16..<20) + [20 + slot, 23] { isLive[offset] = true }
        var top = Self.number(bytes, slot * 8)
        if isStreaming {
            top = Self.number(bytes, bytes.count - 16)
            for offset in (bytes.count - 16)..<bytes.count { isLive[offset] = true }
        }
        var refs = [top]
        while let ref = refs.popLast() {
            guard ref >= 24, ref & 7 == 0, ref + 8 <= bytes.count, !isLive[ref + 4] else { continue }
            let flags = bytes[ref + 4]
            let width = (1 << Int(flags & 7)) >> 1
            let count = Int(bytes[ref + 5]) << 16 | Int(bytes[ref + 6]) << 8 | Int(bytes[ref + 7])
            let size = [(count * width + 7) / 8, count * width, count, count][Int(flags >> 3) & 3]
            guard ref + 8 + size <= bytes.count else { continue }
            // The first four bytes are never read.
            for offset in (ref + 4)..<(ref + 8 + size) { isLive[offset] = true }
            guard flags & 0x40 != 0, width >= 8 else { continue }
            for index in 0..<count {
                var element = 0
                for byte in 0..<(width / 8) {
                    element |= Int(bytes[ref + 8 + index * width / 8 + byte]) << (8 * byte)
                }
                if element & 1 == 0, element > 0 { refs.append(element) }
            }
        }
    }

    private static func number(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(truncatingIfNeeded: (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) })
    }

    /// Whether damage changed a significant byte.
    func isTouched(_ bytes: [UInt8], _ damaged: [UInt8]) -> Bool {
        for offset in bytes.indices where isLive[offset] {
            if offset >= damaged.count || damaged[offset] != bytes[offset] { return true }
        }
        return false
    }

    /// Returns the first significant byte that differs.
    func firstTouched(_ bytes: [UInt8], _ damaged: [UInt8]) -> Int? {
        bytes.indices.first { isLive[$0] && ($0 >= damaged.count || damaged[$0] != bytes[$0]) }
    }
}
