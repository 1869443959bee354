import Expectations
import Foundation
import HostileProperties
import TestSupport
import Testing

/// The seeds of fuzzing, each in the form of each fuzz target. Fuzzing finds run for every change, fixtures in shares.
@Suite struct HostileInputSeedTests {
    static let fixtures: [URL] =
        (KnownFile.fixtures + KnownFile.legacyFixtures).map(\.url).filter { url in
            ((try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? .max) < 64 << 10
        }

    @Test func `seeds for the fuzz targets exist`() {
        expect(Self.fixtures.count + HostileInputFuzzCaseTests.cases.count > 30)
    }

    @Test(arguments: Share.current.of(fixtures) + HostileInputFuzzCaseTests.cases)
    func `each seed passes every fuzz target`(_ file: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: file))
        let (low, chosen) = (10_000 + 8 * bytes.count, ExportCombination.chosen(by: bytes))
        // Reading stops after the value that exceeded the limit; a value's elements have a limit of their own.
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
