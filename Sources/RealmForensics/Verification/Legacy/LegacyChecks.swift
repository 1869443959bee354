internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Checks the content of tables of formats 2 to 9 (S, C, K, L, R): reads every value, and compares links with
/// backlinks.
struct LegacyChecks {
    private struct Pair: Hashable {
        let origin: String
        let property: String
        let target: String
    }

    let snapshot: Snapshot
    let slot: Int
    let sink: FindingSink
    /// Whether the schema has errors, which were reported.
    let hasSchemaErrors: Bool

    /// Reads everything; returns a summary of each table.
    func run() -> [VerificationReport.TableSummary] {
        for error in snapshot.damage { report(error) }
        var links: [Pair: MultisetSum] = [:]
        var backlinks: [Pair: MultisetSum] = [:]
        var unreadable: Set<String> = []
        let summaries = snapshot.tables.map { table in
            summary(of: table, &links, &backlinks, &unreadable)
        }
        for pair in Set(links.keys).union(backlinks.keys).inOrder(by: {
            ($0.origin, $0.property, $0.target) < ($1.origin, $1.property, $1.target)
        })
        where links[pair] != backlinks[pair] && unreadable.isDisjoint(with: [pair.origin, pair.target]) {
            sink.report(
                .backlinks, in: Finding.Place(slot: slot, table: pair.origin, property: pair.property),
                "\(links[pair]?.count ?? 0) links to \(pair.target), and \(backlinks[pair]?.count ?? 0) backlinks that "
                    + "are not those of the links")
        }
        return summaries
    }

    private func report(_ error: FormatError) {
        if hasSchemaErrors, [.badGroup, .badTable, .badSpec].contains(error.code) { return }
        sink.report(
            Self.check(for: error.code), at: error.offset,
            in: Finding.Place(
                slot: slot, table: error.table, property: error.property, objectKey: error.objectKey), error.detail)
    }

    private static func check(for code: FormatError.Code) -> CheckIdentifier {
        switch code {
        case .badRef: .refRange
        case .badNode: .nodeWidthType
        case .nodeOutsideFile, .truncated: .nodeSize
        case .sharedNodes: .workLimit
        case .tooDeep: .nodeDepth
        case .badGroup: .tableCounts
        case .badTable: .tableTopCount
        case .badSpec: .specParallel
        case .badCluster, .wrongCount: .leafCount
        case .badTree: .treeShape
        case .badLink, .noSuchObject, .noSuchTable: .linkTarget
        case .damagedPage: .pageAuthentication
        case .unwrittenPage: .unwrittenPage
        default: .leafType
        }
    }

    private func summary(
        of table: Table, _ links: inout [Pair: MultisetSum], _ backlinks: inout [Pair: MultisetSum],
        _ unreadable: inout Set<String>
    ) -> VerificationReport.TableSummary {
        let name = table.schema.tableName
        var stored: Int?
        var (readable, affected) = (0, 0)
        do throws(FormatError) {
            stored = try table.count
            var objects = table.objects
            while let object = try objects.next() {
                readable += 1
                if !check(object, name, &links, &backlinks) {
                    affected += 1
                    unreadable.insert(name)
                }
            }
        } catch {
            unreadable.insert(name)
            report(error.at(table: name))
        }
        return VerificationReport.TableSummary(name: name, objects: stored, readable: readable, affected: affected)
    }

    /// Reads an object; returns false when a part of it is unreadable.
    private func check(
        _ object: StoredObject, _ name: String, _ links: inout [Pair: MultisetSum],
        _ backlinks: inout [Pair: MultisetSum]
    ) -> Bool {
        var isWhole = true
        for (index, property) in object.table.schema.properties.enumerated() {
            do throws(FormatError) {
                let value = try object.value(at: index)
                if Self.hasMalformedText(value) {
                    sink.report(
                        .utf8, at: object.table.core.topRef.offset,
                        in: Finding.Place(slot: slot, table: name, property: property.name, objectKey: object.key),
                        "the string is not valid UTF-8")
                }
                guard let target = property.target else { continue }
                let pair = Pair(origin: name, property: property.name, target: target)
                try note(value, object.key) { hash in links[pair, default: MultisetSum()].add(hash) }
            } catch {
                isWhole = false
                report(error.at(table: name, property: property.name, objectKey: object.key))
            }
        }
        for incoming in object.table.schema.incoming {
            do throws(FormatError) {
                let pair = Pair(origin: incoming.tableName, property: incoming.propertyName, target: name)
                for origin in try object.backlinks(incoming) {
                    backlinks[pair, default: MultisetSum()].add(
                        MultisetSum.hash(origin.value, object.key.value))
                }
            } catch {
                isWhole = false
                report(error.at(table: name, objectKey: object.key))
            }
        }
        return isWhole
    }

    private static func hasMalformedText(_ value: Value) -> Bool {
        switch value {
        case .malformedString: true
        case .list(let values): values.contains { if case .malformedString = $0 { true } else { false } }
        default: false
        }
    }

    private func note(_ value: Value, _ origin: ObjectKey, _ add: (UInt64) -> Void) throws(FormatError) {
        switch value {
        case .link(let link):
            add(MultisetSum.hash(origin.value, link.objectKey.value))
            _ = try link.object()
        case .embedded(let object):
            // A row of a subtable, presented as an embedded object.
            add(MultisetSum.hash(origin.value, object.key.value))
        case .list(let values):
            for value in values { try note(value, origin, add) }
        default:
            break
        }
    }
}
