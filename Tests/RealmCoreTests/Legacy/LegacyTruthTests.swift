import Expectations
import RealmCore
import TestSupport
import Testing

/// Every value of every file of formats 2 to 9 equals that according to Realm Core.
@Suite struct LegacyTruthTests {
    private static let corpus = KnownFile.corpus.filter(\.isLegacy)

    /// Files whose dump of Realm Core 5 cannot be compared, with the reason.
    private static let withoutNames = [
        // Two columns have the same name, which JSON objects do not allow.
        "upstream/test_upgrade_database_1000_9_to_10"
    ]

    /// Columns whose content an upgrade loses; the dump of Realm Core 5 has it.
    struct Spoiled {
        let file: String
        let table: String
        let column: String
    }

    static let spoiled: [Spoiled] = [
        // The upgrade keeps only the first column of a subtable, as a list.
        Spoiled(file: "Legacy/format-9-subtables", table: "class_Sub", column: "sub"),
        Spoiled(file: "old/v4-subtables", table: "class_Sub", column: "sub"),
        Spoiled(file: "old/v6-subtables", table: "class_Sub", column: "sub"),
        Spoiled(file: "old/v7-subtables", table: "class_Sub", column: "sub"),
        Spoiled(file: "old/v8-subtables", table: "class_Sub", column: "sub"),
        Spoiled(file: "old/v9-subtables", table: "class_Sub", column: "sub"),
        // A subtable without columns becomes a list of integers.
        Spoiled(file: "upstream/test_upgrade_database_4_5_to_6_stringindex", table: "t1", column: "table"),
        // Values of old Mixed become null.
        Spoiled(file: "upstream/test_upgrade_database_4_5_to_6_stringindex", table: "t1", column: "mixed"),
    ]

    @Test(arguments: KnownFile.legacyFixtures)
    func `a fixture matches its dump before the upgrade`(_ file: KnownFile) throws {
        try compareBeforeUpgrade(file)
    }

    @Test(arguments: KnownFile.legacyFixtures)
    func `a fixture matches its dump after the upgrade`(_ file: KnownFile) throws {
        try compareAfterUpgrade(file)
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"), arguments: corpus)
    func `a corpus file matches its dump before the upgrade`(_ file: KnownFile) throws {
        try compareBeforeUpgrade(file)
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"), arguments: corpus)
    func `a corpus file matches its dump after the upgrade`(_ file: KnownFile) throws {
        try compareAfterUpgrade(file)
    }

    /// Compares with Realm Core 5, which reads files of formats 6 to 9 without upgrading them.
    private func compareBeforeUpgrade(_ file: KnownFile) throws {
        guard let dump = file.legacyDump, !Self.withoutNames.contains(file.name) else { return }
        var expected = try LegacyDump(contentsOf: dump)
        expected.removeHelpers()
        let found = try LegacyDump(RealmDatabase(path: file.url.path).snapshot())
        let differences = expected.differences(to: found)
        expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    /// Compares with Realm Core 14's view of an upgraded copy.
    private func compareAfterUpgrade(_ file: KnownFile) throws {
        guard let dump = file.dump else { return }
        let snapshot = try RealmDatabase(path: file.url.path).snapshot()
        var found = try TypedDump(snapshot)
        found.upgrade(from: Int(snapshot.version.number))
        found.tables.removeAll { $0.kind == "embedded" }
        var expected = try TypedDump(contentsOf: dump)
        for spoiled in Self.spoiled where spoiled.file == file.name {
            let isRemoved = (
                expected.remove(spoiled.column, of: spoiled.table), found.remove(spoiled.column, of: spoiled.table)
            )
            expect(isRemoved == (true, true), "\(spoiled.column)")
        }
        let differences = expected.differences(to: found)
        expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }
}

extension TypedDump {
    /// Removes a column; returns false when there is none.
    fileprivate mutating func remove(_ column: String, of table: String) -> Bool {
        guard let table = tables.firstIndex(where: { $0.name == table }),
            let column = tables[table].columns.firstIndex(where: { $0.name == column })
        else { return false }
        tables[table].columns.remove(at: column)
        for object in tables[table].objects.indices { tables[table].objects[object].values.remove(at: column) }
        return true
    }
}
