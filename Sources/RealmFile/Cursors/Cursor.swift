/// A sequence of elements whose iteration may throw, which `Sequence` does not allow.
///
/// ```swift
/// let people = try snapshot.table(named: "Person")
/// let names = try people.objects.map { try $0.get("name", as: String.self) }.collect()
/// let oldest = try people.objects.filter { try $0.get("age", as: Int.self) > 90 }.first()
/// print(names, oldest?.description ?? "nobody")
/// ```
///
/// A cursor is a value: a copy continues independently from the position of the original. Steps such as `map` are lazy.
public protocol Cursor<Element> {
    /// The type of the elements.
    associatedtype Element

    /// The next element; nil after the last, and after an error.
    mutating func next() throws -> Element?
}

extension ObjectCursor: Cursor {}

extension Cursor {
    /// Returns a cursor over the results of `transform`.
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> MappedCursor<Self, Result> {
        MappedCursor(base: self, transform: transform)
    }

    /// Returns a cursor over the results of `transform` that are not nil.
    public func compactMap<Result>(
        _ transform: @escaping (Element) throws -> Result?
    ) -> CompactMappedCursor<Self, Result> {
        CompactMappedCursor(base: self, transform: transform)
    }

    /// Returns a cursor over the elements that `isIncluded` accepts.
    public func filter(_ isIncluded: @escaping (Element) throws -> Bool) -> FilteredCursor<Self> {
        FilteredCursor(base: self, isIncluded: isIncluded)
    }

    /// Returns a cursor over the first `count` elements, or fewer if there are not that many.
    public func prefix(_ count: Int) -> PrefixCursor<Self> { PrefixCursor(base: self, rest: count) }

    /// Calls `body` with each element.
    public func forEach(_ body: (Element) throws -> Void) throws {
        var cursor = self
        while let element = try cursor.next() { try body(element) }
    }

    /// Returns the first element, or nil if there is none.
    public func first() throws -> Element? {
        var cursor = self
        return try cursor.next()
    }

    /// Returns the first element that `isSought` accepts, or nil if there is none.
    public func first(where isSought: (Element) throws -> Bool) throws -> Element? {
        var cursor = self
        while let element = try cursor.next() {
            if try isSought(element) { return element }
        }
        return nil
    }

    /// Whether `isSought` accepts an element.
    public func contains(where isSought: (Element) throws -> Bool) throws -> Bool { try first(where: isSought) != nil }

    /// Combines all elements, in order, into `initial`.
    public func reduce<Result>(into initial: Result, _ update: (inout Result, Element) throws -> Void) throws -> Result
    {
        var result = initial
        try forEach { try update(&result, $0) }
        return result
    }

    /// Returns all elements in an array.
    ///
    /// This is not an initialiser `Array(cursor)` because the compiler would have to consider it at every `Array(…)`.
    public func collect() throws -> [Element] {
        var elements: [Element] = []
        try forEach { elements.append($0) }
        return elements
    }

    /// Counts the elements by visiting each of them. `Table.count` reads the stored number instead.
    public func count() throws -> Int { try reduce(into: 0) { count, _ in count += 1 } }
}
