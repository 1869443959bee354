import Expectations
private import Foundation
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import TestSupport
import Testing
import WriterTestSupport

/// Random schemas with random objects are read back value by value, from sound files.
@Suite struct RandomDatabaseTests {
    @Test(arguments: Share.current.of(UInt64(1)...60))
    func `a random database is read back as it was written`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let (expected, bytes) = try build(seed, folder)
        let schema = RandomDatabase(seed: seed).schema
        let path = folder.file("random.realm")
        let snapshot = try RealmDatabase(path: path).snapshot()
        expectEqual(snapshot.schema.version, schema.version, "seed \(seed)")
        let tables = snapshot.schema.tables.map { "\(TableDefinition($0))" }
        let isSame = tables.prefix(schema.tables.count).elementsEqual(schema.tables.map { "\($0)" })
        expect(isSame, "seed \(seed): another schema")
        let differences = expected.differences(to: try BuiltContent(snapshot, schema))
        expect(differences.isEmpty, "seed \(seed): \(differences.prefix(3).joined(separator: "\n"))")
        // Invalid UTF-8 and tombstones without links are intended.
        let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
            .filter { $0.check != .utf8 && !($0.check == .tombstones && $0.severity == .info) }
            .map { "\($0.check.rawValue) \($0.place): \($0.message)" }
        expect(findings.isEmpty, "seed \(seed)")
        try expectEqual(build(seed, TemporaryFolder()).1, bytes, "seed \(seed): other bytes the second time")
        try BuiltFiles.keep(bytes, "random-\(seed)")
    }

    private func build(_ seed: UInt64, _ folder: TemporaryFolder) throws -> (BuiltContent, [UInt8]) {
        var database = RandomDatabase(seed: seed)
        let builder = try RealmBuilder(database.schema, at: NewFile(folder.file("random.realm")))
        let content = try database.build(builder)
        return (content, try #require(folder.bytes("random.realm")))
    }
}

/// Files made by tests, for inspection with other programs.
enum BuiltFiles {
    /// Saves a file in the folder named by `REALMFILE_BUILT_FILES`, if it is set.
    static func keep(_ bytes: [UInt8], _ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["REALMFILE_BUILT_FILES"] else { return }
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name).realm"))
    }
}
