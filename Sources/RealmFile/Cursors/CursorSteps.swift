/// The result of `Cursor.map`.
///
/// ```swift
/// print(try people.objects.map { try $0.get("name", as: String.self) }.collect())
/// ```
public struct MappedCursor<Base: Cursor, Element>: Cursor {
    var base: Base
    let transform: (Base.Element) throws -> Element

    /// The next element; nil after the last.
    public mutating func next() throws -> Element? { try base.next().map(transform) }
}

/// The result of `Cursor.filter`.
///
/// ```swift
/// print(try people.objects.filter { try $0.get("age", as: Int.self) > 30 }.count())
/// ```
public struct FilteredCursor<Base: Cursor>: Cursor {
    var base: Base
    let isIncluded: (Base.Element) throws -> Bool

    /// The next accepted element; nil after the last.
    public mutating func next() throws -> Base.Element? {
        while let element = try base.next() {
            if try isIncluded(element) { return element }
        }
        return nil
    }
}

/// The result of `Cursor.compactMap`.
///
/// ```swift
/// print(try people.objects.compactMap { try $0.get("best", as: StoredObject?.self) }.collect())
/// ```
public struct CompactMappedCursor<Base: Cursor, Element>: Cursor {
    var base: Base
    let transform: (Base.Element) throws -> Element?

    /// The next result that is not nil; nil after the last.
    public mutating func next() throws -> Element? {
        while let element = try base.next() {
            if let made = try transform(element) { return made }
        }
        return nil
    }
}

/// The result of `Cursor.prefix`.
///
/// ```swift
/// print(try people.objects.prefix(3).collect())
/// ```
public struct PrefixCursor<Base: Cursor>: Cursor {
    var base: Base
    var rest: Int

    /// The next element; nil at the end, or after the requested number of elements.
    public mutating func next() throws -> Base.Element? {
        guard rest > 0 else { return nil }
        rest -= 1
        return try base.next()
    }
}
