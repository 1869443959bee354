/// A name that is compared by its bytes, as in files. Two `String`s are also equal when they are canonically
/// equivalent.
package struct ExactName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactName, right: ExactName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension String {
    /// Returns the longest prefix of whole scalars that has at most `bytes` bytes in UTF-8.
    package func shortened(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var scalars = unicodeScalars
        var count = utf8.count
        while count > bytes, let last = scalars.popLast() { count -= UTF8.width(last) }
        return String(scalars)
    }
}
