import Expectations
import RealmLayout
import RealmStorage
import TestSupport
import Testing

import RealmForensics

/// Files that Realm wrote, and interrupted upgrades, have no errors, in every format and of every size.
struct CleanFileTests {
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures + KnownFile.interruptedFixtures)
    func `a fixture has no errors`(_ file: KnownFile) throws {
        try expectClean(file)
    }

    @Test(
        .enabled(if: KnownFile.hasCorpus, Comment(rawValue: KnownFile.corpusComment)),
        arguments: KnownFile.corpus.filter { $0.format != nil })
    func `corpus files have no errors`(_ file: KnownFile) throws {
        try expectClean(file)
    }

    /// When Realm Core sets a timestamp to null, the nanoseconds stay.
    @Test func `the nanoseconds of a null can have any value`() throws {
        let bytes = try DamageCase.timestamp(1 << 62, 5, .nullable)().bytes
        let report = Verification(level: .deep).run(on: ByteSource(bytes: bytes))
        expect(report.isSound && report.totalsByCheck[.timestampRange] == nil)
    }

    @Test func `a history can have cleared dictionaries and nested collections`() throws {
        var patient = try Patient("kennel")
        let changeset = try patient.ref([8, 0])
        var left = patient.count(changeset)
        var instructions: [UInt8] = [44, 7, 45, 1, 2, 0, 45, 1, 2, 3, 4, 5, 6]
        // Other instructions that fill the rest.
        left -= instructions.count
        if left % 2 == 1 { instructions += [10, 0, 1] }
        while instructions.count < patient.count(changeset) { instructions += [11, 1] }
        patient.bytes.replaceSubrange((changeset + 8)..<(changeset + 8 + instructions.count), with: instructions)
        let findings = Verification(level: .deep).run(on: ByteSource(bytes: patient.bytes)).findings
        expectEqual(findings.map(\.message), [])
    }

    private func expectClean(_ file: KnownFile) throws {
        let source = ByteSource(bytes: try file.bytes())
        for level in VerificationLevel.allCases {
            let report = Verification(level: level).run(on: source)
            expect(report.isReadable)
            let bad = report.findings.filter { $0.severity >= .error }
            expect(bad.isEmpty, "\(level): \(bad.map { "\($0.check.rawValue) \($0.place): \($0.message)" })")
            expect(report.isSound)
            // Every byte has an owner.
            expectEqual(report.totalsByCheck[.leak], nil)
        }
    }
}
