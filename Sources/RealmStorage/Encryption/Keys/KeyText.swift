internal import RealmLayout

/// Text that may be a key: hexadecimal digits, base64, or a list of numbers; also in quotation marks or after a name.
///
/// The forms are unambiguous for keys: 128 digits would be base64 of 96 bytes.
package struct KeyText {
    let bytes: ByteView
    /// The longest text that is examined; it has room for separators around each digit.
    private static let longest = 4096

    init(_ bytes: ByteView) {
        // A byte order mark, which some editors add.
        let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
        self.bytes = hasMark ? bytes.slice(unchecked: 3, count: bytes.count - 3) : bytes
    }

    /// Passes the 64 bytes of the key to `take`.
    ///
    /// - Throws: `KeyError` if the text is not a key; some bytes may have been passed by then.
    func decode(_ take: (_ index: Int, _ byte: UInt8) -> Void) throws(KeyError) {
        if contains("T-DB", at: 16) { throw KeyError(.realmFile) }
        if contains("-----BEGIN", at: 0) { throw KeyError(.pem) }
        guard bytes.count <= Self.longest else { throw KeyError(.tooLong) }
        do throws(KeyError) {
            try decodeWhole(take)
        } catch {
            if hasOffsets { throw KeyError(.hexDump) }
            guard let inner = quoted ?? assigned else { throw error }
            do throws(KeyError) {
                try inner.decodeWhole(take)
            } catch  where inner.hasEscapes {
                throw KeyError(.escapes)
            }
        }
    }

    private func decodeWhole(_ take: (_ index: Int, _ byte: UInt8) -> Void) throws(KeyError) {
        if let list = try KeyList(bytes) { return list.decode(take) }
        if let digits = count(of: Hexadecimal.digit, skipping: Self.isSeparator, hasPrefixes: true) {
            guard digits > 0 else { throw KeyError(.empty) }
            guard digits == 2 * EncryptionKey.byteCount else { throw KeyError(.digits(digits)) }
            return assemble(bits: 4, of: Hexadecimal.digit, hasPrefixes: true, take)
        }
        if let digits = count(of: Self.base64Digit, skipping: Self.isSpace, hasPrefixes: false) {
            let size = digits * 6 / 8
            guard size == EncryptionKey.byteCount else { throw KeyError(.base64(bytes: size)) }
            return assemble(bits: 6, of: Self.base64Digit, hasPrefixes: false, take)
        }
        throw KeyError(.bytes(bytes.count))
    }

    private func contains(_ word: StaticString, at offset: Int) -> Bool {
        let word = Array("\(word)".utf8)
        return bytes.slice(at: offset, count: word.count)?.bytes == word
    }

    /// The number of digits; nil if there are characters other than digits and separators.
    private func count(
        of digit: (UInt8) -> UInt8?, skipping isSkipped: (UInt8) -> Bool, hasPrefixes: Bool
    ) -> Int? {
        var count = 0
        var offset = 0
        while offset < bytes.count {
            if hasPrefixes, isPrefix(at: offset) {
                offset += 2
                continue
            }
            if digit(bytes[offset]) != nil { count += 1 } else if !isSkipped(bytes[offset]) { return nil }
            offset += 1
        }
        return count
    }

    /// Assembles digits of `bits` bits into bytes, the most significant first.
    private func assemble(
        bits: UInt32, of digit: (UInt8) -> UInt8?, hasPrefixes: Bool, _ take: (Int, UInt8) -> Void
    ) {
        var (pending, pendingBits): (UInt32, UInt32) = (0, 0)
        var index = 0
        var offset = 0
        while offset < bytes.count, index < EncryptionKey.byteCount {
            if hasPrefixes, isPrefix(at: offset) {
                offset += 2
                continue
            }
            if let value = digit(bytes[offset]) {
                pending = pending << bits | UInt32(value)
                pendingBits += bits
                if pendingBits >= 8 {
                    pendingBits -= 8
                    take(index, UInt8(truncatingIfNeeded: pending >> pendingBits))
                    index += 1
                }
            }
            offset += 1
        }
    }

    /// Whether there is a `0x` at an offset, at the start or after a separator, or a `\x` as in strings.
    private func isPrefix(at offset: Int) -> Bool {
        guard offset + 1 < bytes.count, bytes[offset + 1] | 0x20 == UInt8(ascii: "x") else { return false }
        if bytes[offset] == UInt8(ascii: "\\") { return true }
        return bytes[offset] == UInt8(ascii: "0") && (offset == 0 || Self.isSeparator(bytes[offset - 1]))
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        // `=` is only padding.
        byte == 0x20 || (0x09...0x0D).contains(byte) || byte == UInt8(ascii: "=")
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09...0x0D, UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The value of a base64 digit in either alphabet; nil for any other character.
    package static func base64Digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
