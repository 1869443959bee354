import Expectations
import RealmForensics
import TestSupport
import Testing

/// The verifier's rules are those of the Spec, in its order.
@Suite struct RuleTableTests {
    @Test func `the rules match the Spec, in its order`() throws {
        let checks = CheckIdentifier.allCases.map { [$0.rawValue, "\($0)", $0.severity.name, "\($0.level)"] }
        try expectEqual(SpecDocument.load().rows("checks", ["id", "name", "severity", "level"]), checks)
        // Sentences for people, all of which are present.
        expect(CheckIdentifier.allCases.allSatisfy { $0.consequence.hasSuffix(".") })
    }
}
