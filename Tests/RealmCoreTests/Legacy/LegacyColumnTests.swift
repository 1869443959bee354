import Expectations
import Foundation
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// Handmade columns of forms that do not occur in any available file.
@Suite struct LegacyColumnTests {
    private func objects(_ bytes: [UInt8], _ name: String = "Hostile") throws -> [StoredObject] {
        let snapshot = try RealmDatabase(bytes: bytes).snapshot()
        expectEqual(snapshot.damage, [])
        let table = try snapshot.table(named: name)
        var cursor = table.objects
        var objects: [StoredObject] = []
        while let object = try cursor.next() { objects.append(object) }
        expectEqual(objects.map(\.key.value), (0..<Int64(objects.count)).map { $0 })
        try expectEqual(table.count, objects.count)
        return objects
    }

    private func values(_ bytes: [UInt8], _ property: String = "value") throws -> [Value] {
        try objects(bytes).map { object in try object[property] }
    }

    /// The leaves of each column end at different rows, so that none can be used unchanged in a cluster.
    @Test func `leaves of columns may end at different rows`() throws {
        var file = LegacyFile()
        var columns: [LegacyFile.Column] = []
        let texts: [String?] = ["", "a", nil, "five!", "nine long", nil, "x"]
        let long = texts.map { $0.map { $0 + String(repeating: "-", count: 20) } }
        let bytes: [[UInt8]?] = [[], nil, [0], [1, 2, 3], nil, [255], [4]]
        /// Splits seven values after the first `cut`.
        func halves<T>(_ values: [T], _ cut: Int, _ leaf: ([T]) -> Int) -> Int {
            let leaves = [leaf(Array(values[..<cut])), leaf(Array(values[cut...]))]
            return file.tree(leaves, counts: [cut, 7 - cut])
        }
        func add(_ name: String, _ type: Int, _ attributes: Int = 0, _ root: Int) {
            columns.append(LegacyFile.Column(name, type, attributes, root: root))
        }
        let integers = [1, -1, 2, -2, 1 << 40, 0, 9]
        let nullable: [Int?] = [nil, 1, 2, nil, .max, .min, 0]
        let bools: [Int?] = [1, nil, 0, 0, nil, 1, 1]
        let floats: [UInt64] = [0, 0x3F80_0000, 0x7FC0_00AA, 0x7F80_0000, 1, 2, 3]
        add("int", 0, 0, halves(integers, 1) { file.writer.integers($0) })
        add("intN", 0, 16, halves(nullable, 2) { file.nullable64($0) })
        add("boolN", 1, 16, halves(bools, 3) { file.nullableIntegers($0) })
        add("short", 2, 16, halves(texts, 4) { file.shortStrings($0) })
        add("medium", 2, 16, halves(long, 5) { file.mediumStrings($0, hasFlags: true) })
        add("big", 2, 16, halves(long, 6) { file.bigStrings($0) })
        add("plain", 2, 0, halves(texts, 3) { file.mediumStrings($0, hasFlags: true) })
        add("binary", 4, 16, halves(bytes, 2) { file.smallBinaries($0, hasFlags: true) })
        add("float", 9, 16, halves(floats, 4) { file.bits($0, bytes: 4) })
        let seconds = halves(nullable, 5) { file.nullable64($0) }
        let nanoseconds = halves([0, 5, 6, 0, 7, -8, 0], 1) { file.writer.integers($0) }
        add("time", 8, 16, file.timestamps(seconds, nanoseconds))
        add("date", 7, 0, halves(integers, 2) { file.writer.integers($0) })
        add("dateN", 7, 16, halves(nullable, 3) { file.nullable64($0) })
        let list = file.writer.integers([2, 0, 2])
        let linkRoot = halves([0, 3, 1, 7, 0, 2, 2], 6) { file.writer.integers($0) }
        var links = LegacyFile.Column("link", 12, 0, root: linkRoot)
        links.subspecs = [NodeWriter.tagged(0)]
        columns.append(links)
        let listRoot = halves([0, list, 0, 0, 0, 0, list], 4) { file.writer.refs($0) }
        var lists = LegacyFile.Column("links", 13, 0, root: listRoot)
        lists.subspecs = [NodeWriter.tagged(0)]
        columns.append(lists)
        file.addTable("class_Hostile", columns)
        let found = try objects(file.bytes())
        try #require(found.count == 7)
        func expectValues(_ name: String, _ expected: [Value]) throws {
            try expectEqual(found.map { object in try object[name] }, expected, "\(name)")
        }
        func time(_ seconds: Int, _ nanoseconds: Int64 = 0) throws -> Value {
            .timestamp(try #require(Timestamp(seconds: Int64(seconds), nanoseconds: nanoseconds)))
        }
        try expectValues("int", integers.map { .int(Int64($0)) })
        try expectValues("intN", nullable.map { $0.map { .int(Int64($0)) } ?? .null })
        try expectValues("boolN", bools.map { $0.map { .bool($0 != 0) } ?? .null })
        try expectValues("short", texts.map { $0.map { .string($0) } ?? .null })
        try expectValues("medium", long.map { $0.map { .string($0) } ?? .null })
        try expectValues("big", long.map { $0.map { .string($0) } ?? .null })
        try expectValues("plain", texts.map { .string($0 ?? "") })
        try expectValues("binary", bytes.map { $0.map { .binary($0) } ?? .null })
        try expectValues(
            "float", floats.map { $0 == 0x7FC0_00AA ? .null : .float(Float(bitPattern: UInt32($0))) })
        try expectValues(
            "time",
            try zip(nullable, [0, 5, 6, 0, 7, -8, 0]).map { second, nanosecond in
                try second.map { try time($0, nanosecond) } ?? .null
            })
        try expectValues("date", try integers.map { try time($0) })
        try expectValues("dateN", try nullable.map { try $0.map { try time($0) } ?? .null })
        func link(_ row: Int64) -> DumpValue { .link(table: "class_Hostile", key: row) }
        try expectEqual(
            found.map { object in DumpValue(try object["link"]) },
            [.null, link(2), link(0), link(6), .null, link(1), link(1)])
        let linked = DumpValue.list([link(2), link(0), link(2)])
        let none = DumpValue.list([])
        try expectEqual(
            found.map { object in DumpValue(try object["links"]) }, [none, linked, none, none, none, none, linked])
    }

    /// Leaves of the oldest form, and their substitutes for null.
    @Test func `leaves of the oldest form have no nulls`() throws {
        var file = LegacyFile(format: 2)
        let texts: [String?] = ["", nil, "text"]
        let unused = file.writer.node(widthType: .multiply, width: 0, count: 3, payload: [])
        let emptyEnd = file.writer.refs([file.writer.integers([0, 2, 2]), file.writer.blob([0x61, 0])])
        let blobs = file.writer.refs([0, file.writer.zeros(0), file.writer.blob([9])], isContext: true)
        let columns: [LegacyFile.Column] = [
            .init("short", 2, 0, root: file.shortStrings(texts)),
            .init("unused", 2, 0, root: unused),
            .init("two", 2, 0, root: file.mediumStrings(texts, hasFlags: false)),
            .init("three", 2, 0, root: file.mediumStrings(texts, hasFlags: true)),
            .init("big", 2, 0, root: file.bigStrings(texts)),
            .init("end", 2, 0, root: emptyEnd),
            .init("bytes", 4, 0, root: file.smallBinaries([[], nil, [7]], hasFlags: true)),
            .init("flagless", 4, 0, root: file.smallBinaries([[], nil, [7]], hasFlags: false)),
            .init("blobs", 4, 0, root: blobs),
        ]
        file.addTable("class_Hostile", columns)
        let found = try objects(file.bytes())
        let text: [Value] = [.string(""), .string(""), .string("text")]
        func expectValues(_ name: String, _ expected: [Value]) throws {
            try expectEqual(found.map { object in try object[name] }, expected, "\(name)")
        }
        for name in ["short", "two", "three", "big"] { try expectValues(name, text) }
        try expectValues("unused", [.string(""), .string(""), .string("")])
        try expectValues("end", [.string(""), .string("a"), .string("")])
        for name in ["bytes", "flagless"] { try expectValues(name, [.binary([]), .binary([]), .binary([7])]) }
        try expectValues("blobs", [.binary([]), .binary([]), .binary([9])])
    }

    /// Key lists of every form, nullable and not, in one leaf and in several. Upgrades crash on most of them or confuse
    /// nulls.
    @Test(arguments: [true, false], [true, false])
    func `lists of keys are read in every form`(isNullable: Bool, inSeveralLeaves: Bool) throws {
        let second = isNullable ? nil : "the other key of some"
        let keys: [String?] = ["a key of twenty-one..", second, "and one more of these"]
        let bytes = LegacyFile.oneColumn(3, isNullable ? 16 : 0) { file, column in
            column.root = file.tree([file.writer.integers([2, 1]), file.writer.integers([1, 0])], counts: [2, 2])
            if inSeveralLeaves {
                let leaves = [
                    file.mediumStrings(Array(keys[..<2]), hasFlags: isNullable), file.bigStrings(Array(keys[2...])),
                ]
                column.distinct = file.tree(leaves, counts: [2, 1])
            } else {
                column.distinct = file.mediumStrings(keys, hasFlags: isNullable)
            }
        }
        let expected = [2, 1, 1, 0].map { keys[$0].map { Value.string($0) } ?? .null }
        try expectEqual(values(bytes), expected)
        let property = try #require(try objects(bytes)[0].table.schema.property(named: "value"))
        expect(property.isEnumerated && property.type == .string && property.isNullable == isNullable)
    }

    /// A binary of more than 16 MB spans several nodes.
    @Test func `a binary in several nodes is one value`() throws {
        let first = [UInt8](repeating: 0xAB, count: 0xFF_FFF0)
        let bytes = LegacyFile.oneColumn(4) { file, column in
            let parts = [file.writer.blob(first), file.writer.blob([1, 2, 3])]
            column.root = file.writer.refs([file.writer.refs(parts, isContext: true), 0], isContext: true)
        }
        try expectEqual(values(bytes), [.binary(first + [1, 2, 3]), .binary([])])
    }

    /// Columns without names, or with the same name, get different ones; helper columns are hidden.
    @Test func `columns without a unique name get one, and helper columns are hidden`() throws {
        var file = LegacyFile()
        let names = ["", "a", "a", "!OID", "a_2", ""]
        file.addTable("class_Hostile", names.map { LegacyFile.Column($0, 0, root: file.writer.integers([1])) })
        let schema = try objects(file.bytes())[0].table.schema
        expectEqual(schema.properties.map(\.name), ["col_0", "a", "a_2", "a_2_4", "col_5"])
        // An integer column's key is its number.
        expectEqual(schema.properties.map(\.columnKey.value), [0, 1, 2, 4, 5])
    }

    @Test(
        arguments: [("Hostile", "b"), ("class_Hostile", "b"), ("Hostile", "c"), ("Other", "b")] as [(String, String)])
    func `the primary key of a class is found`(_ name: String, _ property: String) throws {
        var file = LegacyFile(format: 3)
        let one = file.writer.integers([1])
        file.addTable("class_Hostile", [.init("a", 0, root: one), .init("b", 0, root: one)])
        file.addTable(
            "pk",
            [
                .init("pk_table", 2, root: file.writer.shortStrings([name])),
                .init("pk_property", 2, root: file.writer.shortStrings([property])),
            ])
        let snapshot = try RealmDatabase(bytes: file.bytes()).snapshot()
        expectEqual(snapshot.damage, [])
        expectEqual(snapshot.tables.map(\.schema.tableName), ["class_Hostile"])
        // An entry with unknown names has no effect.
        expectEqual(snapshot.tables[0].schema.primaryKeyName, (name != "Other" && property == "b" ? "b" : nil))
    }

    /// Early Java SDKs recorded the number of the column.
    @Test func `a primary key recorded by its number is found`() throws {
        var file = LegacyFile(format: 2)
        let one = file.writer.integers([1])
        file.addTable("class_Hostile", [.init("a", 0, root: one), .init("b", 0, root: one)])
        file.addTable(
            "pk",
            [
                .init("pk_table", 2, root: file.writer.shortStrings(["class_Hostile"])),
                .init("pk_property", 0, root: file.writer.integers([1])),
            ])
        try expectEqual(RealmDatabase(bytes: file.bytes()).snapshot().tables[0].schema.primaryKeyName, "b")
    }

    /// Leaves have any length, independent of the length of clusters.
    @Test func `leaves may be longer than clusters`() throws {
        let bytes = LegacyFile.oneColumn(0) { file, column in
            column.root = file.writer.integers((0..<2500).map { $0 * 3 })
        }
        try expectEqual(values(bytes), (0..<2500).map { .int($0 * 3) })
        let table = try objects(bytes)[0].table
        try expectEqual(table.object(ObjectKey(2345))?["value"], .int(2345 * 3))
        try expectEqual(table.object(ObjectKey(2500)), nil)
    }

    /// The overlay in memory is small: the refs of leaves with a thousand rows each.
    @Test func `the overlay in memory is small`() throws {
        let rows = 100_000
        let bytes = LegacyFile.oneColumn(0) { file, column in
            let leaves = stride(from: 0, to: rows, by: 1000).map { file.writer.integers(Array($0..<($0 + 1000))) }
            column.root = file.tree(leaves, counts: leaves.map { _ in 1000 })
        }
        let snapshot = try RealmDatabase(bytes: bytes).snapshot()
        try expectEqual(snapshot.tables[0].count, rows)
        try expectEqual(snapshot.tables[0].object(ObjectKey(98_765))?["value"], .int(98_765))
        expect(snapshot.space.size - snapshot.space.bytes.count < bytes.count / 100)
    }

    /// The other slot has its own format.
    @Test func `the other slot has its own format`() throws {
        var bytes = try KnownFile.fixture("Legacy/format-9-subtables").bytes()
        bytes[21] = 3
        let database = try RealmDatabase(bytes: bytes)
        let (last, before) = (try database.snapshot(), try database.snapshot(.otherSlot))
        expect((last.version.number, before.version.number) == (9, 3))
        expect((last.commitNumber, before.commitNumber) == (3, 2))
        // The objects were added in the last commit.
        try expectEqual(last.table(named: "Sub").count, 6)
        expectEqual(before.damage, [])
        expectEqual(before.tables.map(\.schema.tableName), ["metadata"])
    }

    /// Group tops of every length that ever existed.
    @Test(arguments: [(3, 0), (5, 24), (7, 24), (9, 24), (10, 24)] as [(Int, Int)])
    func `group tops of every length are read`(_ slots: Int, _ freeBytes: Int) throws {
        var writer = NodeWriter()
        let names = writer.shortStrings([String]())
        let tables = writer.refs([])
        let positions = writer.integers([24])
        let lengths = writer.integers([24])
        let size = writer.bytes.count + 8 + 8 * slots
        let all = [
            names, tables, NodeWriter.tagged(size), positions, lengths, writer.bytes.count - 8 * 2,
            NodeWriter.tagged(77), NodeWriter.tagged(2), 0, NodeWriter.tagged(3),
        ]
        let top = writer.bytes.count
        _ = writer.refs(Array(all[..<slots]))
        let snapshot = try RealmDatabase(bytes: writer.file(top: top, format: 6)).snapshot()
        try expectEqual(snapshot.freeBytes(), (slots == 3 ? nil : freeBytes))
        expectEqual(snapshot.commitNumber, (slots < 7 ? 1 : 77))
        expectEqual(snapshot.history.type, (slots < 9 ? HistoryType.none : .inRealm))
        expectEqual(snapshot.history.schemaVersion, (slots < 10 ? 0 : 3))
        expect(snapshot.tables.isEmpty && snapshot.damage == [])
    }
}

extension LegacyFile {
    /// Returns a leaf of arbitrary integers, in which 77 represents null.
    fileprivate mutating func nullable64(_ values: [Int?]) -> Int { writer.integers([77] + values.map { $0 ?? 77 }) }

    /// Returns a leaf of fields of 64 bytes, in which the last byte marks null.
    fileprivate mutating func shortStrings(_ values: [String?]) -> Int {
        let payload = values.flatMap { value -> [UInt8] in
            guard let value else { return [UInt8](repeating: 0, count: 63) + [64] }
            let bytes = Array(value.utf8)
            return bytes + [UInt8](repeating: 0, count: 63 - bytes.count) + [UInt8(63 - bytes.count)]
        }
        return writer.node(widthType: .multiply, width: 64, count: values.count, payload: payload)
    }
}
