import Expectations
import HostileProperties
import RealmCore
import RealmLayout
import TestSupport
import Testing

/// For any bytes, reading terminates with a result or an error, in bounded work, without a trap.
@Suite struct HostileInputTests {
    @Test(arguments: HostileFile.all)
    func `a handmade file gives the intended error with its place`(_ file: HostileFile) throws {
        let bytes = file.bytes()
        let outcome = readEverything(bytes)
        let error = try #require(outcome.errors.first)
        expectEqual(error.code, file.code, "\(error)")
        expectEqual(error.table?.hasPrefix("class_Hostile"), true)
        expectEqual(error.property, file.property, "\(error)")
        expectEqual(error.objectKey, file.objectKey.map { ObjectKey(Int64($0)) }, "\(error)")
        expect(error.offset != nil)
        expect(!outcome.isCutOff)
    }

    /// Each call of the reader terminates, but shared nodes can be requested repeatedly: callers that read everything
    /// must limit themselves.
    @Test func `the caller has to limit reads of a list that many objects share`() throws {
        var file = HandmadeFile()
        let list = file.writer.zeros(100_000)
        let lists = file.writer.refs([Int](repeating: list, count: 256))
        let cluster = file.cluster(256, [lists])
        file.addTable("class_Hostile", [HandmadeFile.Column("value", .int, .list)], objects: cluster)
        let outcome = readEverything(file.bytes())
        expect(outcome.isCutOff)
        expectEqual(outcome.errors.map(\.code), [.noOtherSlot])
        expect(outcome.objects < 10)
    }

    @Test func `names and texts that are not UTF-8 are read, and returned as malformed`() throws {
        var file = HandmadeFile()
        var column = HandmadeFile.Column("", .string)
        column.name = [0x61, 0xFF, 0x62]
        let leaf = file.writer.shortStrings([[0xC3, 0x28]])
        let cluster = file.cluster(1, [leaf])
        file.addTable("class_Hostile", [column], objects: cluster)
        let table = try #require(try RealmDatabase(bytes: file.bytes()).snapshot().classes.first)
        expectEqual(table.schema.properties.map(\.name), ["a\u{FFFD}b"])
        let object = try #require(try table.object(ObjectKey(0)))
        try expectEqual(object["a\u{FFFD}b"], .malformedString([0xC3, 0x28]))
    }
}
