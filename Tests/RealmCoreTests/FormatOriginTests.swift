import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import TestSupport
import Testing

/// The origin of a format is the same in the code and in the Spec.
@Suite struct FormatOriginTests {
    private static let formats = FormatVersion.legacy + FormatVersion.clustered

    @Test func `every format has an origin`() {
        for format in Self.formats { expect(format.origin != nil, "\(format)") }
        for number in [0, 1, 12, 19, 25, 255] as [UInt8] { expectEqual(FormatVersion(number).origin, nil) }
    }

    /// Returns the meaning of a cell: the tables write a range as "a – b", "– b", "a –", and missing entries in words.
    private func words(_ cell: String) -> String? {
        guard cell != "–", !cell.hasPrefix("none"), cell != "unknown" else { return nil }
        if cell.hasPrefix("– ") { return "up to " + cell.dropFirst(2) }
        if cell.hasSuffix(" –") { return cell.dropLast(2) + " and later" }
        return cell.replacing(" – ", with: " to ")
    }

    @Test func `the releases of other SDKs are returned`() throws {
        let spec = try SpecDocument.load()
        var seen: Set<String> = []
        for name in ["legacy-sdk-releases", "sdk-releases"] {
            let sdks = FormatOrigin.SDK.allCases.prefix(name == "sdk-releases" ? 5 : 3)
            for row in try spec.rows(name, ["format"] + sdks.map(\.rawValue)) {
                seen.insert(row[0])
                let number = try #require(UInt8(row[0]))
                let origin = try #require(FormatVersion(number).origin)
                for (sdk, cell) in zip(sdks, row.dropFirst()) {
                    expectEqual(origin.others.first { $0.sdk == sdk }?.releases, words(cell), "\(row[0]), \(sdk)")
                }
                expect(Set(origin.others.map(\.sdk)).isSubset(of: sdks), "\(row[0])")
            }
        }
        // Pre-releases of the other SDKs wrote 21; the table omits it.
        expectEqual(seen, Set(Self.formats.map(\.description)).subtracting(["21"]))
        expectEqual(FormatVersion(21).origin?.others.isEmpty, true)
    }

    /// Realm Core 14 opens 10 and up, 11 to 13 upgrade 5 to 9, 5 upgrades 2 to 4.
    @Test func `the release that upgrades a format is returned`() {
        for format in Self.formats {
            let steps = format.origin?.upgradeSteps ?? []
            expectEqual(steps.count, (format.number < 5 ? 2 : format.number < 10 ? 1 : 0), "\(format)")
            let refused: String? = format.number < 5 ? "Core 6" : format.number < 10 ? "Core 14" : nil
            expectEqual(format.origin?.refusedBy?.hasPrefix("Realm \(refused ?? "")"), refused.map { _ in true })
        }
        expectEqual(FormatVersion(3).origin?.upgradeSteps.first?.contains("Realm Swift 3.0 to 4.4"), true)
        expectEqual(FormatVersion(9).origin?.upgradeSteps.first?.contains("Realm Swift 10.8 to 10.48"), true)
    }
}
