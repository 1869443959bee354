/// The fewest deletions and insertions that turn one list into another, by E. W. Myers' algorithm: for each number of
/// edits it computes the furthest place reachable on each diagonal.
struct ShortestEdits {
    /// Indexes of the old list.
    private(set) var deletions: [Int] = []
    /// Indexes of the new list.
    private(set) var insertions: [Int] = []

    /// - Parameter limit: maximum number of edits; returns nil if more are needed. Time is bounded by its square plus
    ///   the length of the lists, memory by four bytes times its square.
    init?(from old: [Int], to new: [Int], atMost limit: Int) {
        let most = min(limit, old.count + new.count)
        // Element `k + most` belongs to diagonal `k`, on which the old index exceeds the new index by `k`.
        var furthest = [Int32](repeating: 0, count: 2 * most + 2)
        // The state before each step, limited to the diagonals that the step examines.
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

    /// Returns the diagonal from which a step reaches `diagonal`.
    private static func previous(_ diagonal: Int, _ edits: Int, _ furthest: [Int32], at centre: Int) -> Int {
        if diagonal == -edits { return diagonal + 1 }
        if diagonal == edits { return diagonal - 1 }
        return furthest[diagonal - 1 + centre] < furthest[diagonal + 1 + centre] ? diagonal + 1 : diagonal - 1
    }

    /// Traces the edits back from the end of both lists.
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
