/// Something that gives one element after the other and may fail on the way, as a `Sequence` may not.
///
/// ```swift
/// let people = try snapshot.table(named: "Person")
/// let names = try people.objects.map { try $0.get("name", as: String.self) }.collect()
/// let oldest = try people.objects.filter { try $0.get("age", as: Int.self) > 90 }.first()
/// print(names, oldest?.description ?? "nobody")
/// ```
///
/// A cursor is a value: a copy goes on from where the original was, by itself. Steps such as `map` look at elements when they are asked for.
public protocol Cursor<Element> {
    /// What it gives.
    associatedtype Element

    /// The next element; nil after the last, and after an error.
    mutating func next() throws -> Element?
}

extension ObjectCursor: Cursor {}

extension Cursor {
    /// A cursor of what `transform` makes of the elements.
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> MappedCursor<Self, Result> {
        MappedCursor(base: self, transform: transform)
    }

    /// A cursor of what `transform` makes of the elements, without nil.
    public func compactMap<Result>(
        _ transform: @escaping (Element) throws -> Result?
    ) -> CompactMappedCursor<Self, Result> {
        CompactMappedCursor(base: self, transform: transform)
    }

    /// A cursor of the elements that `isIncluded` accepts.
    public func filter(_ isIncluded: @escaping (Element) throws -> Bool) -> FilteredCursor<Self> {
        FilteredCursor(base: self, isIncluded: isIncluded)
    }

    /// A cursor of the first `count` elements, or fewer where there are no more.
    public func prefix(_ count: Int) -> PrefixCursor<Self> { PrefixCursor(base: self, rest: count) }

    /// Calls `body` with each element.
    public func forEach(_ body: (Element) throws -> Void) throws {
        var cursor = self
        while let element = try cursor.next() { try body(element) }
    }

    /// The first element; nil when there is none.
    public func first() throws -> Element? {
        var cursor = self
        return try cursor.next()
    }

    /// The first element that `isSought` accepts; nil when there is none.
    public func first(where isSought: (Element) throws -> Bool) throws -> Element? {
        var cursor = self
        while let element = try cursor.next() {
            if try isSought(element) { return element }
        }
        return nil
    }

    /// Whether `isSought` accepts an element.
    public func contains(where isSought: (Element) throws -> Bool) throws -> Bool { try first(where: isSought) != nil }

    /// What comes of combining all elements, one after the other, with what was there before.
    public func reduce<Result>(into initial: Result, _ update: (inout Result, Element) throws -> Void) throws -> Result
    {
        var result = initial
        try forEach { try update(&result, $0) }
        return result
    }

    /// All elements in an array.
    ///
    /// An initialiser `Array(cursor)` would make the compiler weigh it wherever somebody writes `Array(…)`.
    public func collect() throws -> [Element] {
        var elements: [Element] = []
        try forEach { elements.append($0) }
        return elements
    }

    /// The number of elements, each of which is looked at; `Table.count` reads what the file says.
    public func count() throws -> Int { try reduce(into: 0) { count, _ in count += 1 } }
}
