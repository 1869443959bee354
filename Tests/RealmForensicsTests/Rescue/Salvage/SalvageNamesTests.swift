import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Foreign bytes at the start of a file usually overlap the list of table names, which is the first node.
@Suite struct SalvageNamesTests {
    private func salvage(_ bytes: [UInt8]) throws -> (SalvageReport, Snapshot) {
        let folder = try TemporaryFolder()
        let path = folder.file("new.realm")
        let report = try Salvage(ByteSource(bytes: bytes)).write(to: NewFile(path)).report
        return (report, try RealmDatabase(bytes: [UInt8](ByteSource(path: path).bytes)).snapshot())
    }

    /// A TLS record of 75 bytes: classes whose names are stored after it keep them, with all values.
    @Test(arguments: ["kennel", "collections-stream", "deleted-columns", "links-stream", "format-10-scalars"])
    func `classes whose names are stored after a TLS record keep them`(_ name: String) throws {
        var bytes = try KnownFile.fixture(name).bytes()
        let original = try RealmDatabase(bytes: bytes).snapshot()
        let patient = try Patient(bytes: bytes)
        let names = patient.element(patient.top, 0)
        expectEqual(names, 24)
        // For short strings, the width is in bytes.
        let width = patient.width(names)
        HeaderInjury.tlsHandshake.apply(to: &bytes)
        let (report, salvaged) = try salvage(bytes)
        expectEqual(report.root, original.topRef)
        expect(!report.isLossless)
        let difference = try original.contentDifference(to: salvaged, maximumObjects: 100)
        var kept = 0
        for (slot, table) in original.schema.tables.enumerated() {
            let isLost = names + NodeHeader.size + slot * width < HeaderInjury.handshake.count
            let isThere = salvaged.schema.tables.contains { $0.tableName == table.tableName }
            expect(isThere != isLost, "\(table.tableName)")
            guard !isLost else { continue }
            kept += 1
            guard let found = difference.tables.first(where: { $0.tableName == table.tableName }) else { continue }
            expect(found.added == 0 && found.removed == 0, "\(table.tableName)")
            // Links have the same targets, in classes with other names.
            for change in found.objects.flatMap(\.changes) {
                let isRenamed = change.second.hasPrefix("lost_and_found_")
                let keys = [change.first, change.second].map { $0.drop { $0 != "(" } }
                expect(isRenamed && keys[0] == keys[1], "\(table.tableName) \(change.path)")
            }
        }
        expect(name == "collections-stream" || kept > 0)
        let objects = try salvaged.tables.map { table in try table.count }.reduce(0, +)
        expectEqual(objects, (try original.tables.map { table in try table.count }.reduce(0, +)))
    }

    /// With the first page overwritten, the root is still found, and everything outside the page.
    @Test(arguments: [("fulltext", 300), ("tombstones", 5), ("format-22-links", 2510)] as [(String, Int)])
    func `the root is found with the first page overwritten`(_ name: String, _ objects: Int) throws {
        var bytes = try KnownFile.fixture(name).bytes()
        let original = try RealmDatabase(bytes: bytes).snapshot()
        for index in 0..<4096 { bytes[index] = 0xFF }
        let (report, salvaged) = try salvage(bytes)
        expectEqual(report.root, original.topRef)
        try expectEqual(salvaged.tables.map { table in try table.count }.reduce(0, +), objects)
    }
}
