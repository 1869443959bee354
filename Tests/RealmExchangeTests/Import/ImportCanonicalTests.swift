import Expectations
import Foundation
import RealmCore
import RealmExchange
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// A canonical export, in BSON or Extended JSON, is imported as a file with the same content.
@Suite struct ImportCanonicalTests {
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures)
    func `a fixture is restored with the same content`(_ file: KnownFile) async throws { try await Self.compare(file) }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: KnownFile.corpusSample.filter { $0.isPlain && !isMisread($0) })
    func `a corpus file is restored with the same content`(_ file: KnownFile) async throws {
        try await Self.compare(file)
    }

    @Test(arguments: KnownFile.encryptedFixtures)
    func `an encrypted fixture is restored with the same content`(_ file: KnownFile) async throws {
        let key = try EncryptionKey(bytes: file.key())
        let source = try RealmDatabase(path: file.url.path, key: key).snapshot()
        try await Self.compare(source, key: key)
    }

    /// Whether the file is from a test build of Realm Core whose object keys have another spacing: its links name
    /// objects that no released reader sees (Spec 50).
    private static func isMisread(_ file: KnownFile) -> Bool {
        file.name == "upstream/test_upgrade_database_4_10_to_11"
    }

    private static func compare(_ file: KnownFile) async throws {
        let source = try RealmDatabase(path: file.url.path).snapshot()
        guard source.damage.isEmpty else { return }
        try await compare(source, key: nil)
    }

    /// Checks that every value, key and link and the content hash equal those of the source, and that the new file is
    /// sound.
    private static func compare(_ source: Snapshot, key: EncryptionKey?) async throws {
        var expected = try TypedDump(source)
        expected.forgetLayout()
        let hash = try source.contentHash(includesSystemTables: true)
        for format in [ExportOptions.Format.bson, .ejson] {
            let exported = try await Exported(source, compressing: format == .ejson) {
                $0.format = format
                $0.profile = .canonical
                $0.includesSystemTables = true
            }
            let folder = try TemporaryFolder()
            let path = "\(folder.path)/new.realm"
            let report = try await Importer([exported.folder.path]).run(to: path, key: key)
            expect(report.losses.isEmpty, "\(format) \(report.losses)")
            let database = try key.map { try RealmDatabase(path: path, key: $0) } ?? RealmDatabase(path: path)
            let imported = try database.snapshot()
            expectEqual(imported.version, FormatVersion(24))
            try expectEqual(imported.contentHash(includesSystemTables: true), hash, "\(format)")
            expectEqual(report.objects, expected.tables.reduce(0) { $0 + $1.objects.count })
            var found = try TypedDump(imported)
            found.forgetLayout()
            let differences = expected.differences(to: found)
            expect(differences.isEmpty, "\(format) \(differences.prefix(5).joined(separator: "\n"))")
            guard key == nil else { continue }
            // Without memory for growing data, the bytes are the same.
            if format == .bson {
                var options = ImportOptions()
                (options.memoryOfKeys, options.memoryOfWriter) = (0, 0)
                _ = try await Importer([exported.folder.path], options).run(to: folder.file("other.realm"))
                expectEqual(folder.bytes("other.realm"), folder.bytes("new.realm"))
            }
            let verified = Verification(level: .deep).run(on: try ByteSource(path: path))
            expect(verified.findingsOfCopy.isEmpty, "\(verified.findingsOfCopy.prefix(5))")
        }
    }
}
