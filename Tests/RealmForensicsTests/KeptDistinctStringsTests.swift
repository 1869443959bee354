import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// An upgrade from a format before 10 keeps the list of distinct strings of an enumerated column, and writes plain
/// strings into the clusters: no leaf uses the list, and it has the old form (Spec 30, enumerated).
struct KeptDistinctStringsTests {
    enum Kept: CaseIterable {
        /// Old-style null flags, which are 1 where a string is *not* null.
        case flagsOfThatTime
        /// No null flags: the column is not nullable.
        case withoutFlags
        /// A tree of two leaves.
        case tree
    }

    private let long = "a string of more than fifteen bytes"

    private func file(_ kept: Kept, leaf: (inout HandmadeFile) -> Int) -> [UInt8] {
        var file = HandmadeFile()
        var column = HandmadeFile.Column("text", .string, kept == .flagsOfThatTime ? .nullable : [])
        column.distinct = list(kept, &file)
        let objects = file.cluster(2, [leaf(&file)])
        file.addTable("class_Hostile", [column], objects: objects)
        return file.bytes()
    }

    private func list(_ kept: Kept, _ file: inout HandmadeFile) -> Int {
        if kept == .tree {
            return file.treeInner(
                count: 2, [file.writer.shortStrings(["first"]), file.writer.shortStrings(["second"])])
        }
        // Null, "" and the long one, each with its final zero.
        let blob = file.writer.blob([0, 0] + Array(long.utf8) + [0])
        let offsets = file.writer.integers([1, 2, 3 + long.utf8.count])
        return file.writer.refs(
            [offsets, blob] + (kept == .withoutFlags ? [] : [file.writer.integers([0, 1, 1])]))
    }

    @Test(arguments: Kept.allCases)
    func `a kept list of distinct strings is not damage`(_ kept: Kept) throws {
        let bytes = file(kept) { $0.writer.shortStrings(["short", ""]) }
        let table = try RealmDatabase(bytes: bytes).snapshot().table(named: "Hostile")
        expect(table.schema.properties[0].isEnumerated)
        let values = try [0, 1].map { key in try #require(try table.object(ObjectKey(key))).value(at: 0) }
        expectEqual(values.map { DumpValue($0) }, [.plain("s", Array("short".utf8)), .plain("s", [])])
        let report = Verification(level: .deep).run(on: ByteSource(bytes: bytes))
        expectEqual(report.totalsByCheck[.distinctStrings], nil)
        expect(report.isSound, "\(report.findings.map(\.message))")
    }

    /// A repeated string is damage in both meanings of the flags.
    @Test func `the same string twice is damage`() {
        var file = HandmadeFile()
        var column = HandmadeFile.Column("text", .string, .nullable)
        let (text, twice) = (Array("x".utf8) + [0], file.writer.integers([2, 4]))
        let flags = file.writer.integers([0, 0])
        column.distinct = file.writer.refs([twice, file.writer.blob(text + text), flags])
        let objects = file.cluster(1, [file.writer.shortStrings(["x"])])
        file.addTable("class_Hostile", [column], objects: objects)
        let report = Verification(level: .quick).run(on: ByteSource(bytes: file.bytes()))
        expectEqual(report.totalsByCheck[.distinctStrings], 1)
    }

    /// Numbers in a leaf that exceed the list are damage.
    @Test func `numbers that exceed the list are damage`() throws {
        let bytes = file(.tree) { $0.writer.integers([0, 1]) }
        let table = try RealmDatabase(bytes: bytes).snapshot().table(named: "Hostile")
        let object = try #require(try table.object(ObjectKey(0)))
        #expect(throws: FormatError.self) { try object.value(at: 0) }
        let report = Verification(level: .deep).run(on: ByteSource(bytes: bytes))
        expectEqual(report.totalsByCheck[.leafType], 1)
    }
}
