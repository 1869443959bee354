import Expectations
import RealmLayout
import RealmStorage
import TestSupport
import Testing

import RealmForensics

/// Every check detects its damage.
struct DamageTests {
    private static let cases =
        DamageCase.header + DamageCase.nodes + DamageCase.space + DamageCase.group + DamageCase.schema
        + DamageCase.clusters + DamageCase.collections + DamageCase.values + DamageCase.links + DamageCase.derived
        + DamageCase.histories + DamageCase.legacyNodes + DamageCase.legacyContent

    @Test(arguments: cases)
    func `damage is found`(_ damage: DamageCase) throws {
        var patient = try damage.patient()
        let original = patient.bytes
        let before = Verification(level: damage.check.level).run(on: ByteSource(bytes: original))
        try damage.damage(&patient)
        let report = Verification(level: damage.check.level).run(on: ByteSource(bytes: patient.bytes))
        expectEqual(Verification(level: damage.check.level, jobs: 3).run(on: ByteSource(bytes: patient.bytes)), report)
        let shown = report.findings.map { "\($0.check.rawValue) \($0.place): \($0.message)" }
        // Some files are created damaged, because no intact one can be changed that way.
        if patient.bytes != original { expectEqual(before.totalsByCheck[damage.check], nil) }
        expect(!report.findings.filter { $0.check == damage.check }.isEmpty, "\(shown)")
        // Damage to shared parts affects the other commit too.
        var allowed = damage.companions.union([damage.check, .otherSlot])
        // Replacing a node leaks the old one.
        if patient.bytes.count > original.count { allowed.insert(.leak) }
        let others = report.findings.filter { $0.severity >= .warning && !allowed.contains($0.check) }
        expect(others.isEmpty, "\(shown)")
    }

    @Test func `every check has a test case`() {
        let tested = Set(
            Self.cases.map(\.check) + EncryptionDamageTests.cases.map(\.check) + SurroundingsTests.checks)
        expectEqual(CheckIdentifier.allCases.filter { !tested.contains($0) }.map(\.rawValue), [])
    }
}
