extension Array {
    /// The element at `index`; nil when there is none.
    package subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension Array {
    /// Where the element of a name is: of those whose names are equal as text, the one with the same bytes, if there is one.
    package func firstIndex(named name: String, _ nameOf: (Element) -> String) -> Int? {
        firstIndex { nameOf($0).utf8.elementsEqual(name.utf8) } ?? firstIndex { nameOf($0) == name }
    }
}
