import RealmLayout
import RealmStorage
import Testing
import TestSupport

import RealmVerifier

/// Files that Realm wrote, and upgrades that were interrupted, have no errors, in every format and of every size.
struct CleanFileTests {
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures + KnownFile.interruptedFixtures)
    func fixture(_ file: KnownFile) throws {
        try expectClean(file)
    }

    @Test(
        .enabled(if: KnownFile.hasCorpus, Comment(rawValue: KnownFile.corpusComment)),
        arguments: KnownFile.corpus.filter { $0.format != nil })
    func corpus(_ file: KnownFile) throws {
        try expectClean(file)
    }

    private func expectClean(_ file: KnownFile) throws {
        let source = ByteSource(bytes: try file.bytes())
        for level in VerificationLevel.allCases {
            let report = Verification(level: level).run(on: source)
            #expect(report.isReadable)
            let bad = report.findings.filter { $0.severity >= .error }
            #expect(bad.isEmpty, "\(level): \(bad.map { "\($0.check.rawValue) \($0.place): \($0.message)" })")
            #expect(report.isSound)
            // Every byte has an owner.
            #expect(report.totalsByCheck[.leak] == nil)
        }
    }
}
