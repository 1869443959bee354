/// The fewest deletions and insertions that make one list of another, as E. W. Myers finds them: step by step the places that can be reached
/// with so many edits, of which each diagonal has the furthest.
struct ShortestEdits {
    /// Indexes of the old list.
    private(set) var deletions: [Int] = []
    /// Indexes of the new one.
    private(set) var insertions: [Int] = []

    /// - Parameter limit: how many edits there may be: the time is its square at most, and the lists' length, the memory four bytes each of
    ///   that square. Nil where there are more.
    init?(from old: [Int], to new: [Int], atMost limit: Int) {
        let most = min(limit, old.count + new.count)
        // Of diagonal `k`, where the index in the old list is `k` more than that in the new one, at `k + most`.
        var furthest = [Int32](repeating: 0, count: 2 * most + 2)
        // What was there before each step, of the diagonals that it looks at.
        var steps: [[Int32]] = []
        for edits in 0...most {
            steps.append(Array(furthest[(most - edits)...(most + edits)]))
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                let previous = Self.previous(diagonal, edits, furthest, at: most)
                var before = Int(furthest[previous + most]) + (previous < diagonal ? 1 : 0)
                var now = before - diagonal
                while before < old.count, now < new.count, old[before] == new[now] {
                    (before, now) = (before + 1, now + 1)
                }
                furthest[diagonal + most] = Int32(truncatingIfNeeded: before)
                if before >= old.count, now >= new.count {
                    trace(steps, old.count, new.count)
                    return
                }
            }
        }
        return nil
    }

    /// The diagonal that a step to another one comes from.
    private static func previous(_ diagonal: Int, _ edits: Int, _ furthest: [Int32], at centre: Int) -> Int {
        if diagonal == -edits { return diagonal + 1 }
        if diagonal == edits { return diagonal - 1 }
        return furthest[diagonal - 1 + centre] < furthest[diagonal + 1 + centre] ? diagonal + 1 : diagonal - 1
    }

    /// Goes back from the end of both lists.
    private mutating func trace(_ steps: [[Int32]], _ oldCount: Int, _ newCount: Int) {
        var (before, now) = (oldCount, newCount)
        for edits in stride(from: steps.count - 1, to: 0, by: -1) {
            let diagonal = before - now
            let previous = Self.previous(diagonal, edits, steps[edits], at: edits)
            before = Int(steps[edits][previous + edits])
            now = before - previous
            if previous < diagonal { deletions.append(before) } else { insertions.append(now) }
        }
        deletions.reverse()
        insertions.reverse()
    }
}
