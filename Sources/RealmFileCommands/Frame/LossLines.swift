/// Lines about losses of data, which a summary shows by kind where there are many.
enum LossLines {
    /// The number of losses of one kind that are listed one by one.
    private static let most = 3

    /// One line for each loss, or one for all losses of a kind; kinds in the order of their first losses.
    ///
    /// - Parameters:
    ///   - line: the line about one loss.
    ///   - summary: the line about all losses of a kind.
    static func grouped<Loss, Kind: Hashable>(
        _ losses: [Loss], by kind: (Loss) -> Kind, _ line: (Loss) -> String, _ summary: (Kind, [Loss]) -> String
    ) -> [String] {
        var kinds: [Kind] = []
        var groups: [Kind: [Loss]] = [:]
        for loss in losses {
            if groups[kind(loss)] == nil { kinds.append(kind(loss)) }
            groups[kind(loss), default: []].append(loss)
        }
        return kinds.flatMap { kind -> [String] in
            let losses = groups[kind] ?? []
            return (losses.count > most ? [summary(kind, losses)] : losses.map(line)).map { "  \($0)" }
        }
    }
}
