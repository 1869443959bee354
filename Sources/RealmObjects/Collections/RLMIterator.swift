/// Iterates over a collection as of the creation of the iterator. Later changes do not affect it.
///
/// ```swift
/// var dogs = realm.objects(Dog.self).makeIterator()
/// while let dog = dogs.next() { print(dog.name) }
/// ```
public struct RLMIterator<Element>: IteratorProtocol {
    /// Objects of a class of the program, which is `Element`.
    @usableFromInline let objects: ObjectIteration?
    private var elements: [Element]
    private var next_: (() -> Element?)?
    private var position = 0

    init(_ elements: [Element]) { (objects, self.elements) = (nil, elements) }

    /// - Parameter objects: objects of exactly the class `Element`.
    init(_ objects: ObjectIteration) { (self.objects, elements) = (objects, []) }

    /// Creates an iterator over the results of a function.
    init(_ next: @escaping () -> Element?) {
        (objects, elements) = (nil, [])
        next_ = next
    }

    /// The next element.
    @inlinable
    public mutating func next() -> Element? {
        guard let objects else { return nextOther() }
        // Avoids a cast, which would check the known type again.
        return objects.next().map { unsafe unsafeBitCast($0, to: Element.self) }
    }

    @usableFromInline
    mutating func nextOther() -> Element? {
        if let next_ { return next_() }
        guard position < elements.count else { return nil }
        position += 1
        return elements[position - 1]
    }
}
