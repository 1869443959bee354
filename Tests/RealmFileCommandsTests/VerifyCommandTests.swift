import CommandTestSupport
import Expectations
import RealmCore
import RealmFileCommands
import RealmLayout
import TestSupport
import Testing

/// `verify`: its output and exit status.
@Suite struct VerifyCommandTests {
    /// Names are bytes: two names that differ only in Unicode normalisation are distinct, and each is found by its own
    /// bytes.
    @Test func `names in other normalisation forms are different names`() async throws {
        var file = HandmadeFile()
        for (number, name) in ["\u{212B}", "A\u{30A}"].enumerated() {
            let leaves = [file.writer.integers([7 + number]), file.writer.integers([5])]
            let cluster = file.cluster(1, leaves)
            let columns = [
                HandmadeFile.Column("\u{212B}", .int), HandmadeFile.Column("A\u{30A}", .int, index: 1),
            ]
            file.addTable("class_\(name)", columns, objects: cluster)
        }
        let copy = try TemporaryFile(file.bytes())
        let run = await Run("verify", copy.path)
        expect(!run.output.contains("T06") && !run.output.contains("S07"), "\(run.output)")
        let snapshot = try RealmDatabase(path: copy.path).snapshot()
        for (number, name) in ["\u{212B}", "A\u{30A}"].enumerated() {
            let table = try snapshot.table(named: name)
            expect(table.schema.name.utf8.elementsEqual(name.utf8))
            let object = try #require(try table.object(ObjectKey(0)))
            try expect(object["\u{212B}"] == .int(Int64(7 + number)) && object["A\u{30A}"] == .int(5))
            expectEqual(table.schema.property(named: name)?.name.utf8.elementsEqual(name.utf8), true)
        }
    }
}
