import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Leftovers of Realm Core in intact files are not damage.
struct LeftoverTests {
    @Test(arguments: Leftover.allCases)
    func `leftovers are not damage`(_ leftover: Leftover) throws {
        let original = try Patient(leftover.fixture).bytes
        let bytes = try leftover.bytes()
        try #require(bytes != original)
        for level in VerificationLevel.allCases {
            let before = Verification(level: level).run(on: ByteSource(bytes: original))
            let report = Verification(level: level).run(on: ByteSource(bytes: bytes))
            expect(report.isSound)
            // The nodes of a removed table would be free space.
            let bad = report.findings.filter { $0.severity >= .warning && $0.check != .leak }
            expect(bad.isEmpty, "\(bad.map { "\($0.check.rawValue) \($0.place): \($0.message)" })")
            expectEqual(report.totalsByCheck[.blockNulls], before.totalsByCheck[.blockNulls])
        }
    }

    /// Values equal those that Realm Core lists for the fixture.
    @Test(arguments: Leftover.allCases)
    func `the values match those that Realm Core lists`(_ leftover: Leftover) throws {
        let snapshot = try RealmDatabase(bytes: leftover.bytes()).snapshot()
        expect(snapshot.damage.isEmpty)
        var found = try TypedDump(snapshot)
        for index in found.tables.indices {
            found.tables[index].incoming.removeAll { $0.table == "?" || $0.property == "?" }
        }
        let expected = try leftover.dump()
        let differences = expected.differences(to: found)
        expect(differences.isEmpty, "\(differences)")
    }

    /// Backlinks without an origin are reported as remarks, at their column.
    @Test(arguments: [Leftover.backlinksOfRemovedTable, .backlinksOfRemovedColumn])
    func `backlinks without an origin are reported as remarks`(_ leftover: Leftover) throws {
        let report = Verification(level: .deep).run(on: ByteSource(bytes: try leftover.bytes()))
        let findings = report.findings.filter { $0.check == .oppositeColumn }
        expectEqual(findings.map(\.severity), [.info])
        expectEqual(findings.first?.place.table, "class_NestTarget")
    }
}
