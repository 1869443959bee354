/// Goes through a collection as it is when the iterator is made, whatever becomes of it.
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

    /// - Parameter objects: of the class `Element` itself.
    init(_ objects: ObjectIteration) { (self.objects, elements) = (objects, []) }

    /// Goes through what a function gives.
    init(_ next: @escaping () -> Element?) {
        (objects, elements) = (nil, [])
        next_ = next
    }

    /// The next element.
    @inlinable
    public mutating func next() -> Element? {
        guard let objects else { return nextOther() }
        // Not a cast, which would look for what is known.
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
