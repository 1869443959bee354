/// A number that says which one of some things is meant, and not to be taken for the number of anything else.
@usableFromInline
package protocol TypedIndex: Hashable, Strideable, Sendable, BitwiseCopyable, CustomStringConvertible
where Stride == Int {
    /// The number, 0 or more; -1 for `none`.
    var number: Int { get }

    /// Makes an index from its number.
    init(_ number: Int)
}

extension TypedIndex {
    /// Stands for none of the things, where loops keep indexes in little room.
    @inlinable package static var none: Self { Self(-1) }

    /// How many places another one is behind this one.
    @inlinable
    package func distance(to other: Self) -> Int { other.number - number }

    /// The index that is so many places behind this one.
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

/// One element for each table, in their order.
package typealias ByTable<Element> = TypedArray<TablePosition, Element>
/// One element for each property of a class, in their order.
package typealias ByProperty<Element> = TypedArray<PropertyIndex, Element>

/// An array whose elements are found by an index of one kind, and by no other number.
@usableFromInline
package struct TypedArray<Index: TypedIndex, Element>: RandomAccessCollection, MutableCollection,
    RangeReplaceableCollection
{
    @usableFromInline var elements: [Element]

    /// Makes an empty array.
    @inlinable
    package init() { elements = [] }

    /// Makes an array of elements in their order.
    @inlinable
    package init(_ elements: some Sequence<Element>) { self.elements = Array(elements) }

    /// Makes an array of the same element, so many times.
    @inlinable
    package init(repeating element: Element, count: Int) { elements = Array(repeating: element, count: count) }

    /// The index of the first element.
    @inlinable package var startIndex: Index { Index(0) }

    /// The index behind the last element.
    @inlinable package var endIndex: Index { Index(elements.count) }

    /// The element at an index.
    @inlinable
    package subscript(index: Index) -> Element {
        // Not a copy of all of a large element for what is read of it.
        _read { yield elements[index.number] }
        _modify { yield &elements[index.number] }
    }

    /// The elements, each with its index.
    @inlinable package var indexed: Zip2Sequence<Range<Index>, Self> { zip(indices, self) }

    /// Adds an element.
    @inlinable
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Replaces some elements, which moves those behind them.
    @inlinable
    package mutating func replaceSubrange(_ range: Range<Index>, with new: some Collection<Element>) {
        elements.replaceSubrange(range.lowerBound.number..<range.upperBound.number, with: new)
    }

    /// What is made of each element, at the same index.
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
    /// Makes an array of elements in their order.
    @inlinable
    package init(arrayLiteral elements: Element...) { self.elements = elements }
}
