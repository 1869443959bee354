/// The words of a text, as a full-text index stores them (Spec 80).
package enum FullTextWords {
    /// The length in bytes at which Realm Core truncates words.
    private static let longest = 64
    /// The letters from U+00C0 on in lower case without accents; 0 for characters that are omitted.
    private static let letters: [UInt32] = [
        0x61, 0x61, 0x61, 0x61, 0x61, 0xE5, 0xE6, 0x63, 0x65, 0x65, 0x65, 0x65, 0x69, 0x69, 0x69, 0x69,
        0xF0, 0x6E, 0x6F, 0x6F, 0x6F, 0x6F, 0x6F, 0x00, 0xF8, 0x75, 0x75, 0x75, 0x75, 0x79, 0xFE, 0xDF,
    ]

    /// The distinct words, as UTF-8. In invalid UTF-8 these are the words that Realm Core finds: it looks at lead bytes
    /// only.
    package static func words(in bytes: ByteView) -> Set<[UInt8]> {
        var words: Set<[UInt8]> = []
        var word: [UInt8] = []
        var isInWord = false
        var offset = 0
        while offset < bytes.count {
            let first = UInt32(bytes.byte(unchecked: offset))
            // The zero that follows a string replaces a missing second byte.
            let second = offset + 1 < bytes.count ? UInt32(bytes.byte(unchecked: offset + 1)) : 0
            offset += length(first)
            let scalar = first < 0x80 ? first : length(first) == 2 ? max(0x80, (first & 0x1F) << 6 | second & 0x3F) : 0
            guard let letter = letter(scalar) else {
                if isInWord { words.insert(word) }
                word = []
                isInWord = false
                continue
            }
            isInWord = true
            if letter >= 0x80, word.count < longest - 1 {
                word += [UInt8(0xC0 | letter >> 6), UInt8(0x80 | letter & 0x3F)]
            } else if letter > 0, letter < 0x80, word.count < longest {
                word.append(UInt8(letter))
            }
        }
        if isInWord { words.insert(word) }
        return words
    }

    /// The byte length of a character, from its first byte.
    private static func length(_ first: UInt32) -> Int {
        switch first {
        case 0xC0...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF7: 4
        default: 1
        }
    }

    /// The character that represents this one in a word; 0 when it is omitted, nil when it ends the word.
    private static func letter(_ scalar: UInt32) -> UInt32? {
        switch scalar {
        case 0x30...0x39, 0x61...0x7A: scalar
        case 0x41...0x5A: scalar + 0x20
        case 0xC0...0xDF: letters[Int(scalar - 0xC0)]
        case 0xE0...0xFE: letters[Int(scalar - 0xE0)]
        default: nil
        }
    }
}
