/// Base64 encoding (RFC 4648, section 4).
package enum Base64 {
    /// Encodes bytes, padded with `=` to a multiple of four characters.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(8 * (3 - group.count))
            for index in 0..<4 {
                let digit = digits[Int(bits >> UInt32(18 - 6 * index) & 63)]
                text.append(index <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes text, with or without trailing `=`; returns nil when it is not Base64.
    package static func bytes(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var (count, padding) = (0, 0)
        for character in text {
            if character == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(character) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            switch count % 4 {
            case 0: bytes.append(UInt8(truncatingIfNeeded: bits))
            case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
            case 3: bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
            default: break
            }
        }
        guard count % 4 != 1, padding == 0 || (padding <= 2 && (count + padding) % 4 == 0) else { return nil }
        return bytes
    }

    private static func value(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
