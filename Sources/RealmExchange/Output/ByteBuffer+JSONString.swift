internal import RealmLayout

// Strings in JSON.
extension ByteBuffer {
    /// Appends a quoted JSON string.
    ///
    /// - Returns: false when the bytes are not well-formed UTF-8, in which case each ill-formed part became U+FFFD.
    @inline(__always)
    mutating func append(jsonString bytes: ByteView) -> Bool {
        reserve(bytes.count &+ 2)
        store(UInt8(ascii: "\""))
        let isPlain = storePlain(bytes)
        if !isPlain { return appendRest(ofJSONString: bytes) }
        store(UInt8(ascii: "\""))
        return true
    }

    /// Copies the bytes when each stands for itself in a JSON string and none is beyond ASCII.
    @inline(__always)
    private mutating func storePlain(_ bytes: ByteView) -> Bool {
        var special: UInt64 = 0
        if bytes.count >= 8 {
            special = Self.specialBytes(in: bytes.uint64(unchecked: bytes.count &- 8))
            var offset = 0
            while offset &+ 8 < bytes.count {
                special |= Self.specialBytes(in: bytes.uint64(unchecked: offset))
                offset &+= 8
            }
        } else {
            // Spaces around a byte are not special.
            for offset in 0..<bytes.count {
                special |= Self.specialBytes(in: UInt64(bytes.byte(unchecked: offset)) | 0x2020_2020_2020_2000)
            }
        }
        guard special == 0 else { return false }
        store(bytes)
        return true
    }

    /// Nonzero when one of the eight bytes is a quote, a backslash, a control character or beyond ASCII.
    @inline(__always)
    private static func specialBytes(in word: UInt64) -> UInt64 {
        (word & 0x8080_8080_8080_8080) | escapedBytes(in: word)
    }

    /// Nonzero when one of the eight bytes is a quote, a backslash or a control character.
    @inline(__always)
    private static func escapedBytes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // A lane below its bound borrows into its high bit. Lanes that borrow from a neighbour are found only beside
        // one that is special itself, so that no word is missed and none taken wrongly.
        let control = word &- ones &* 0x20
        let quote = (word ^ ones &* 0x22) &- ones
        let backslash = (word ^ ones &* 0x5C) &- ones
        return (control | quote | backslash) & ~word & 0x8080_8080_8080_8080
    }

    @inline(never)
    private mutating func appendRest(ofJSONString bytes: ByteView) -> Bool {
        let isValid = bytes.isValidUTF8
        if isValid {
            appendEscaped(bytes)
        } else {
            ByteView.with(Array(bytes.repairedString.utf8)) { appendEscaped($0) }
        }
        reserve(1)
        store(UInt8(ascii: "\""))
        return isValid
    }

    /// Appends well-formed UTF-8: eight bytes at once where none of them is escaped.
    private mutating func appendEscaped(_ bytes: ByteView) {
        reserve(bytes.count &* 6)
        var offset = 0
        while offset &+ 8 <= bytes.count {
            let word = bytes.uint64(unchecked: offset)
            if Self.escapedBytes(in: word) == 0 {
                store(word)
            } else {
                for index in 0..<8 { storeEscaped(UInt8(truncatingIfNeeded: word &>> UInt64(index &* 8))) }
            }
            offset &+= 8
        }
        while offset < bytes.count {
            storeEscaped(bytes.byte(unchecked: offset))
            offset &+= 1
        }
    }

    @inline(__always)
    private mutating func storeEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): store("\\\"")
        case UInt8(ascii: "\\"): store("\\\\")
        case 0x0A: store("\\n")
        case 0x0D: store("\\r")
        case 0x09: store("\\t")
        case 0..<0x20:
            store("\\u00")
            storeHexadecimal(byte)
        default: store(byte)
        }
    }
}
