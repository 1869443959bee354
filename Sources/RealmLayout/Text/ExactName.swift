/// A name that is compared by its bytes, as in files. Two `String`s are also equal when they are canonically
/// equivalent.
package struct ExactName: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactName, right: ExactName) -> Bool { left.text.hasBytes(of: right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    }
}

extension Collection {
    /// The index of the element with a name: prefers the one with identical bytes, then any that is equal as text.
    package func firstIndex(named name: String, _ nameOf: (Element) -> String) -> Index? {
        firstIndex { nameOf($0).hasBytes(of: name) } ?? firstIndex { nameOf($0) == name }
    }
}

extension String {
    /// Whether both have the same bytes, which equal strings need not have.
    package func hasBytes(of other: String) -> Bool {
        // Unequal strings have different bytes, and comparing strings is faster than comparing bytes one by one.
        guard self == other else { return false }
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { left in
            unsafe other.utf8.withContiguousStorageIfAvailable { right in unsafe left.elementsEqual(right) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
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
