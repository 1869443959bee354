import Expectations
import Foundation
import HostileProperties
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// Handmade files with an interrupted upgrade to format 10 and up.
@Suite struct InterruptedUpgradeTests {
    /// Returns a table top as created by upgrades.
    private func top(
        _ file: inout LegacyFile, table: Int, types: [Int], names: [String], attributes: [Int], keys: [Int],
        columns: Int, cluster: Int, opposites: [(table: Int, column: Int)?]
    ) -> [Int] {
        let spec = file.writer.refs([
            file.writer.integers(types), file.writer.shortStrings(names), file.writer.integers(attributes), 0, 0,
            file.writer.integers(keys),
        ])
        let zeros = file.writer.zeros(keys.count, flags: 0x40)
        let tables = file.writer.integers(opposites.map { $0?.table ?? Int(TableKey.null.value) })
        let opposite = file.writer.integers(opposites.map { $0?.column ?? Int(ColumnKey.null.value) })
        return [
            spec, columns, cluster, NodeWriter.tagged(table), zeros, 1, 1, tables, opposite, NodeWriter.tagged(0), 0, 0,
        ]
    }

    /// Returns a file in which `class_Target` is migrated, with keys that differ from row numbers; `class_Origin` is
    /// migrated except for the links; `class_Old` is not migrated.
    ///
    /// - Parameters:
    ///   - rowIndexKey: the index in the key of the column of row numbers, which is wrong in some releases.
    ///   - rows: the row of `class_Target` that each object was.
    ///   - extra: another column of `class_Old`, which has one row.
    private func file(
        rowIndexKey: Int = 2, rows: [Int] = [2, 0, 1], extra: ((inout LegacyFile) -> LegacyFile.Column)? = nil
    ) -> [UInt8] {
        var file = LegacyFile()
        // The target has an int, an empty backlink column, and the former row numbers.
        let targetCluster = file.writer.refs([
            file.writer.integers([10, 20, 30]), file.writer.integers([100, 200, 300]),
            file.writer.zeros(3, flags: 0x40), file.writer.integers(rows),
        ])
        let backlinkKey = 1 | 14 << 16
        file.addTable(
            "class_Target",
            top: top(
                &file, table: 0, types: [0, 0, 14], names: ["value", "!ROW_INDEX"], attributes: [0, 0, 0],
                keys: [0, rowIndexKey, backlinkKey], columns: 0, cluster: targetCluster, opposites: [nil, (1, 1), nil]))
        let origin = file.writer.refs([NodeWriter.tagged(3), file.writer.integers([7, 8, 9])])
        let list = file.writer.integers([1, 1, 2])
        let columns = file.writer.refs([0, file.writer.integers([1, 0, 3]), file.writer.refs([0, list, 0])])
        let links = (1 | 12 << 16 | 16 << 22, 2 | 13 << 16 | 32 << 22)
        file.addTable(
            "class_Origin",
            top: top(
                &file, table: 1, types: [0, 12, 13], names: ["id", "link", "list"], attributes: [0, 16, 32],
                keys: [0, links.0, links.1], columns: columns, cluster: origin, opposites: [nil, (0, 1), (0, 1)]))
        var old = LegacyFile.Column("link", 12, root: file.writer.integers([2]))
        old.subspecs = [NodeWriter.tagged(0)]
        file.addTable("class_Old", [old] + (extra.map { [$0(&file)] } ?? []))
        file.addTable(
            "pk",
            [
                .init("pk_table", 2, root: file.writer.shortStrings(["Origin"])),
                .init("pk_property", 2, root: file.writer.shortStrings(["id"])),
            ])
        return file.bytes()
    }

    /// With the correct key of the column of row numbers, and with that of a backlink column.
    @Test(arguments: [2, 1])
    func `a class whose values were partly moved is read`(rowIndexKey: Int) throws {
        let snapshot = try RealmDatabase(bytes: file(rowIndexKey: rowIndexKey)).snapshot()
        expectEqual(snapshot.damage, [])
        expectEqual(snapshot.tables.map(\.schema.tableName), ["class_Target", "class_Origin", "class_Old"])
        expectEqual(
            snapshot.tables.map { $0.schema.properties.map(\.name) }, [["value"], ["id", "link", "list"], ["link"]])
        expectEqual(snapshot.tables.map(\.schema.primaryKeyName), [nil, "id", nil])
        func values(_ table: Int) throws -> [[DumpValue]] {
            var cursor = snapshot.tables[table].objects
            var values: [[DumpValue]] = []
            while let object = try cursor.next() {
                values.append(
                    [.plain("key", Array("\(object.key)".utf8))] + (try object.values().map { DumpValue($0) }))
            }
            return values
        }
        func int(_ value: Int) -> DumpValue { .plain("i", Array("\(value)".utf8)) }
        func key(_ value: Int) -> DumpValue { .plain("key", Array("\(value)".utf8)) }
        // Row 0 is now 20, row 1 is 30, row 2 is 10.
        func link(_ key: Int64) -> DumpValue { .link(table: "class_Target", key: key) }
        try expectEqual(values(0), [[key(10), int(100)], [key(20), int(200)], [key(30), int(300)]])
        try expectEqual(
            values(1),
            [
                [key(0), int(7), link(20), .list([])], [key(1), int(8), .null, .list([link(30), link(30), link(10)])],
                [key(2), int(9), link(10), .list([])],
            ])
        try expectEqual(values(2), [[key(0), link(30)]])
        let target = snapshot.tables[0]
        expectEqual(target.schema.incoming.map(\.tableName), ["class_Origin", "class_Origin", "class_Old"])
        expectEqual(target.schema.incoming.map(\.propertyName), ["link", "list", "link"])
        let backlinks = try [Int64(10), 20, 30].map { key in
            let object = try #require(try target.object(ObjectKey(key)))
            return try target.schema.incoming.map { incoming in try object.backlinks(incoming).map(\.value) }
        }
        let expected: [[[Int64]]] = [[[2], [1], []], [[0], [], []], [[], [1, 1], [0]]]
        expectEqual(backlinks, expected)
    }

    /// The same database after the first commit of an upgrade, and after the values of one class were migrated (Spec
    /// 120).
    @Test(arguments: KnownFile.interruptedFixtures)
    func `a fixture of an interrupted upgrade has the same content as before and after`(_ file: KnownFile) throws {
        let snapshot = try RealmDatabase(path: file.url.path).snapshot()
        expectEqual(snapshot.version.number, 9)
        var found = try TypedDump(snapshot)
        found.upgrade(from: 9)
        let dump = try #require(file.dump)
        let differences = try TypedDump(contentsOf: dump).differences(to: found)
        expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test func `the fixtures of interrupted upgrades exist`() throws {
        expectEqual(KnownFile.interruptedFixtures.map(\.name), ["Interrupted/state-b", "Interrupted/state-c"])
        let dumps = try KnownFile.interruptedFixtures.map { try Data(contentsOf: #require($0.dump)) }
        expect(dumps.count == 2 && dumps[0] == dumps[1])
    }

    /// Distinct strings in several leaves are written again before incoming links are: they are unchanged.
    @Test func `distinct strings in several leaves are unchanged`() throws {
        let bytes = file { file in
            var column = LegacyFile.Column("text", 3, root: file.writer.integers([1]))
            let leaves = [file.writer.shortStrings(["first"]), file.writer.shortStrings(["second"])]
            column.distinct = file.tree(leaves, counts: [1, 1])
            return column
        }
        let snapshot = try RealmDatabase(bytes: bytes).snapshot()
        // Reuses released memory.
        let used = (0..<4096).map { [UInt8](repeating: 0xFF, count: $0) }
        expectEqual(snapshot.damage, [])
        let table = try snapshot.table(named: "Old")
        let object = try #require(try table.object(ObjectKey(0)))
        expectEqual(DumpValue(try object.value(at: 1)), .plain("s", Array("second".utf8)))
        expectEqual(used.count, 4096)
    }

    /// If the former row of an object cannot be determined, links of other tables cannot be resolved.
    @Test func `links to rows that cannot be distinguished are not followed`() throws {
        let snapshot = try RealmDatabase(bytes: file(rows: [2, 0, 0])).snapshot(toleratingDamage: true)
        expect(snapshot.damage.map(\.code).contains(.wrongCount))
        expect(snapshot.damage.map(\.table).contains("class_Target"))
    }

    @Test(arguments: Replacement.allCases)
    func `reading a handmade file with a changed byte ends`(replacedBy replacement: Replacement) {
        check(file(), replacement, .once)
    }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: ["progress_1", "progress_2", "progress_4", "colkey_error"], [Replacement.ones, .oneMore])
    func `reading a fixture with a changed byte ends`(of name: String, replacedBy replacement: Replacement) throws {
        let file = try #require(KnownFile.upstream.first { $0.name == "upstream/test_upgrade_\(name)" })
        check(try file.bytes(), replacement, Spacing(step: 20))
    }

    private func check(_ original: [UInt8], _ replacement: Replacement, _ spacing: Spacing) {
        Victim.forEachByte(of: original, replacedBy: replacement, spacing) { bytes, _, what in
            let outcome = readEverything(bytes)
            expect(!outcome.isCutOff && outcome.work < 10_000 + 128 * bytes.count, "\(what): \(outcome.work) steps")
        }
    }
}
