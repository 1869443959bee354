internal import RealmCore
internal import RealmLayout

/// Compares links with backlinks (R02, R04): by their sums, and link by link where sums differ.
struct LinkChecks {
    let scope: SnapshotScope
    let content: ContentChecks

    func run() {
        var withoutBacklinks: Set<LinkChecksum.Pair> = []
        for pair in content.ledger.origins where backlinkColumn(of: pair) == nil {
            withoutBacklinks.insert(pair)
            guard let (origin, column, target) = names(pair) else { continue }
            scope.sink.report(
                .mixedLink, at: origin.topRef.offset, in: scope.place(origin.name, column.name),
                "the column has links to \(target.className), which has no column of backlinks for them")
        }
        for pair in content.ledger.differences where !withoutBacklinks.contains(pair) {
            // Tables with unreadable parts, which were reported, cannot be compared.
            guard !content.incomplete.contains(pair.originTable), !content.incomplete.contains(pair.targetTable) else {
                continue
            }
            explain(pair)
        }
    }

    private func backlinkColumn(of pair: LinkChecksum.Pair) -> CheckedColumn? {
        guard let target = content.positions[pair.targetTable] else { return nil }
        return content.tables[target].columns.first {
            $0.isBacklink && $0.oppositeTable == pair.originTable && $0.oppositeColumn == pair.originColumn
        }
    }

    private func names(_ pair: LinkChecksum.Pair) -> (CheckedTable, CheckedColumn, CheckedTable)? {
        guard let origin = content.positions[pair.originTable], let target = content.positions[pair.targetTable],
            let column = content.tables[origin].columns.first(where: { $0.key == pair.originColumn })
        else { return nil }
        return (content.tables[origin], column, content.tables[target])
    }

    private func explain(_ pair: LinkChecksum.Pair) {
        guard let (origin, column, target) = names(pair), let backlinks = backlinkColumn(of: pair),
            let originPosition = content.positions[pair.originTable],
            let targetPosition = content.positions[pair.targetTable]
        else { return }
        // The content checks have reported everything else.
        let silent = scope.reporting(to: FindingSink(limit: 0))
        MultisetDifference.find(count: content.ledger.count(pair)) { take in
            withoutActuallyEscaping(take) { take in
                for (table, column) in [(originPosition, column), (targetPosition, backlinks)] {
                    let purpose = LeafChecks.Purpose(column: column.key.index) { link, isBacklink in
                        guard link.pair == pair else { return }
                        take(MultisetDifference.Pair(first: link.origin.value, second: link.target.value), isBacklink)
                    }
                    ContentChecks(silent, tables: content.tables, Workers(1), purpose: purpose).check(table: table)
                }
            }
        } report: { link, isMissing in
            let (from, to) = (ObjectKey(link.first), ObjectKey(link.second))
            if isMissing {
                scope.sink.report(
                    .backlinks, at: origin.topRef.offset, in: scope.place(origin.name, column.name, from),
                    "the link to the object \(to) of \(target.className) has no backlink")
            } else {
                scope.sink.report(
                    .backlinks, at: target.topRef.offset, in: scope.place(target.name, backlinks.name, to),
                    "a backlink names the object \(from) of \(origin.className).\(column.name), which has no such link")
            }
        }
    }
}
