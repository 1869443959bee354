import Foundation
import HostileProperties
import RealmLayout
import RealmStorage
import RealmVerifier
import TestSupport
import Testing

/// Whatever the bytes are, verifying ends; and what is found sound can be read and exported.
struct HostileInputVerifyTests {
    @Test(arguments: HostileFile.all)
    func handmade(_ file: HostileFile) {
        let outcome = verifyEverything(file.bytes())
        #expect(outcome.violations == [])
        // Each of them has an error that the reader gives.
        #expect(!outcome.report.isSound, "\(outcome.report.findings.map(\.message))")
    }

    @Test(arguments: Victim.chosen)
    func everyPrefix(of victim: Victim) throws {
        try victim.forEachPrefix(step: 128) { bytes, what in
            #expect(verifyEverything(bytes, []).violations == [], "\(what)")
        }
    }

    @Test(arguments: Victim.chosen, Replacement.allCases)
    func everyByte(of victim: Victim, replacedBy replacement: Replacement) throws {
        try victim.forEachByte(replacedBy: replacement, step: 61) { bytes, what in
            #expect(verifyEverything(bytes, ExportCombination.chosen(by: bytes)).violations == [], "\(what)")
        }
    }

    @Test(arguments: HostileInputFuzzCaseTests.cases)
    func fuzzCase(_ file: URL) throws {
        #expect(verifyEverything([UInt8](try Data(contentsOf: file)), []).violations == [])
    }
}
