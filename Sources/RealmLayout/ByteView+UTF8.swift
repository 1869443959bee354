extension ByteView {
    /// Whether every byte is below 0x80.
    @inlinable @inline(__always)
    package var isASCII: Bool {
        let high: UInt64 = 0x8080_8080_8080_8080
        if count >= 8 {
            var bits = uint64(unchecked: count &- 8)
            var offset = 0
            while offset &+ 8 < count {
                bits |= uint64(unchecked: offset)
                offset &+= 8
            }
            return bits & high == 0
        }
        if count >= 4 {
            return UInt64(uint32(unchecked: 0) | uint32(unchecked: count &- 4)) & high == 0
        }
        var bits: UInt8 = 0
        for offset in 0..<count { bits |= byte(unchecked: offset) }
        return bits < 0x80
    }

    /// Whether the bytes are well-formed UTF-8 (Unicode, table 3-7).
    package var isValidUTF8: Bool {
        var offset = 0
        while offset < count {
            let lead = byte(unchecked: offset)
            if lead < 0x80 {
                if offset &+ 16 <= count,
                    (uint64(unchecked: offset) | uint64(unchecked: offset &+ 8)) & 0x8080_8080_8080_8080 == 0
                {
                    offset &+= 16
                    continue
                }
                guard offset &+ 8 <= count else {
                    offset &+= 1
                    continue
                }
                // As many bytes as there are before the next one beyond ASCII: 8 when there is none.
                offset &+= (uint64(unchecked: offset) & 0x8080_8080_8080_8080).trailingZeroBitCount &>> 3
                continue
            }
            // Two and three bytes, at once where a word can be loaded: no overlong form, no surrogate. First twice three.
            if offset &+ 8 <= count {
                let word = uint64(unchecked: offset)
                let first = word & 0x200F
                let second = (word &>> 24) & 0x200F
                if word & 0xC0C0_F0C0_C0F0 == 0x8080_E080_80E0, first != 0, first != 0x200D, second != 0,
                    second != 0x200D
                {
                    offset &+= 6
                    continue
                }
            }
            if offset &+ 4 <= count {
                let word = uint32(unchecked: offset)
                let form = word & 0x200F
                if word & 0xC0_C0F0 == 0x80_80E0, form != 0, form != 0x200D {
                    offset &+= 3
                    continue
                }
                if word & 0xC0E0 == 0x80C0, word & 0x1E != 0 {
                    offset &+= 2
                    continue
                }
            }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            default: return false
            }
            guard count &- offset >= length, second.contains(byte(unchecked: offset &+ 1)) else { return false }
            var next = 2
            while next < length {
                guard byte(unchecked: offset &+ next) & 0xC0 == 0x80 else { return false }
                next &+= 1
            }
            offset &+= length
        }
        return true
    }
}
