internal import RealmCore

extension RepairLosses {
    /// Returns the tables that differ between two commits.
    static func tables(_ newest: RootCandidate, _ chosen: RootCandidate, in data: DatabaseImage) -> [Table] {
        var changes: [String: VerificationReport.TableChange]?
        if let format = newest.format, let chosenFormat = chosen.format, newest.isReadable {
            let list = Verification.changes(
                goingBackFrom: (newest.ref, format), to: (chosen.ref, chosenFormat), in: data)
            changes = list.map { Dictionary($0.map { ($0.name, $0) }) { first, _ in first } }
        }
        var names = newest.tables.map(\.name)
        let known = Set(names)
        names += chosen.tables.map(\.name).filter { !known.contains($0) }
        return names.compactMap { name in
            let before = newest.tables.first { $0.name == name }
            let after = chosen.tables.first { $0.name == name }
            let change = changes?[name]
            let isSame = before != nil && after != nil && before?.objects == after?.objects
            guard change != nil || !isSame else { return nil }
            return Table(
                name: name, newest: before.map(\.objects) ?? newest.countWithoutTable,
                chosen: after.map(\.objects) ?? chosen.countWithoutTable,
                lost: changes.map { _ in change?.added ?? 0 }, older: changes.map { _ in change?.changed ?? 0 },
                back: changes.map { _ in change?.deleted ?? 0 })
        }
    }
}

extension RootCandidate {
    /// Number of objects of a table that the commit lacks: zero, or nil if damage prevented reading the tables.
    fileprivate var countWithoutTable: Int? { tables.isEmpty && state != .complete ? nil : 0 }
}
