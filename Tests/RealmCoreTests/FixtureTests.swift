import Expectations
import Foundation
import TestSupport
import Testing

/// The lists of fixtures match `Fixtures/README.md`, so that no test becomes empty.
@Suite struct FixtureTests {
    @Test func `all fixtures of old formats exist`() {
        let files = KnownFile.legacyFixtures
        let formats = Dictionary(files.map { ($0.format ?? -1, 1) }, uniquingKeysWith: +)
        expectEqual(formats, [2: 3, 3: 2, 4: 2, 5: 3, 6: 2, 7: 1, 8: 3, 9: 5])
        expect(files.allSatisfy { $0.isLegacy && !$0.isClustered && $0.keyFile == nil && $0.legacyDump != nil })
        // Files that no later Realm Core could upgrade, and empty ones.
        expectEqual(
            files.filter { $0.dump == nil }.map(\.name),
            [
                "Legacy/format-2-scalars", "Legacy/format-5-dates", "Legacy/format-5-empty-stream",
                "Legacy/format-8-mixed", "Legacy/format-9-dates", "Legacy/format-9-enumerated-large",
            ])
    }

    @Test func `all encrypted fixtures exist`() throws {
        let files = KnownFile.encryptedFixtures
        expectEqual(files.count, 6)
        expect(files.allSatisfy { $0.format == nil && $0.dump != nil })
        expectEqual(Set(try files.map { try $0.key() }).count, 6)
        expectEqual(files.filter { $0.legacyDump != nil }.map(\.name), ["Encrypted/format-9-people"])
    }

    @Test func `the page about fixtures lists all of them`() throws {
        let text = try String(contentsOf: KnownFile.packageRoot.appending(path: "Fixtures/README.md"), encoding: .utf8)
        let files =
            KnownFile.fixtures + KnownFile.legacyFixtures + KnownFile.encryptedFixtures + KnownFile.interruptedFixtures
        for file in files {
            expect(text.contains("\n| `\(file.url.lastPathComponent)` |"), "\(file)")
        }
    }
}
