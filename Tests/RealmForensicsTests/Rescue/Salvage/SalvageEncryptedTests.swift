import Expectations
import Foundation
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Salvage of encrypted files: pages that cannot be authenticated are lost.
@Suite struct SalvageEncryptedTests {
    private struct Encrypted {
        let folder: TemporaryFolder
        let key: EncryptionKey
        let bytes: [UInt8]
        let original: Snapshot
    }

    /// Returns an encrypted file of the builder, in which each leaf has its own pages.
    private func encrypted() throws -> Encrypted {
        let file = try KnownFile.fixture("format-23-scalars-stream")
        let folder = try TemporaryFolder()
        let key = try EncryptionKey(bytes: (0..<64).map { UInt8($0) })
        var new = NewFile("\(folder.path)/encrypted.realm")
        new.key = key
        _ = try Salvage(ByteSource(path: file.url.path)).write(to: new)
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: new.path)))
        return Encrypted(
            folder: folder, key: key, bytes: bytes, original: try RealmDatabase(path: file.url.path).snapshot())
    }

    /// Salvages a file after changing a byte of a data page.
    private func salvage(_ file: Encrypted, page: Int, unproven: Bool) throws -> (SalvageReport, Snapshot) {
        var bytes = file.bytes
        // Each table page is followed by its 64 data pages.
        let place: Int = 1 + page / 64 + page
        bytes[place * 4096 + 100] ^= 0x10 as UInt8
        let recovered = try DatabaseImage.recovered(ByteSource(bytes: bytes), file.key, unproven: unproven)
        var new = NewFile("\(file.folder.path)/new-\(page)-\(unproven).realm")
        new.key = file.key
        let result = try Salvage(recovered).write(to: new)
        return (result.report, try RealmDatabase(path: new.path, key: file.key).snapshot())
    }

    /// Returns the differing values, all of which are in the report, and the unaffected objects.
    private func differences(
        _ original: Snapshot, _ salvaged: Snapshot, _ report: SalvageReport, page: Int
    ) throws -> (values: Int, intact: Int) {
        let difference = try original.contentDifference(to: salvaged, maximumObjects: 10_000)
        var (values, intact) = (0, 0)
        for table in difference.tables {
            for object in table.objects {
                for change in object.changes {
                    values += 1
                    let property = String(change.path.prefix { $0 != "[" && $0 != "." })
                    let isTold = report.incidents.contains { incident in
                        incident.table?.hasSuffix(table.name) ?? false && incident.property == property
                            && incident.objects.map { $0.contains(object.firstKey ?? $0.lowerBound) } ?? true
                    }
                    expect(isTold, "page \(page): \(table.name) \(change.path)")
                }
            }
            intact += table.equal
        }
        return (values, intact)
    }

    /// An unauthentic page is lost as a whole, unless it is read without proof: then only 17 of its bytes are wrong.
    @Test func `a page that fails authentication is lost unless it is read without proof`() throws {
        let file = try encrypted()
        let pages = file.bytes.count / 4096 * 64 / 65
        var (intact, lost, wrong) = (0, 0, 0)
        for page in 1..<pages {
            let (report, salvaged) = try salvage(file, page: page, unproven: false)
            expect((report.lostPages, report.unprovenPages) == (1, 0))
            expect(!report.isEmpty && !report.isLossless)
            let found = try differences(file.original, salvaged, report, page: page)
            (intact, lost) = (intact + found.intact, lost + found.values)

            let (unproven, closer) = try salvage(file, page: page, unproven: true)
            expect((unproven.lostPages, unproven.unprovenPages) == (0, 1))
            expect(!unproven.isEmpty && !unproven.isLossless)
            wrong += try differences(file.original, closer, unproven, page: page).values
        }
        expect(intact > lost && lost > 0, "\(intact) \(lost)")
        expect(wrong > 0 && wrong * 2 < lost, "\(wrong) \(lost)")
    }

    private static let people = ["people", "format-20-people", "format-21-people", "format-9-people"]

    /// A file without page entries still has all of its content, though unauthenticated.
    @Test(arguments: people, [UInt8(0), 0x5D])
    func `a file without page entries keeps all of its content`(_ name: String, _ filling: UInt8) throws {
        let file = try KnownFile.fixture("Encrypted/\(name)")
        var bytes = try file.bytes()
        bytes.replaceSubrange(0..<4096, with: [UInt8](repeating: filling, count: 4096))
        try expectSameContent(file, bytes, key: file.key())
    }

    /// Authentication needs the second half of the key; the content does not.
    @Test(arguments: people)
    func `the content needs only half of the key`(_ name: String) throws {
        let file = try KnownFile.fixture("Encrypted/\(name)")
        try expectSameContent(
            file, file.bytes(), key: file.key().prefix(32) + [UInt8](repeating: 7, count: 32))
    }

    private func expectSameContent(_ file: KnownFile, _ bytes: [UInt8], key: some Sequence<UInt8>) throws {
        let key = try EncryptionKey(bytes: Array(key))
        let refused = #expect(throws: FormatError.self) { try DatabaseImage.recovered(ByteSource(bytes: bytes), key) }
        expectEqual(refused?.code, .wrongKey)
        let recovered = try DatabaseImage.recovered(ByteSource(bytes: bytes), key, unproven: true)
        // In the first block, which contains all pages of these files; encrypted bytes are not zeros.
        let written = (1..<bytes.count / 4096).filter { page in
            bytes[page * 4096..<(page + 1) * 4096].contains { $0 != 0 }
        }
        expectEqual(recovered.unprovenPages, written.map { $0 - 1 })
        let folder = try TemporaryFolder()
        let report = try Salvage(recovered).write(to: NewFile(folder.file("new.realm"))).report
        expect(!report.isLossless)
        let original = try RealmDatabase(path: file.url.path, key: EncryptionKey(bytes: file.key())).snapshot()
        let salvaged = try RealmDatabase(path: folder.file("new.realm")).snapshot()
        try expect(original.contentDifference(to: salvaged, maximumObjects: 100).isEmpty)
        // Anything may be wrong: every value, and names and types.
        for table in report.tables {
            expect(report.incidents.contains { $0.table == table.name && $0.property == nil && $0.fate == .doubtful })
            expect(table.properties.allSatisfy { $0.kept == 0 }, "\(table)")
        }
    }

    @Test(arguments: [false, true]) func `a file that is not encrypted is reported as such`(unproven: Bool) throws {
        let bytes = try KnownFile.fixture("kennel").bytes()
        let key = try EncryptionKey(bytes: KnownFile.fixture("Encrypted/people").key())
        let error = #expect(throws: FormatError.self) {
            try DatabaseImage.recovered(ByteSource(bytes: bytes), key, unproven: unproven)
        }
        expectEqual(error?.code, .notEncrypted)
    }

    /// A file that is not a Realm file with any half of the key is not one without authentication either.
    @Test func `a wrong key is reported even without authentication`() throws {
        let file = try KnownFile.fixture("Encrypted/people")
        let key = try EncryptionKey(bytes: KnownFile.fixture("Encrypted/empty").key())
        let error = #expect(throws: FormatError.self) {
            try DatabaseImage.recovered(ByteSource(bytes: try file.bytes()), key, unproven: true)
        }
        expectEqual(error?.code, .wrongKey)
    }
}
