import Expectations
import Foundation
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// Subtables, and tables in old Mixed values.
@Suite struct LegacyNestingTests {
    @Test func `all nested tables are read`() throws {
        let snapshot = try RealmDatabase(bytes: LegacyFile.everything()).snapshot()
        expectEqual(snapshot.damage, [])
        let tables = snapshot.tables.map(\.schema)
        expectEqual(tables.map(\.tableName), ["class_Everything", "class_Everything_table"])
        expectEqual(tables.map(\.primaryKeyName), ["int", nil])
        expectEqual(tables.map(\.kind), [.topLevel, .embedded])
        expectEqual(tables.map { $0.incoming.map(\.tableName) }, [["class_Everything"], ["class_Everything"]])
        expectEqual(tables.map { $0.incoming.map(\.propertyName) }, [["link"], ["table"]])
        let first = try #require(try snapshot.tables[0].object(ObjectKey(0)))
        let second = try #require(try snapshot.tables[0].object(ObjectKey(1)))
        func text(_ bytes: String) -> DumpValue { .plain("s", Array(bytes.utf8)) }
        func bool(_ value: Bool) -> DumpValue { .plain("t", Array("\(value)".utf8)) }
        func int(_ value: Int) -> DumpValue { .plain("i", Array("\(value)".utf8)) }
        func time(_ value: String) -> DumpValue { .plain("ts", Array(value.utf8)) }
        func row(_ value: String) -> DumpValue { .dictionary([DumpValue.Entry(key: text("name"), value: text(value))]) }
        try expectEqual(
            first.values().map { DumpValue($0) },
            [
                int(1), .null, bool(true), text("a"), .null, .plain("b", Array("0102".utf8)), time("1400000000 0"),
                time("5 6"), .null, .null, .null, .list([bool(false), .null, bool(true)]), .list([]),
                .list([row("first"), row("second")]),
            ])
        let embedded = (0..<2).map { DumpValue.link(table: "class_Everything_table", key: $0) }
        try expectEqual(
            second.values().map { DumpValue($0) },
            [
                int(-2), int(7), .null, text(""), text("sixteen letters!"), .plain("b", []), time("-1 0"), .null,
                .plain("d", Array("3ff0000000000000".utf8)), text("one of these keys"),
                .link(table: "class_Everything", key: 0), .list([]), .list(embedded), text("text"),
            ])
        try expectEqual(first.backlinks(tables[0].incoming[0]), [ObjectKey(1)])
        try expectEqual(second.backlinkCount, 0)
        var rows = snapshot.tables[1].objects
        var found: [[DumpValue]] = []
        while let object = try rows.next() {
            found.append(try object.values().map { DumpValue($0) })
            try expectEqual(object.backlinks(tables[1].incoming[0]), [ObjectKey(1)])
        }
        expectEqual(found, [[text("p"), .list([int(3), int(4)])], [text("q"), .list([])]])
    }

    /// The rows of all subtables are objects of one class, even if a subtable has many of them.
    @Test func `the rows of all subtables are objects of one class`() throws {
        let counts = [3, 0, 2500, 1, 1000, 0]
        var file = LegacyFile()
        var number = 0
        var cells: [Int] = []
        var spec = 0
        for count in counts {
            let columns = [
                LegacyFile.Column("n", 0, root: file.writer.integers((number..<(number + count)).map { $0 })),
                LegacyFile.Column("b", 1, root: file.writer.zeros(count)),
            ]
            number += count
            spec = file.spec(columns)
            cells.append(count == 0 ? 0 : file.columns(columns))
        }
        var column = LegacyFile.Column("rows", 5, root: file.writer.refs(cells))
        column.subspecs = [spec]
        file.addTable("class_Hostile", [column])
        let snapshot = try RealmDatabase(bytes: file.bytes()).snapshot()
        expectEqual(snapshot.damage, [])
        try expectEqual(snapshot.tables[1].count, 3504)
        var next = 0
        for (key, count) in counts.enumerated() {
            let object = try #require(try snapshot.tables[0].object(ObjectKey(Int64(key))))
            guard case .list(let rows) = try object["rows"] else { throw TestSupportError("no list") }
            expectEqual(rows.count, count)
            for row in rows {
                guard case .embedded(let row) = row else { throw TestSupportError("no embedded object") }
                expectEqual(row.key.value, Int64(next))
                try expectEqual(row["n"], .int(Int64(next)))
                try expectEqual(row.backlinks(row.table.schema.incoming[0]), [ObjectKey(Int64(key))])
                next += 1
            }
        }
    }

    /// Two names that would collide, and one that would be too long.
    @Test func `subtables have unique names, none too long`() throws {
        var file = LegacyFile()
        let cells = ["x", "y"].map { LegacyFile.Column($0, 0, root: file.writer.zeros(0)) }
        func table(_ name: String) -> LegacyFile.Column {
            var column = LegacyFile.Column(name, 5, root: file.writer.zeros(1, flags: 0x40))
            column.subspecs = [file.spec(cells)]
            return column
        }
        let long = String(repeating: "é", count: 25)
        file.addTable("class_A_b", [table("c")])
        file.addTable("class_A", [table("b"), table("b_c"), table(long)])
        let names = try RealmDatabase(bytes: file.bytes()).snapshot().tables.map(\.schema.tableName)
        expectEqual(names[..<5], ["class_A_b", "class_A", "class_A_b_c", "class_A_b_2", "class_A_b_c_2"])
        expectEqual(names[5], "class_A_" + long)
        expect(names.allSatisfy { $0.utf8.count <= 63 })
    }

    /// Returns a file with nested tables: subtables, or tables in Mixed values.
    private func nested(_ levels: Int, inMixed: Bool) -> [UInt8] {
        var file = LegacyFile()
        var columns = [LegacyFile.Column("n", 0, root: file.writer.integers([42]))]
        for _ in 1..<levels {
            let spec = file.spec(columns)
            let array = file.columns(columns)
            if inMixed {
                let table = file.writer.refs([spec, array])
                let mixed = file.writer.refs([file.writer.integers([5]), file.writer.refs([table])])
                columns = [LegacyFile.Column("m", 6, root: mixed)]
            } else {
                var column = LegacyFile.Column("t", 5, root: file.writer.refs([array]))
                column.subspecs = [spec]
                columns = [column, LegacyFile.Column("n", 0, root: file.writer.zeros(1))]
            }
        }
        file.addTable("class_Hostile", columns)
        return file.bytes()
    }

    /// Secondary threads on Apple platforms have 512 KiB, not all of which is available to the reader.
    @Test(arguments: [true, false], [16, 17, 20_000])
    func `a small stack is enough for the deepest nesting`(inMixed: Bool, _ levels: Int) async throws {
        let bytes = nested(levels, inMixed: inMixed)
        let codes: [FormatError.Code]? = await withCheckedContinuation { continuation in
            let thread = Thread {
                continuation.resume(
                    returning: (try? RealmDatabase(bytes: bytes).snapshot(toleratingDamage: true))?.damage.map(\.code))
            }
            thread.stackSize = 320 << 10
            thread.start()
        }
        expectEqual(codes, (levels <= 16 ? [] : [.tooDeep]))
    }
}
