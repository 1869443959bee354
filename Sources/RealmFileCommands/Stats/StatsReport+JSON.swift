internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

extension StatsReport {
    /// The members of the report for scripts.
    var members: [(String, JSONValue)] {
        let free = survey.free
        return [
            ("fileSize", JSONValue(survey.fileSize)),
            ("format", JSONValue(format.number)),
            ("commit", JSONValue(commit)),
            (
                "parts",
                .array(parts.map { .object([("part", .string($0.code)), ("bytes", JSONValue($0.bytes))]) })
            ),
            (
                "free",
                .object([
                    ("chunks", JSONValue(free.chunks)), ("largestChunk", JSONValue(free.largestChunk)),
                    (
                        "pinnedBy",
                        free.pinnedBy.map {
                            .object([("from", JSONValue($0.lowerBound)), ("to", JSONValue($0.upperBound))])
                        } ?? .null
                    ),
                ])
            ),
            (
                "otherCommits",
                .array(
                    survey.otherCommits.map {
                        .object([
                            ("commit", JSONValue($0.number)), ("slot", JSONValue($0.slot)),
                            ("bytes", JSONValue($0.bytes)),
                        ])
                    })
            ),
            ("tables", .array(tables.map { json($0) })),
            (
                "reasons",
                .array(
                    reasons.map {
                        .object([
                            ("code", .string($0.code)), ("bytes", JSONValue($0.bytes)),
                            ("message", .string($0.words)),
                        ])
                    })
            ),
            ("compactedSize", JSONValue(compactedSize)),
            ("damage", .array(damage.map(\.json))),
            ("damageCount", JSONValue(damageCount)),
            ("smaller", compaction?.json ?? .null),
            ("next", next?.json ?? .null),
        ]
    }

    private func json(_ table: TableSpace) -> JSONValue {
        .object([
            ("name", .string(table.shownName)),
            ("isClass", .bool(table.isClass)),
            ("objects", table.position.flatMap { objects[$0] }.map { JSONValue($0) } ?? .null),
            ("bytes", JSONValue(table.bytes)),
            ("schemaBytes", JSONValue(table.schema.bytes)),
            ("objectBytes", JSONValue(table.objects.bytes)),
            ("tombstoneBytes", JSONValue(table.tombstones.bytes)),
            ("unknownBytes", JSONValue(table.unknown.bytes)),
            ("properties", .array(table.columns.filter { !$0.isBacklink }.map { json($0, table) })),
            (
                "backlinks",
                .array(
                    table.columns.filter(\.isBacklink).map {
                        .object([("from", .string($0.name)), ("bytes", JSONValue($0.bytes))])
                    })
            ),
        ])
    }

    private func json(_ column: ColumnSpace, _ table: TableSpace) -> JSONValue {
        let values = table.position.flatMap { statistics[$0] }.flatMap { found in
            column.property.map { Self.json(found.properties[$0]) }
        }
        return .object(present: [
            ("name", .string(column.name)),
            ("type", JSONValue(type(of: column, table))),
            ("bytes", JSONValue(column.bytes)),
            ("valueBytes", JSONValue(column.values.bytes)),
            ("indexBytes", JSONValue(column.index.bytes)),
            ("distinctBytes", JSONValue(column.distinct.bytes)),
            ("nodes", JSONValue(column.values.count + column.index.count + column.distinct.count)),
            ("largestNode", JSONValue(column.values.largest)),
            ("values", values),
        ])
    }

    private static func json(_ property: PropertyStatistics) -> JSONValue {
        func json(_ extent: PropertyStatistics.Extent?) -> JSONValue {
            extent.map { .object([("size", JSONValue($0.size)), ("objectKey", .int($0.object.value))]) } ?? .null
        }
        return .object([
            ("count", JSONValue(property.count)),
            ("nulls", JSONValue(property.nulls)),
            ("unreadable", JSONValue(property.unreadable)),
            ("distinct", property.distinct.map { JSONValue($0.number) } ?? .null),
            ("distinctError", property.distinct?.error.map { .double($0) } ?? .null),
            ("min", JSONValue(property.minimum.map { ValueText.short($0) })),
            ("max", JSONValue(property.maximum.map { ValueText.short($0) })),
            ("longest", json(property.longest)),
            ("largestCollection", json(property.largestCollection)),
        ])
    }
}
