import RealmCore
import RealmForensics
import RealmLayout

/// Counts the bytes of a file, reads statistics, history, places of values and free chunks. Returns for any bytes.
///
/// - Returns: the violations: parts that do not add up to the size of the file, and numbers that contradict each other.
func surveyEverything(_ bytes: [UInt8]) -> [String] {
    guard let database = try? RealmDatabase(bytes: bytes),
        let snapshot = try? database.snapshot(toleratingDamage: true)
    else { return [] }
    let others = [try? database.snapshot(.otherSlot, toleratingDamage: true)].compactMap(\.self)
    return violationsOfSurvey(SpaceSurvey(of: snapshot, others: others), bytes.count)
        + snapshot.tables.flatMap { violationsOfStatistics($0) } + violationsOfHistory(snapshot)
        + violationsOfInspection(snapshot)
}

private func violationsOfSurvey(_ survey: SpaceSurvey, _ size: Int) -> [String] {
    let parts = [
        survey.encryption, survey.header, survey.used, survey.free.bytes, survey.lost, survey.tail, survey.footer,
    ]
    let sum = parts.reduce(0, +) + survey.otherCommits.reduce(0) { $0 + $1.bytes }
    var violations = sum == size ? [] : ["the parts of \(size) bytes add up to \(sum)"]
    if survey.damage.first.isEmpty != (survey.damage.count == 0) { violations.append("damage is counted wrong") }
    return violations
}

private func violationsOfStatistics(_ table: Table) -> [String] {
    let statistics = TableStatistics(of: table)
    return statistics.properties.flatMap { property -> [String] in
        var violations: [String] = []
        if property.nulls > property.count { violations.append("more nulls than values") }
        if let distinct = property.distinct, distinct.isExact, distinct.number > property.count - property.nulls {
            violations.append("more distinct values than values")
        }
        if (property.minimum == nil) != (property.maximum == nil) { violations.append("only one extreme") }
        return violations
    }
}

private func violationsOfHistory(_ snapshot: Snapshot) -> [String] {
    var history = CommitHistory(snapshot)
    var entries = 0
    history.forEach { entry in entries += entry.changes == nil ? 0 : 1 }
    let isCounted = entries <= history.total || history.damageCount > 0
    return isCounted ? [] : ["\(entries) changesets in a history of \(history.total) entries"]
}

private func violationsOfInspection(_ snapshot: Snapshot) -> [String] {
    let inspector = NodeInspector(snapshot)
    var violations: [String] = []
    for table in snapshot.tables {
        var objects = table.objects
        guard let object = try? objects.next(), let places = try? ValuePlaces(of: object.key, in: table) else {
            continue
        }
        for part in places.properties.flatMap(\.parts) {
            guard let bytes = try? inspector.bytes(in: part.range) else { continue }
            if bytes.count != part.range.count { violations.append("a value outside of the file") }
        }
    }
    for chunk in (try? inspector.freeChunks()) ?? [] {
        try? inspector.forEachText(in: chunk.range) { text in
            if !chunk.range.contains(text.offset) { violations.append("a text outside of its chunk") }
        }
    }
    return violations
}
