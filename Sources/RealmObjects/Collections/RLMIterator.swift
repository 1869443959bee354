/// Goes through a collection as it is when the iterator is made, whatever becomes of it.
public struct RLMIterator<Element>: IteratorProtocol {
    private var elements: [Element]
    private var next_: (() -> Element?)?
    private var position = 0

    init(_ elements: [Element]) { self.elements = elements }

    /// Goes through what a function gives.
    init(_ next: @escaping () -> Element?) {
        elements = []
        next_ = next
    }

    /// The next element.
    public mutating func next() -> Element? {
        if let next_ { return next_() }
        guard position < elements.count else { return nil }
        position += 1
        return elements[position - 1]
    }
}
