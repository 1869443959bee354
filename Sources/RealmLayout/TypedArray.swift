/// An index into one kind of list, not interchangeable with other numbers.
@usableFromInline
package protocol TypedIndex: Hashable, Strideable, Sendable, BitwiseCopyable, CustomStringConvertible
where Stride == Int {
    /// The number, 0 or more; -1 for `none`.
    var number: Int { get }

    /// Makes an index from its number.
    init(_ number: Int)
}

extension TypedIndex {
    /// Stands for "no index" where loops store indexes compactly.
    @inlinable package static var none: Self { Self(-1) }

    /// The distance from this index to another.
    @inlinable
    package func distance(to other: Self) -> Int { other.number - number }

    /// The index `distance` places further on.
    @inlinable
    package func advanced(by distance: Int) -> Self { Self(number + distance) }

    /// Smaller numbers come first.
    @inlinable
    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    /// Whether both have the same number.
    @inlinable
    package static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    /// The index of the next one.
    @inlinable package var next: Self { Self(number + 1) }

    /// The number in decimal.
    @inlinable package var description: String { String(number) }
}

/// One element per table, in table order.
package typealias ByTable<Element> = TypedArray<TablePosition, Element>
/// One element per property of a class, in property order.
package typealias ByProperty<Element> = TypedArray<PropertyIndex, Element>

/// An array that can only be subscripted with one kind of index.
@usableFromInline
package struct TypedArray<Index: TypedIndex, Element>: RandomAccessCollection, MutableCollection,
    RangeReplaceableCollection
{
    @usableFromInline var elements: [Element]

    /// Makes an empty array.
    @inlinable
    package init() { elements = [] }

    /// Makes an array of elements in the given order.
    @inlinable
    package init(_ elements: some Sequence<Element>) { self.elements = Array(elements) }

    /// Makes an array that repeats an element `count` times.
    @inlinable
    package init(repeating element: Element, count: Int) { elements = Array(repeating: element, count: count) }

    /// The index of the first element.
    @inlinable package var startIndex: Index { Index(0) }

    /// The index after the last element.
    @inlinable package var endIndex: Index { Index(elements.count) }

    /// The element at an index.
    @inlinable
    package subscript(index: Index) -> Element {
        // Yields the element, which avoids a copy of a large one to read part of it.
        _read { yield elements[index.number] }
        _modify { yield &elements[index.number] }
    }

    /// The elements, each with its index.
    @inlinable package var indexed: Zip2Sequence<Range<Index>, Self> { zip(indices, self) }

    /// Adds an element.
    @inlinable
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Replaces elements and moves those after them.
    @inlinable
    package mutating func replaceSubrange(_ range: Range<Index>, with new: some Collection<Element>) {
        elements.replaceSubrange(range.lowerBound.number..<range.upperBound.number, with: new)
    }

    /// Transforms each element; the result has the same indexes.
    @inlinable
    package func mapped<Other, Failure>(
        _ other: (Element) throws(Failure) -> Other
    ) throws(Failure) -> TypedArray<Index, Other> {
        TypedArray<Index, Other>(try elements.map(other))
    }
}

extension TypedArray: Sendable where Element: Sendable {}
extension TypedArray: Equatable where Element: Equatable {}
extension TypedArray: ExpressibleByArrayLiteral {
    /// Makes an array of elements in the given order.
    @inlinable
    package init(arrayLiteral elements: Element...) { self.elements = elements }
}
