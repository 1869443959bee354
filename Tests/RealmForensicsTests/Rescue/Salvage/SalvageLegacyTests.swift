import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Salvage of files of formats 2 to 9, whose columns are separate trees.
@Suite struct SalvageLegacyTests {
    /// In columns that are converted for the reader, an unreadable leaf loses the values of its own rows only.
    @Test func `an unreadable leaf loses the values of its own rows only`() throws {
        var file = LegacyFile()
        let counts = [4, 4, 2]
        let rows = [0..<4, 4..<8, 8..<10]
        let numbers = rows.map { file.writer.integers($0.map { 100 + $0 }) }
        let flags = rows.map { rows in file.nullableIntegers(rows.map { $0 % 3 == 0 ? nil : $0 % 2 }) }
        let types = (int: 0, bool: 1)
        file.addTable(
            "class_Row",
            [
                .init("number", types.int, root: file.tree(numbers, counts: counts)),
                .init("flag", types.bool, LegacyFile.nullable, root: file.tree(flags, counts: counts)),
            ])
        var bytes = file.bytes()
        for index in 0..<8 { bytes[flags[1] + index] = 0 }

        let folder = try TemporaryFolder()
        let path = folder.file("new.realm")
        let result = try Salvage(ByteSource(bytes: bytes)).write(to: NewFile(path))
        let table = try RealmDatabase(path: path).snapshot().table(named: "Row")
        var cursor = table.objects
        var found: [[Value]] = []
        while let object = try cursor.next() { found.append([try object["number"], try object["flag"]]) }
        let expected = (0..<10).map { row -> [Value] in
            let isLost = rows[1].contains(row) || row % 3 == 0
            return [.int(Int64(100 + row)), isLost ? .null : .bool(row % 2 == 1)]
        }
        expectEqual(found, expected)
        let report = try #require(result.report.tables.first { $0.name == "class_Row" })
        expectEqual(report.objects, 10)
        expectEqual(report.properties.map(\.kept), [10, 6])
        expectEqual(report.properties.map(\.counts), [[:], [.defaulted: 4]])
        let incident = try #require(result.report.incidents.first)
        expectEqual(incident.objects, ObjectKey(4)...ObjectKey(7), "\(result.report.incidents)")
    }
}
