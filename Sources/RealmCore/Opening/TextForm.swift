package import RealmLayout
internal import RealmStorage

/// The damage to a file that was processed as text; most of it can be undone (Spec 160).
package enum TextForm: String, Sendable {
    /// Base64, as in JSON and mail.
    case base64
    /// Hexadecimal digits.
    case hexadecimal
    /// Each line feed has a carriage return before it: `autocrlf` of git, FTP in text mode, terminals.
    case lineEnds
    /// Each byte was interpreted as a Latin-1 character and written as UTF-8.
    case utf8
    /// Bytes that are not UTF-8 were replaced with U+FFFD and are lost.
    case replaced
    /// The pointer that Git LFS stores in a repository instead of a large file.
    case lfsPointer
    /// Text.
    case text

    /// Examines a whole file that is known not to be intact.
    ///
    /// - Returns: nil when there is no sign of text processing.
    package init?(_ bytes: ByteView) {
        guard bytes.count > 0 else { return nil }
        if Self.begins(bytes, "version https://git-lfs") {
            self = .lfsPointer
        } else if let form = Self.converted(bytes) ?? Self.printed(bytes) {
            self = form
        } else {
            return nil
        }
    }

    /// A description that includes the remedy.
    var words: String {
        switch self {
        case .base64: "\(kindInWords); decode it first"
        case .hexadecimal: "\(kindInWords); decode them first"
        case .lineEnds, .utf8: "\(kindInWords); undo that first"
        case .replaced, .lfsPointer, .text: kindInWords
        }
    }

    /// A description.
    package var kindInWords: String {
        switch self {
        case .base64: "base64 of a Realm file"
        case .hexadecimal: "hexadecimal digits of a Realm file"
        case .lineEnds: "a Realm file whose line feeds (0a) became 0d 0a, as in text mode"
        case .utf8: "a Realm file that was re-encoded from Latin-1 to UTF-8, as text is"
        case .replaced: "a file whose bytes were replaced with U+FFFD, as text is: what they were is lost"
        case .lfsPointer: "a pointer of Git LFS: the file itself was not fetched"
        case .text: "text"
        }
    }

    private static func begins(_ bytes: ByteView, _ word: StaticString) -> Bool {
        let word = Array("\(word)".utf8)
        return bytes.slice(at: 0, count: word.count)?.bytes == word
    }

    /// Classifies a file that consists of printable characters.
    private static func printed(_ bytes: ByteView) -> TextForm? {
        var (isBase64, isHexadecimal) = (true, true)
        for offset in 0..<bytes.count {
            let byte = bytes.byte(unchecked: offset)
            let isSpace = byte == 0x20 || (0x09...0x0D).contains(byte)
            guard isSpace || byte > 0x20 && byte != 0x7F else { return nil }
            if isSpace { continue }
            if isBase64, !self.isBase64(byte) { isBase64 = false }
            if isHexadecimal, Hexadecimal.digit(byte) == nil { isHexadecimal = false }
            // Text in other scripts is UTF-8.
            if byte >= 0x80, !isBase64 { break }
        }
        if isHexadecimal, holdsHeader(decoded(bytes, bits: 4) { Hexadecimal.digit($0) }) { return .hexadecimal }
        if isBase64, holdsHeader(decoded(bytes, bits: 6) { KeyText.base64Digit($0) }) { return .base64 }
        return bytes.isValidUTF8 ? .text : nil
    }

    /// Decodes the first bytes from digits.
    private static func decoded(_ bytes: ByteView, bits: UInt32, _ digit: (UInt8) -> UInt8?) -> [UInt8] {
        var result: [UInt8] = []
        var (pending, count): (UInt32, UInt32) = (0, 0)
        for offset in 0..<bytes.count where result.count < FileHeader.size {
            guard let value = digit(bytes.byte(unchecked: offset)) else { continue }
            pending = pending << bits | UInt32(value)
            count += bits
            guard count >= 8 else { continue }
            count -= 8
            result.append(UInt8(truncatingIfNeeded: pending >> count))
        }
        return result
    }

    private static func holdsHeader(_ start: [UInt8]) -> Bool {
        start.count == FileHeader.size && Array(start[16..<20]) == Array("T-DB".utf8)
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        KeyText.base64Digit(byte) != nil || byte == UInt8(ascii: "=")
    }

    /// Classifies a file with bytes that do not occur in text: zeros, which every header has.
    private static func converted(_ bytes: ByteView) -> TextForm? {
        guard hasMnemonicNearStart(bytes), bytes.slice(at: 0, count: FileHeader.size)?.bytes.contains(0) ?? false else {
            return nil
        }
        var (feeds, isConverted, others, before) = (0, true, 0, UInt8(0))
        for offset in 0..<bytes.count {
            let byte = bytes.byte(unchecked: offset)
            if byte == 0x0A {
                feeds += 1
                if before != 0x0D { isConverted = false }
            }
            if byte >= 0x80 { others += 1 }
            before = byte
        }
        // Realm files consist of whole words, and an unmodified file has line feeds after arbitrary bytes.
        let isWhole = (bytes.count - feeds) % 8 == 0 && bytes.count >= FileHeader.size + feeds
        if feeds > 0, isConverted, isWhole, feeds % 8 != 0 || feeds > 4 { return .lineEnds }
        guard others > 0, bytes.isValidUTF8 else { return nil }
        return isLatin(bytes) ? .utf8 : .replaced
    }

    /// Whether each line feed of a damaged file has a carriage return before it. Few do so in a file that never was text;
    /// only a comparison of what comes out shows whether to undo it.
    package static func mayHaveLineEnds(_ bytes: ByteView) -> Bool {
        guard hasMnemonicNearStart(bytes) else { return false }
        var (feeds, before) = (0, UInt8(0))
        for offset in 0..<bytes.count {
            let byte = bytes.byte(unchecked: offset)
            if byte == 0x0A {
                guard before == 0x0D else { return false }
                feeds += 1
            }
            before = byte
        }
        return feeds > 0
    }

    /// Whether T-DB is at a position that is possible when bytes before it became two or three.
    private static func hasMnemonicNearStart(_ bytes: ByteView) -> Bool {
        let word = Array("T-DB".utf8)
        return (16...64).contains { bytes.slice(at: $0, count: 4)?.bytes == word }
    }

    /// Whether all characters of UTF-8 text are below U+0100, encoded as C2 or C3 and another byte.
    private static func isLatin(_ bytes: ByteView) -> Bool {
        for offset in 0..<bytes.count where bytes.byte(unchecked: offset) > 0xC3 { return false }
        return true
    }
}
