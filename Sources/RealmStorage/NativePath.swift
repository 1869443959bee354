internal import RealmSystem
internal import Synchronization

/// Paths as the system has them: bytes, which need not be UTF-8, as names that an archive from elsewhere was unpacked to.
///
/// A byte that is not UTF-8 is a character of its own in a `String`, of those that have no meaning in Unicode (U+10F780 and what follows). They
/// stand for bytes only from when such a path came in: a name that has the characters themselves is one like others before.
package enum NativePath {
    private static let first: UInt32 = 0x10_F700
    private static let isNeeded = Atomic<Bool>(false)

    /// A path as the system has it, with a zero at its end.
    @unsafe
    package static func text(cString: UnsafePointer<CChar>) -> String {
        unsafe text(UnsafeBufferPointer(start: cString, count: strlen(cString)).map { UInt8(bitPattern: $0) })
    }

    /// A path of bytes, without a zero at their end.
    package static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        isNeeded.store(true, ordering: .relaxed)
        var text = String.UnicodeScalarView()
        var rest = bytes[...]
        while let byte = rest.first {
            // The longest prefix that is one character.
            let length = (1...4).first { count in
                count <= rest.count && String(validating: rest.prefix(count), as: UTF8.self) != nil
            }
            if let length {
                text.append(contentsOf: String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars)
            } else if let scalar = Unicode.Scalar(first + UInt32(byte)) {
                text.append(scalar)
            }
            rest = rest.dropFirst(length ?? 1)
        }
        return String(text)
    }

    /// Whether a path has bytes that are not UTF-8.
    package static func hasOtherBytes(_ path: String) -> Bool {
        isNeeded.load(ordering: .relaxed) && path.unicodeScalars.contains { byte($0) != nil }
    }

    /// The path with `\xff` for such bytes, as shells write them in `$'…'`.
    package static func shown(_ path: String) -> String {
        guard hasOtherBytes(path) else { return path }
        return path.unicodeScalars.reduce(into: "") { text, scalar in
            if let byte = byte(scalar) {
                text += "\\x" + String(byte, radix: 16)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The byte that a character stands for.
    fileprivate static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.value >= first + 0x80, scalar.value <= first + 0xFF else { return nil }
        return UInt8(truncatingIfNeeded: scalar.value - first)
    }
}

extension String {
    /// The path as the system takes it, with a zero at its end.
    var native: [CChar] {
        guard NativePath.hasOtherBytes(self) else { return Array(utf8CString) }
        var bytes: [CChar] = []
        for scalar in unicodeScalars {
            if let byte = NativePath.byte(scalar) {
                bytes.append(CChar(bitPattern: byte))
            } else {
                bytes += String(scalar).utf8.map { CChar(bitPattern: $0) }
            }
        }
        return bytes + [0]
    }
}
