/// An observer's view of a collection: the notified changes, applied to the previous content.
final class Replay {
    private(set) var known: [Plain]?
    /// The errors found.
    private(set) var wrong: [String] = []
    /// The number of unnecessary moves, deletions and insertions; not counted where the number of edits exceeds the
    /// limit for a minimal sequence.
    private(set) var excess = 0
    private(set) var count = 0
    /// The part of an element that stays the same when its content changes.
    private let identity: (Plain) -> Plain

    init(identity: @escaping (Plain) -> Plain = { $0 }) { self.identity = identity }

    func begin(_ now: [Plain]) { known = now }

    /// - Parameters:
    ///   - total: the number of elements.
    ///   - element: reads one element; called only for those in the notification, as the remaining ones must be
    ///     unchanged.
    func take(
        _ total: Int, _ element: (Int) -> Plain, _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]
    ) {
        guard let before = known else { return wrong.append("told before the beginning") }
        count += 1
        let deleted = Set(deletions)
        var copy = before.indices.filter { !deleted.contains($0) }.map { (old: Int?.some($0), value: before[$0]) }
        for index in insertions {
            guard index <= copy.count, index < total else { return wrong.append("insertion at \(index)") }
            copy.insert((nil, element(index)), at: index)
        }
        guard copy.count == total else { return wrong.append("\(copy.count) elements instead of \(total)") }
        let modified = Set(modifications)
        for (index, known) in copy.enumerated() where known.old.map({ modified.contains($0) }) ?? false {
            copy[index].value = element(index)
        }
        let now = copy.map(\.value)
        known = now
        if !deleted.isDisjoint(with: modified) { wrong.append("deleted and modified") }
        // Replacing a value in place is as good as a deletion and an insertion.
        let replaced = copy.enumerated().count { index, element in
            element.old.map { modified.contains($0) && identity(before[$0]) != identity(now[index]) } ?? false
        }
        let fewest = Self.steps(before.map(identity), now.map(identity))
        if fewest <= Self.mostEdits { excess += deletions.count + insertions.count + 2 * replaced - fewest }
    }

    /// The number of edits of a list with equal values beyond which the notification need not be minimal.
    private static let mostEdits = 1024

    /// Returns the minimum number of deletions and insertions that turn one into the other.
    private static func steps(_ old: [Plain], _ new: [Plain]) -> Int {
        if old == new { return 0 }
        var row = [Int](repeating: 0, count: new.count + 1)
        for element in old {
            var diagonal = 0
            for (index, other) in new.enumerated() {
                let above = row[index + 1]
                row[index + 1] = element == other ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return old.count + new.count - 2 * (row.last ?? 0)
    }
}

/// An observer's view of sections, from its notifications.
final class SectionReplay {
    struct Section: Equatable {
        var key: Plain
        var elements: [Plain]
    }

    private(set) var known: [Section]?
    private(set) var wrong: [String] = []
    private(set) var count = 0

    func begin(_ now: [Section]) { known = now }

    /// - Parameter places: deletions and insertions, each a section and an index in it.
    func take(
        _ now: [Section], deletions: [(Int, Int)], insertions: [(Int, Int)], sectionsToInsert: [Int],
        sectionsToDelete: [Int]
    ) {
        guard var copy = known else { return wrong.append("sections were told before the beginning") }
        count += 1
        known = now
        for (section, place) in deletions.sorted(by: <).reversed() {
            guard copy.indices.contains(section), copy[section].elements.indices.contains(place) else {
                return wrong.append("deletion at \(section) \(place)")
            }
            copy[section].elements.remove(at: place)
        }
        for section in sectionsToDelete.sorted().reversed() { copy.remove(at: section) }
        for section in sectionsToInsert.sorted() {
            guard section <= copy.count, section < now.count else { return wrong.append("section at \(section)") }
            copy.insert(Section(key: now[section].key, elements: []), at: section)
        }
        for (section, place) in insertions.sorted(by: <) {
            guard copy.indices.contains(section), place <= copy[section].elements.count,
                section < now.count, place < now[section].elements.count
            else { return wrong.append("insertion at \(section) \(place)") }
            copy[section].elements.insert(now[section].elements[place], at: place)
        }
        if copy != now {
            wrong.append(
                "sections are \(now), told was \(copy): \(deletions) \(insertions) \(sectionsToInsert) \(sectionsToDelete)"
            )
        }
    }
}
