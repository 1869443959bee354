package import RealmLayout

// JSON strings.
extension ByteBuffer {
    /// Appends a quoted JSON string.
    ///
    /// - Returns: False if the bytes are not well-formed UTF-8; each ill-formed part then became U+FFFD.
    @inline(__always)
    package mutating func append(jsonString bytes: ByteView) -> Bool {
        reserve(bytes.count &+ 2)
        return store(plainJSONString: bytes) || appendRest(ofJSONString: bytes)
    }

    /// Stores a quoted JSON string if all bytes are ASCII and need no escapes. Otherwise stores nothing and returns
    /// false. Two bytes more than the length of the string must have been reserved.
    @inline(__always)
    mutating func store(plainJSONString bytes: ByteView) -> Bool {
        let count = bytes.count
        if count < 8 {
            let word = bytes.shortWord
            let end = UInt64(truncatingIfNeeded: count &* 8)
            // Pads with spaces, which are not special.
            guard Self.specialBytes(in: word | 0x2020_2020_2020_2020 &<< end) == 0 else { return false }
            store(UInt8(ascii: "\""))
            store(word | 0x22 &<< end, length: count &+ 1)
            return true
        }
        // Copies and checks whole words at once; the last one overlaps its predecessor.
        var special: SIMD16<UInt8>
        if count < 16 {
            let (first, last) = (bytes.uint64(unchecked: 0), bytes.uint64(unchecked: count &- 8))
            special = Self.specialBytes(in: SIMD2(first, last))
            place(first, at: 1)
            place(last, at: count &- 7)
        } else {
            let last = bytes.vector(unchecked: count &- 16)
            special = Self.specialBytes(in: last)
            var offset = 0
            while offset &+ 16 < count {
                let vector = bytes.vector(unchecked: offset)
                special |= Self.specialBytes(in: vector)
                place(vector, at: offset &+ 1)
                offset &+= 16
            }
            place(last, at: count &- 15)
        }
        guard Self.isZero(special) else { return false }
        place(UInt8(ascii: "\""), at: 0)
        place(UInt8(ascii: "\""), at: count &+ 1)
        advance(count &+ 2)
        return true
    }

    /// Nonzero if one of the eight bytes is a quote, a backslash, a control character or non-ASCII.
    @inline(__always)
    private static func specialBytes(in word: UInt64) -> UInt64 {
        (word & 0x8080_8080_8080_8080) | escapedBytes(in: word)
    }

    /// Nonzero if one of the eight bytes is a quote, a backslash or a control character.
    @inline(__always)
    private static func escapedBytes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // A lane below its bound borrows into its high bit. A borrow from a neighbouring lane occurs only next to a
        // special lane, so the result is zero exactly for words without special bytes.
        let control = word &- ones &* 0x20
        let quote = (word ^ ones &* 0x22) &- ones
        let backslash = (word ^ ones &* 0x5C) &- ones
        return (control | quote | backslash) & ~word & 0x8080_8080_8080_8080
    }

    /// Nonzero in each byte that is a quote, a backslash, a control character or non-ASCII.
    @inline(__always)
    private static func specialBytes(in bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
        // As signed numbers, non-ASCII bytes are below the control characters.
        mask(signed(bytes) .< SIMD16(repeating: 0x20)) | quotesAndBackslashes(in: bytes)
    }

    @inline(__always)
    private static func specialBytes(in words: SIMD2<UInt64>) -> SIMD16<UInt8> {
        specialBytes(in: Self.bytes(words))
    }

    /// Nonzero in each byte that is a quote, a backslash or a control character.
    @inline(__always)
    private static func escapedBytes(in bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
        mask(bytes .< SIMD16(repeating: 0x20)) | quotesAndBackslashes(in: bytes)
    }

    @inline(__always)
    private static func quotesAndBackslashes(in bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
        mask(bytes .== SIMD16(repeating: 0x22)) | mask(bytes .== SIMD16(repeating: 0x5C))
    }

    /// Appends a quoted JSON string of any content.
    @inline(never)
    mutating func appendRest(ofJSONString bytes: ByteView) -> Bool {
        reserve(1)
        store(UInt8(ascii: "\""))
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

    /// Appends well-formed UTF-8, in larger steps where nothing is escaped.
    private mutating func appendEscaped(_ bytes: ByteView) {
        reserve(bytes.count &* 6)
        var offset = 0
        while offset &+ 16 <= bytes.count, Self.isZero(Self.escapedBytes(in: bytes.vector(unchecked: offset))) {
            place(bytes.vector(unchecked: offset), at: 0)
            advance(16)
            offset &+= 16
        }
        while offset < bytes.count {
            let length = min(bytes.count &- offset, 8)
            let end = UInt64(truncatingIfNeeded: length &* 8)
            let word =
                length == 8 ? bytes.uint64(unchecked: offset) : bytes.slice(unchecked: offset, count: length).shortWord
            if Self.escapedBytes(in: length == 8 ? word : word | 0x2020_2020_2020_2020 &<< end) == 0 {
                store(word, length: length)
            } else {
                for index in 0..<length { storeEscaped(UInt8(truncatingIfNeeded: word &>> UInt64(index &* 8))) }
            }
            offset &+= length
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
