package import RealmLayout
internal import RealmReader

/// How keys of dictionaries are spelled where the target does not take them as they are.
///
/// `%` becomes `%25`, NUL `%00`, and a leading `$` in Extended JSON and in the canonical profile, where it would look like
/// a wrapper, `%24`. Apps escape `.` and `$` in keys themselves, as the SDKs demand, with `%2E` and `%24`. Where the way
/// back is promised, those are escaped like any `%`, and bytes that are not UTF-8 too, so that percent decoding restores
/// every key; elsewhere they stay as they are.
package struct KeyEscape {
    let escapesDollar: Bool
    let isReversible: Bool

    package init(escapesDollar: Bool, isReversible: Bool) {
        self.escapesDollar = escapesDollar
        self.isReversible = isReversible
    }

    @inline(__always)
    package func isNeeded(_ bytes: ByteView) -> Bool {
        var offset = 0
        var isASCII = true
        while offset < bytes.count {
            let byte = bytes.byte(unchecked: offset)
            if byte == 0 || (byte == UInt8(ascii: "%") && !isKept(bytes, offset)) { return true }
            if byte >= 0x80 { isASCII = false }
            offset &+= 1
        }
        if escapesDollar, bytes.count > 0, bytes.byte(unchecked: 0) == UInt8(ascii: "$") { return true }
        return !isASCII && !bytes.isValidUTF8
    }

    private func isKept(_ bytes: ByteView, _ offset: Int) -> Bool {
        guard !isReversible, offset + 2 < bytes.count, bytes[offset + 1] == UInt8(ascii: "2") else { return false }
        return [UInt8(ascii: "E"), UInt8(ascii: "e"), UInt8(ascii: "4")].contains(bytes[offset + 2])
    }

    /// What is lost of a key that needs escapes.
    func loss(of bytes: ByteView) -> LossKind? {
        isReversible ? nil : bytes.isValidUTF8 ? .escapedKey : .malformedText
    }

    /// The key as the target takes it. Without a way back, ill-formed UTF-8 becomes U+FFFD.
    package func escaped(_ bytes: ByteView) -> String {
        let isValid = bytes.isValidUTF8
        var result: [UInt8] = []
        for offset in 0..<bytes.count {
            let byte = bytes[offset]
            let isEscaped =
                switch byte {
                case 0: true
                case UInt8(ascii: "%"): !isKept(bytes, offset)
                case UInt8(ascii: "$"): escapesDollar && offset == 0
                default: byte >= 0x80 && isReversible && !isValid
                }
            result += isEscaped ? Array("%".utf8) + Hexadecimal.text([byte]).uppercased().utf8 : [byte]
        }
        return String(decoding: result, as: UTF8.self)
    }
}
