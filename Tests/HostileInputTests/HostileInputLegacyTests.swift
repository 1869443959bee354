import Expectations
import HostileProperties
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// Malicious files of formats 2 to 9: damage is reported, and intact parts can be read.
@Suite struct HostileInputLegacyTests {
    /// Checks an unreadable column next to a readable one: `good` is 7 in the only row.
    private func check(
        _ type: Int, _ attributes: Int = 0, code: FormatError.Code,
        _ make: (inout LegacyFile, inout LegacyFile.Column) -> Void
    ) throws {
        var file = LegacyFile()
        var column = LegacyFile.Column("bad", type, attributes, root: 0)
        make(&file, &column)
        file.addTable("class_Hostile", [column, .init("good", 0, root: file.writer.integers([7]))])
        let bytes = file.bytes()
        let snapshot = try RealmDatabase(bytes: bytes).snapshot(toleratingDamage: true)
        let table = try snapshot.table(named: "Hostile")
        try expectEqual(table.object(ObjectKey(0))?["good"], .int(7))
        let outcome = readEverything(bytes)
        let error = try #require(outcome.errors.first)
        expectEqual(error.code, code, "\(error)")
        // For nested subtables, the error names the innermost class.
        expectEqual(error.table?.hasPrefix("class_Hostile"), true, "\(error)")
        expect(error.property == "bad" || error.table != "class_Hostile", "\(error)")
        expect(!outcome.isCutOff)
    }

    @Test(arguments: [11, 15, 255, -1, 1 << 40])
    func `an unknown type is reported`(_ type: Int) throws {
        try check(type, code: .badSpec) { file, column in column.root = file.writer.integers([1]) }
    }

    @Test func `a missing root is reported`() throws {
        try check(0, code: .badTable) { _, column in column.root = 0 }
    }

    @Test func `a different number of rows is reported`() throws {
        var file = LegacyFile()
        let columns = (0..<4).map { LegacyFile.Column("c\($0)", 0, root: file.writer.zeros($0 == 1 ? 3 : 2)) }
        file.addTable("class_Hostile", columns)
        let snapshot = try RealmDatabase(bytes: file.bytes()).snapshot(toleratingDamage: true)
        expectEqual(snapshot.damage.map(\.code), [.wrongCount])
        expectEqual(snapshot.damage.map(\.property), ["c1"])
        expectEqual(snapshot.tables[0].schema.properties.map(\.name), ["c0", "c2", "c3"])
        try expectEqual(snapshot.tables[0].count, 2)
    }

    @Test(arguments: [-1, 1 << 60, 2, 0x7FFF_FFFF_FFFF_FFFF])
    func `a wrong total of a tree is reported`(_ total: Int) throws {
        try check(0, code: .badTree) { file, column in
            let leaf = file.writer.integers([1])
            // Compact: one element each, in one child.
            column.root = file.writer.refs(
                [NodeWriter.tagged(1), leaf, total << 1 | 1], isInner: true)
        }
    }

    @Test func `a tree that contains itself is reported`() throws {
        try check(0, code: .tooDeep) { file, column in
            let root = file.writer.bytes.count
            column.root = file.writer.refs([NodeWriter.tagged(1), root, NodeWriter.tagged(1)], isInner: true)
        }
    }

    @Test func `a leaf with another length than in its parent is reported`() throws {
        try check(7, code: .wrongCount) { file, column in
            column.root = file.tree([file.writer.integers([1, 2])], counts: [1])
        }
        // Leaves that are not moved are compared when they are read.
        var file = LegacyFile()
        let column = LegacyFile.Column("value", 0, root: file.tree([file.writer.integers([1, 2])], counts: [1]))
        file.addTable("class_Hostile", [column])
        let snapshot = try RealmDatabase(bytes: file.bytes()).snapshot()
        expectEqual(snapshot.damage, [])
        let object = try #require(try snapshot.tables[0].object(ObjectKey(0)))
        #expect(throws: FormatError.self) { try object["value"] }
    }

    @Test(arguments: [-1, 3, 1 << 50])
    func `a distinct string out of range is reported`(_ number: Int) throws {
        try check(3, code: .badLeaf) { file, column in
            column.root = file.writer.integers([number])
            column.distinct = file.writer.shortStrings(["a", "b", "c"])
        }
    }

    @Test func `missing distinct strings are reported`() throws {
        try check(3, code: .badSpec) { file, column in column.root = file.writer.integers([0]) }
    }

    @Test func `a subtable without a spec is reported`() throws {
        try check(5, code: .badSpec) { file, column in column.root = file.writer.refs([0]) }
    }

    /// A spec that is its own subspec.
    @Test func `a spec that is its own subspec is reported`() throws {
        try check(5, code: .tooDeep) { file, column in
            let types = file.writer.integers([5])
            let names = file.writer.shortStrings(["again"])
            let attributes = file.writer.integers([0])
            let subspecs = file.writer.bytes.count
            let spec = subspecs + 8 + 8
            _ = file.writer.refs([spec])
            expectEqual(file.writer.refs([types, names, attributes, subspecs]), spec)
            column.root = file.writer.refs([0])
            column.subspecs = [spec]
        }
    }

    /// A subtable whose rows are those of its own table.
    @Test func `a Mixed value that contains its own table is reported`() throws {
        try check(6, code: .tooDeep) { file, column in
            let inner = LegacyFile.Column("m", 6, root: 0)
            let spec = file.spec([inner])
            let types = file.writer.integers([5])
            // Table top, columns array, Mixed, and its data are 24, 16, 24 and 16 bytes long.
            let top = file.writer.bytes.count
            let (columns, mixed, data) = (top + 24, top + 24 + 16, top + 24 + 16 + 24)
            _ = file.writer.refs([spec, columns])
            _ = file.writer.refs([mixed])
            _ = file.writer.refs([types, data])
            _ = file.writer.refs([top])
            column.root = mixed
        }
    }

    /// Each subtable has a thousand rows, whose subtables are one shared table of a thousand rows.
    @Test func `shared subtables are read in bounded work`() throws {
        var file = LegacyFile()
        var spec = 0
        var array = 0
        for level in 0..<6 {
            var columns = [LegacyFile.Column("n", 0, root: file.writer.zeros(1000))]
            var list = LegacyFile.Column("t", 0, root: file.writer.zeros(1000))
            if level > 0 {
                list = .init("t", 5, root: file.writer.refs([Int](repeating: array, count: 1000)))
                list.subspecs = [spec]
            }
            columns.append(list)
            spec = file.spec(columns)
            array = file.columns(columns)
        }
        var column = LegacyFile.Column("t", 5, root: file.writer.refs([array]))
        column.subspecs = [spec]
        file.addTable("class_Hostile", [column])
        let bytes = file.bytes()
        let outcome = readEverything(bytes)
        expect(outcome.errors.map(\.code).contains(.sharedNodes))
        expect(outcome.work < 10_000 + 128 * bytes.count)
    }

    /// Sixteen million rows in eight bytes.
    @Test func `rows without bytes are read in bounded work`() throws {
        let bytes = LegacyFile.oneColumn(0) { file, column in column.root = file.writer.zeros(0xFF_FFFF) }
        let outcome = readEverything(bytes)
        expect(outcome.errors.map(\.code).contains(.badTree))
        expectEqual(outcome.objects, 0)
    }

    @Test(arguments: [0, 2])
    func `indexes that are off by one are reported`(_ indexed: Int) throws {
        var file = LegacyFile()
        let column = LegacyFile.Column("value", 0, 1, root: file.writer.integers([1]))
        let spec = file.spec([column])
        let columns = file.writer.refs([column.root] + [Int](repeating: column.root, count: indexed))
        file.addTable("class_Hostile", top: [spec, columns])
        let snapshot = try RealmDatabase(bytes: file.bytes()).snapshot(toleratingDamage: true)
        expectEqual(snapshot.damage.map(\.code), [.badTable])
        expectEqual(snapshot.damage.map(\.table), ["class_Hostile"])
        expect(snapshot.tables.isEmpty)
    }

    /// Two tables, one of which is damaged.
    @Test(arguments: [1, 3, 11, 13])
    func `the undamaged one of two tables is read`(_ count: Int) throws {
        var file = LegacyFile()
        file.addTable("class_Hostile", top: [Int](repeating: 0, count: count))
        file.addTable("class_Good", [.init("value", 0, root: file.writer.integers([5]))])
        let snapshot = try RealmDatabase(bytes: file.bytes()).snapshot(toleratingDamage: true)
        expect(snapshot.damage.map(\.table).contains("class_Hostile"))
        try expectEqual(snapshot.table(named: "Good").object(ObjectKey(0))?["value"], .int(5))
        #expect(throws: FormatError.self) { try snapshot.table(named: "Hostile") }
    }

    @Test func `a dangling link is reported`() throws {
        try check(12, code: .badLink) { file, column in
            column.root = file.writer.integers([1])
            column.subspecs = [NodeWriter.tagged(9)]
        }
    }

    @Test(arguments: [(3, 1), (99, 1), (2, 1 << 20), (4, 1), (8, 5)] as [(Int, Int)])
    func `an old Mixed value without a type is reported`(_ type: Int, _ data: Int) throws {
        try check(6, code: .badLeaf) { file, column in
            let types = file.writer.integers([type])
            column.root = file.writer.refs([types, file.writer.refs([NodeWriter.tagged(data)])])
        }
    }

    /// Refs to the overlay's own nodes.
    @Test func `refs to the overlay's own nodes are reported`() throws {
        for offset in [0, 8, 16, 24, 4] {
            try check(0, code: .badRef) { _, column in column.root = 1 << 60 | offset }
        }
    }
}
