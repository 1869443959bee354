import Foundation
import RealmReader
import RealmStorage
import TestSupport
import Testing

@testable import RealmWriter

/// What is salvaged of encrypted files: pages that cannot be authenticated are lost pages.
@Suite struct SalvageEncryptedTests {
    private struct Encrypted {
        let folder: TemporaryFolder
        let key: EncryptionKey
        let bytes: [UInt8]
        let original: Snapshot
    }

    /// A file of the builder, in which each leaf has pages of its own, encrypted.
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

    /// Salvages a file of which a byte of a page of data is changed.
    private func salvage(_ file: Encrypted, page: Int) throws -> (Salvage.Result, Snapshot) {
        var bytes = file.bytes
        // After each page of the table for 64 there are the 64 pages of data.
        bytes[(1 + page / 64 + page) * 4096 + 100] ^= 0x10
        let (data, lost) = try FileData.recovered(ByteSource(bytes: bytes), file.key)
        var new = NewFile("\(file.folder.path)/new-\(page).realm")
        new.key = file.key
        let result = try Salvage(data, lostPages: lost).write(to: new)
        return (result, try RealmDatabase(path: new.path, key: file.key).snapshot())
    }

    @Test func eachPage() throws {
        let file = try encrypted()
        let pages = file.bytes.count / 4096 * 64 / 65
        var intact = 0
        var damaged = 0
        for page in 1..<pages {
            let (result, salvaged) = try salvage(file, page: page)
            #expect(result.report.lostPages == 1)
            #expect(!result.report.isEmpty && !result.report.isLossless)
            let difference = try file.original.contentDifference(to: salvaged, maximumObjects: 10_000)
            // What differs is in the page, and the report has it.
            for table in difference.tables {
                for object in table.objects {
                    for change in object.changes {
                        damaged += 1
                        let property = String(change.path.prefix { $0 != "[" && $0 != "." })
                        let isTold = result.report.incidents.contains { incident in
                            incident.table?.hasSuffix(table.name) ?? false && incident.property == property
                                && incident.objects.map { $0.contains(object.firstKey ?? $0.lowerBound) } ?? true
                        }
                        #expect(isTold, "page \(page): \(table.name) \(change.path)")
                    }
                }
                intact += table.equal
            }
        }
        #expect(intact > damaged && damaged > 0, "\(intact) \(damaged)")
    }
}
