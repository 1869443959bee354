import Expectations
import TestSupport
import Testing

import RealmCore
import RealmStore

/// The file shown in Spec 165 equals the one that is written.
@Suite struct WritingSpecTests {
    @Test func `the bytes in the Spec match the written file`() throws {
        let lines = try SpecDocument.load().writtenLines
        expectEqual(Set(lines.map(\.fixture)), ["minimal"])
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(BuiltMatrix.minimal.schema, at: NewFile(folder.file("minimal.realm")))
        try BuiltMatrix.minimal.build(builder)
        try builder.finish()
        var shown: [UInt8] = []
        for line in lines {
            expectEqual(line.offset, shown.count)
            shown += line.bytes
        }
        let written = try #require(folder.bytes("minimal.realm"))
        expectEqual(Array(written.prefix(shown.count)), shown)
        expect(written.count == 4096 && written[shown.count...].allSatisfy { $0 == 0 })
    }
}
