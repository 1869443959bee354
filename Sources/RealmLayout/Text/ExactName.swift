/// A name as files compare names: by its bytes. Two `String`s are equal as well when they spell the same characters in other ways.
package struct ExactName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactName, right: ExactName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension String {
    /// As much of the beginning as has so many bytes in UTF-8, in whole scalars.
    package func shortened(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var scalars = unicodeScalars
        var count = utf8.count
        while count > bytes, let last = scalars.popLast() { count -= UTF8.width(last) }
        return String(scalars)
    }
}
