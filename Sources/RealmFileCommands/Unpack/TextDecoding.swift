internal import RealmCore
internal import RealmLayout
internal import RealmStorage

// Undoing what text processing did to a file (Spec 160).
extension TextForm {
    /// Whether the file can be made again.
    var isReversible: Bool {
        switch self {
        case .base64, .hexadecimal, .lineEnds, .utf8: true
        case .replaced, .lfsPointer, .text: false
        }
    }

    /// The file as it was before.
    ///
    /// - Throws: `StorageError` when there is no room.
    func undone(_ text: ByteView) throws(StorageError) -> ByteSource {
        switch self {
        case .base64: try Self.decoded(text, bits: 6) { KeyText.base64Digit($0) }
        case .hexadecimal: try Self.decoded(text, bits: 4) { Hexadecimal.digit($0) }
        case .lineEnds: try Self.withoutReturns(text)
        case .utf8: try Self.latin(text)
        case .replaced, .lfsPointer, .text: try ByteSource(text, paddedTo: text.count)
        }
    }

    /// The bytes of digits; everything else, such as white space, is skipped.
    private static func decoded(
        _ text: ByteView, bits: UInt32, _ digit: (UInt8) -> UInt8?
    ) throws(StorageError) -> ByteSource {
        let result = try TemporaryBytes()
        var (pending, count): (UInt32, UInt32) = (0, 0)
        for offset in 0..<text.count {
            guard let value = digit(text.byte(unchecked: offset)) else { continue }
            pending = pending << bits | UInt32(value)
            count += bits
            guard count >= 8 else { continue }
            count -= 8
            try result.append(UInt8(truncatingIfNeeded: pending >> count))
        }
        return try result.source()
    }

    /// The bytes without the carriage return before each line feed.
    private static func withoutReturns(_ text: ByteView) throws(StorageError) -> ByteSource {
        let result = try TemporaryBytes()
        for offset in 0..<text.count {
            let byte = text.byte(unchecked: offset)
            let isInserted =
                byte == 0x0D && offset + 1 < text.count && text.byte(unchecked: offset + 1) == 0x0A
            if !isInserted { try result.append(byte) }
        }
        return try result.source()
    }

    /// The bytes whose values the characters below U+0100 are; a broken character at the end is left out.
    private static func latin(_ text: ByteView) throws(StorageError) -> ByteSource {
        let result = try TemporaryBytes()
        var offset = 0
        while offset < text.count {
            let byte = text.byte(unchecked: offset)
            offset += 1
            guard byte >= 0x80 else {
                try result.append(byte)
                continue
            }
            guard offset < text.count else { break }
            try result.append(byte << 6 | text.byte(unchecked: offset) & 0x3F)
            offset += 1
        }
        return try result.source()
    }
}
