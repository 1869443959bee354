extension String {
    /// The width of the text in columns of a terminal.
    var displayWidth: Int {
        utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.displayWidth }
    }

    /// Returns the text, or its beginning with an ellipsis if it is wider.
    func cut(to width: Int) -> String {
        guard displayWidth > width else { return self }
        var (text, used) = ("", 0)
        for character in self {
            let next = character.displayWidth
            if used + next > width - 1 { break }
            text.append(character)
            used += next
        }
        return text + "…"
    }

    /// Returns the text padded with spaces to a number of columns.
    func filled(to width: Int, atStart: Bool) -> String {
        let missing = width - displayWidth
        guard missing > 0 else { return self }
        let spaces = String(repeating: " ", count: missing)
        return atStart ? spaces + self : self + spaces
    }
}

extension Character {
    /// 2 for East Asian wide characters and emoji (Unicode Standard Annex 11), 1 for other characters.
    fileprivate var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if unicodeScalars.contains(where: { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }) { return 2 }
        switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
