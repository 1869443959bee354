/// What `Cursor.map` gives.
public struct MappedCursor<Base: Cursor, Element>: Cursor {
    var base: Base
    let transform: (Base.Element) throws -> Element

    /// The next element; nil after the last.
    public mutating func next() throws -> Element? { try base.next().map(transform) }
}

/// What `Cursor.filter` gives.
public struct FilteredCursor<Base: Cursor>: Cursor {
    var base: Base
    let isIncluded: (Base.Element) throws -> Bool

    /// The next element that is accepted; nil after the last.
    public mutating func next() throws -> Base.Element? {
        while let element = try base.next() {
            if try isIncluded(element) { return element }
        }
        return nil
    }
}

/// What `Cursor.compactMap` gives.
public struct CompactMappedCursor<Base: Cursor, Element>: Cursor {
    var base: Base
    let transform: (Base.Element) throws -> Element?

    /// The next element that is made; nil after the last.
    public mutating func next() throws -> Element? {
        while let element = try base.next() {
            if let made = try transform(element) { return made }
        }
        return nil
    }
}

/// What `Cursor.prefix` gives.
public struct PrefixCursor<Base: Cursor>: Cursor {
    var base: Base
    var rest: Int

    /// The next element; nil after the last that is wanted.
    public mutating func next() throws -> Base.Element? {
        guard rest > 0 else { return nil }
        rest -= 1
        return try base.next()
    }
}
