import Expectations
import Foundation
import TestSupport
import Testing

/// Changes one byte of a small file, or truncates it, and checks all properties that must hold for any bytes. Each run
/// covers a share of the places; runs under a sanitizer cover the same places.
@Suite struct HostileInputSweepTests {
    @Test(arguments: Victim.chosen, Replacement.allCases)
    func `all properties hold after every change of a byte`(of victim: Victim, by replacement: Replacement) throws {
        let original = try OriginalContent(victim)
        let properties = HostileProperty.allCases.compactMap { property in
            property.spacing(victim, replacement).map { (property, $0) }
        }
        try victim.forEachByte(replacedBy: replacement) { bytes, offset, what in
            for (property, spacing) in properties where spacing.contains(offset, replacement) {
                expectHolds(property, bytes, original, what)
            }
        }
    }

    @Test(arguments: Victim.chosen)
    func `all properties hold for every beginning of a file`(_ victim: Victim) throws {
        let original = try OriginalContent(victim)
        let properties = HostileProperty.allCases.compactMap { property in
            property.prefixStep(victim).map { (property, $0) }
        }
        try victim.forEachPrefix { bytes, what in
            for (property, step) in properties where bytes.count % step == 0 {
                expectHolds(property, bytes, original, what)
            }
        }
    }

    private func expectHolds(_ property: HostileProperty, _ bytes: [UInt8], _ original: OriginalContent, _ what: String)
    {
        let violations = property.violations(bytes, original)
        expect(violations.isEmpty, "\(property): \(what): \(violations)")
    }
}
