import Expectations
import Foundation
import HostileProperties
import TestSupport
import Testing

/// What fuzzing begins with: each input in the way of each fuzz target. What fuzzing once found is tried for every change, of the
/// fixtures a share.
@Suite struct HostileInputSeedTests {
    static let fixtures: [URL] =
        (KnownFile.fixtures + KnownFile.legacyFixtures).map(\.url).filter { url in
            ((try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? .max) < 64 << 10
        }

    @Test func `there are seeds for the fuzz targets`() {
        expect(Self.fixtures.count + HostileInputFuzzCaseTests.cases.count > 30)
    }

    @Test(arguments: Share.current.of(fixtures) + HostileInputFuzzCaseTests.cases)
    func `each seed passes in the way of each fuzz target`(_ file: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: file))
        let (low, chosen) = (10_000 + 8 * bytes.count, ExportCombination.chosen(by: bytes))
        // Reading stops behind the value with which it went beyond the limit; a value's elements have one of their own.
        let most = low + 128 * bytes.count
        expect(readEverything(bytes, limit: low).work <= most)
        expect(readAsLegacy(bytes, limit: low).work <= most)
        expectEqual(readEncrypted(bytes, limit: low).violations, [])
        expectEqual(exportEverything(bytes, chosen, limit: 100_000 + 64 * bytes.count).violations, [])
        expectEqual(verifyEverything(bytes, chosen).violations, [])
        expectEqual(salvageEverything(bytes, root: .chosen(by: bytes), in: folderForSalvage), [])
        let folder = try TemporaryFolder()
        expectEqual(importEverything(bytes, in: folder.path), [])
    }
}
