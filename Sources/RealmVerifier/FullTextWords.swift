package import RealmLayout

/// The words of a text as a full-text index has them (Spec 80).
package enum FullTextWords {
    /// Realm Core cuts words after so many bytes.
    private static let longest = 64
    /// The letters from U+00C0 on without accents, in lower case; 0 for signs that are left out.
    private static let letters: [UInt32] = [
        0x61, 0x61, 0x61, 0x61, 0x61, 0xE5, 0xE6, 0x63, 0x65, 0x65, 0x65, 0x65, 0x69, 0x69, 0x69, 0x69,
        0xF0, 0x6E, 0x6F, 0x6F, 0x6F, 0x6F, 0x6F, 0x00, 0xF8, 0x75, 0x75, 0x75, 0x75, 0x79, 0xFE, 0xDF,
    ]

    /// The distinct words, as UTF-8; nil for text that is not.
    package static func words(in bytes: ByteView) -> Set<[UInt8]>? {
        guard let text = bytes.string else { return nil }
        var words: Set<[UInt8]> = []
        var word: [UInt8] = []
        var isInWord = false
        for scalar in text.unicodeScalars {
            guard let letter = letter(scalar.value) else {
                if isInWord { words.insert(Array(word.prefix(longest))) }
                word = []
                isInWord = false
                continue
            }
            isInWord = true
            if letter >= 0x80 {
                word += [UInt8(0xC0 | letter >> 6), UInt8(0x80 | letter & 0x3F)]
            } else if letter > 0 {
                word.append(UInt8(letter))
            }
        }
        if isInWord { words.insert(Array(word.prefix(longest))) }
        return words
    }

    /// What stands for a character in a word; 0 for nothing, nil for one that ends a word.
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
