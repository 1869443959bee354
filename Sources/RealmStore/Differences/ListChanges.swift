/// The difference between two lists.
///
/// ```swift
/// for object in try store.snapshot().changes(since: snapshot).table(named: "Person")?.modified ?? [] {
///     for property in object.properties { print(property.name, property.elements?.insertions ?? []) }
/// }
/// ```
///
/// To obtain the new list, remove the elements of `deletions` and the origins of `moves` from the old one, insert the
/// elements of `insertions` and the destinations of `moves` in ascending order, and give the elements of
/// `modifications` their new values. All other elements stay the same, in the same order.
public struct ListChanges: Equatable, Sendable {
    /// The positions of an element in the old list and in the new one.
    public struct Places: Hashable, Sendable {
        /// The index in the old list.
        public let old: Int
        /// The index in the new list.
        public let new: Int

        /// Creates a pair of indexes.
        package init(old: Int, new: Int) {
            self.old = old
            self.new = new
        }
    }

    /// The indexes of removed elements in the old list.
    public private(set) var deletions: [Int] = []
    /// The indexes of inserted elements in the new list.
    public private(set) var insertions: [Int] = []
    /// Elements that are unchanged, but have another order relative to the rest: as few as possible, by new index.
    public private(set) var moves: [Places] = []
    /// Positions between the same neighbours whose value has changed.
    public private(set) var modifications: [Places] = []

    /// Whether both lists are the same.
    public var isEmpty: Bool {
        deletions.isEmpty && insertions.isEmpty && moves.isEmpty && modifications.isEmpty
    }

    /// Compares two lists in O(n log n).
    ///
    /// - Parameter before: the number of equal elements that precede these in both lists.
    package init<Element: Hashable>(from old: [Element], to new: [Element], after before: Int = 0) {
        let ends = CommonEnds(old, new, ==)
        let (start, oldEnd, newEnd) = (ends.count, ends.before.upperBound, ends.now.upperBound)
        let origins = Self.origins(of: new[start..<newEnd], in: old[start..<oldEnd])
        let staying = origins.longestAscent
        var isThere = [Bool](repeating: false, count: oldEnd - start)
        for origin in origins { if let origin { isThere[origin] = true } }
        var next = 0
        var stays = staying[...]
        // Between two elements that stay, removed and inserted ones are paired in order.
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

    /// The former index of each new element; equal elements are paired in order.
    private static func origins<Element: Hashable>(of new: ArraySlice<Element>, in old: ArraySlice<Element>) -> [Int?] {
        guard !old.isEmpty, !new.isEmpty else { return [Int?](repeating: nil, count: new.count) }
        // A chain for each group of equal elements, from the first to the last.
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
