internal import RealmSystem
internal import Synchronization

/// Paths as the system has them: bytes that need not be UTF-8, such as names from an archive of another system.
///
/// In a `String`, each byte that is not UTF-8 is a character without a meaning in Unicode (U+10F780 and following).
/// These characters stand for bytes only after such a path has occurred; before, a name that contains them is an
/// ordinary name.
package enum NativePath {
    private static let first: UInt32 = 0x10_F700
    private static let isNeeded = Atomic<Bool>(false)

    /// Converts a zero-terminated path of the system.
    @unsafe
    package static func text(cString: UnsafePointer<CChar>) -> String {
        unsafe text(UnsafeBufferPointer(start: cString, count: strlen(cString)).map { UInt8(bitPattern: $0) })
    }

    /// Converts the bytes of a path, without a terminating zero.
    package static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        isNeeded.store(true, ordering: .relaxed)
        var text = String.UnicodeScalarView()
        var rest = bytes[...]
        while let byte = rest.first {
            // The length of the first character.
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
    /// The path as the system expects it, zero-terminated.
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
