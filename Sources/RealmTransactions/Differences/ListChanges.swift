/// How the elements of a list became those of another.
///
/// ```swift
/// for object in try store.snapshot().changes(since: snapshot).table(named: "Person")?.modified ?? [] {
///     for property in object.properties { print(property.name, property.elements?.insertions ?? []) }
/// }
/// ```
///
/// Take the elements of `deletions` and the origins of `moves` from the old list, put those of `insertions` and the destinations of
/// `moves` into the new one, in ascending order, and give those of `modifications` their new values. All other elements are the same in the
/// same order.
public struct ListChanges: Equatable, Sendable {
    /// An element at its place in the old list and in the new one.
    public struct Places: Hashable, Sendable {
        /// The index in the old list.
        public let old: Int
        /// The index in the new list.
        public let new: Int

        /// Names two places.
        package init(old: Int, new: Int) {
            self.old = old
            self.new = new
        }
    }

    /// Indexes in the old list of elements that are gone.
    public private(set) var deletions: [Int] = []
    /// Indexes in the new list of elements that came.
    public private(set) var insertions: [Int] = []
    /// Elements that are the same, but come before or after others that they came after or before: as few as possible, by new index.
    public private(set) var moves: [Places] = []
    /// Places between the same neighbours with another value.
    public private(set) var modifications: [Places] = []

    /// Whether both lists are the same.
    public var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && moves.isEmpty && modifications.isEmpty
    }

    /// Compares two lists, in time proportional to n log n.
    ///
    /// - Parameter before: how many elements both lists have in front of these, all the same.
    package init<Element: Hashable>(from old: [Element], to new: [Element], after before: Int = 0) {
        let ends = CommonEnds(old, new, ==)
        let (start, oldEnd, newEnd) = (ends.count, ends.before.upperBound, ends.now.upperBound)
        let origins = Self.origins(of: new[start..<newEnd], in: old[start..<oldEnd])
        let staying = origins.longestAscent
        var isThere = [Bool](repeating: false, count: oldEnd - start)
        for origin in origins { if let origin { isThere[origin] = true } }
        var next = 0
        var stays = staying[...]
        // Between two elements that stay, those that are gone and those that came stand for each other one by one.
        func close(_ oldLimit: Int, _ came: inout [Int]) {
            var gone = (next..<oldLimit).filter { !isThere[$0] }[...]
            for new in came {
                if let old = gone.popFirst() {
                    modifications.append(Places(old: before + start + old, new: before + start + new))
                } else {
                    insertions.append(before + start + new)
                }
            }
            deletions += gone.map { before + start + $0 }
            came = []
        }
        var came: [Int] = []
        for (index, origin) in origins.enumerated() {
            guard let origin else {
                came.append(index)
                continue
            }
            if index == stays.first {
                stays = stays.dropFirst()
                close(origin, &came)
                next = origin + 1
            } else {
                moves.append(Places(old: before + start + origin, new: before + start + index))
            }
        }
        close(oldEnd - start, &came)
    }

    /// Where each new element was: the first of several that are the same was the first of them.
    private static func origins<Element: Hashable>(of new: ArraySlice<Element>, in old: ArraySlice<Element>) -> [Int?] {
        guard !old.isEmpty, !new.isEmpty else { return [Int?](repeating: nil, count: new.count) }
        // Of elements that are the same a chain, from the first to the last.
        var first: [Element: Int] = [:]
        var following = [Int](repeating: -1, count: old.count)
        for (index, element) in old.enumerated().reversed() {
            if let later = first.updateValue(index, forKey: element) { following[index] = later }
        }
        return new.map { element in
            guard let origin = first[element], origin >= 0 else { return nil }
            first[element] = following[origin]
            return origin
        }
    }
}
