/// One element for each table, in their order: found by the position of a table, and by no other number.
@usableFromInline
package struct ByTable<Element>: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    @usableFromInline var elements: [Element]

    /// Makes a collection for no table.
    @inlinable
    package init() { elements = [] }

    /// The elements of the tables, in the order of these.
    @inlinable
    package init(_ elements: some Sequence<Element>) { self.elements = Array(elements) }

    /// The same element for each of so many tables.
    @inlinable
    package init(repeating element: Element, count: Int) { elements = Array(repeating: element, count: count) }

    /// The position of the first table.
    @inlinable package var startIndex: TablePosition { TablePosition(0) }

    /// The position behind the last table.
    @inlinable package var endIndex: TablePosition { TablePosition(elements.count) }

    /// The element of the table at that position.
    @inlinable
    package subscript(position: TablePosition) -> Element {
        get { elements[position.number] }
        _modify { yield &elements[position.number] }
    }

    /// Adds the element of the next table.
    @inlinable
    package mutating func append(_ element: Element) { elements.append(element) }

    /// Replaces the elements of some tables, which moves those behind them.
    @inlinable
    package mutating func replaceSubrange(_ range: Range<TablePosition>, with new: some Collection<Element>) {
        elements.replaceSubrange(range.lowerBound.number..<range.upperBound.number, with: new)
    }

    /// What is made of each element, for the same tables.
    @inlinable
    package func mapped<Other, Failure>(_ other: (Element) throws(Failure) -> Other) throws(Failure) -> ByTable<Other> {
        ByTable<Other>(try elements.map(other))
    }
}

extension ByTable: Sendable where Element: Sendable {}
extension ByTable: Equatable where Element: Equatable {}
extension ByTable: ExpressibleByArrayLiteral {
    /// The elements of the tables, in the order of these.
    @inlinable
    package init(arrayLiteral elements: Element...) { self.elements = elements }
}
