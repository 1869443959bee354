internal import RealmCore
package import RealmLayout

/// Escapes dictionary keys that the target format does not accept.
///
/// `%` becomes `%25` and NUL `%00`. A leading `$` becomes `%24` in Extended JSON and in the canonical profile, where it
/// would look like a wrapper. Apps already escape `.` and `$` in keys as `%2E` and `%24`, because the SDKs require it.
/// If the escape must be reversible, their `%` is escaped like any other, and so are bytes that are not UTF-8: percent
/// decoding then restores every key. Otherwise those sequences are left unchanged.
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

    /// The loss caused by escaping a key.
    func loss(of bytes: ByteView) -> LossKind? {
        isReversible ? nil : bytes.isValidUTF8 ? .escapedKey : .malformedText
    }

    /// The key in the target's spelling. If the escape is not reversible, ill-formed UTF-8 becomes U+FFFD.
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

/// The spelling of dictionary keys in the documents of an export, as its sidecar names it (Spec 180).
enum KeyEncoding: String {
    /// Every escape spells a byte: the canonical profile.
    case percent
    /// `%25` and `%00` spell a byte; other escapes belong to apps: BSON and Extended JSON of the mongo profile.
    case partial
    /// Keys are as they are, also in documents of other programs.
    case none
}
