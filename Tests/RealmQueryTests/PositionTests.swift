import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmStore
import TestSupport
import Testing

/// Objects by position, in a tree of three levels with gaps.
@Suite struct PositionTests {
    @Test func `positions match the cursor`() throws {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([TableDefinition(class: "Item", [PropertyDefinition("number", .int)])])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("many.realm")))
        for number in 0..<70_000 { try builder.add("Item", ["number": .int(Int64(number))]) }
        try builder.finish()
        let store = try RealmStore(path: folder.file("many.realm"))
        let removed = Array(stride(from: 0, to: 5000, by: 7))
        let before = try allKeys(try store.snapshot().table(named: "Item"))
        let transaction = try store.begin()
        for place in removed { try transaction.delete(ObjectReference("Item", before[place])) }
        _ = try transaction.commit()
        let table = try store.snapshot().table(named: "Item")
        let keys = try allKeys(table)
        try #require(keys.count == 70_000 - removed.count)

        let missing = [before[0], before[7], ObjectKey(before[69_999].value + 1), ObjectKey(.max)]
        for step in [1, 100, 20_000] {
            let places = Array(stride(from: 0, to: keys.count, by: step))
            let sought = (places.map { keys[$0] } + missing).sorted()
            let found = try table.positions(of: sought)
            expectEqual(found.compactMap { $0 }, places)
            expect(zip(sought, found).allSatisfy { missing.contains($0) == ($1 == nil) })
        }
        try expect(table.positions(of: []).isEmpty)

        var lookup = PositionLookup(table)
        for places in [Array(stride(from: 0, to: keys.count, by: 13)), [69_000, 3, 300, 299, 69_284]] {
            for place in places { try expectEqual(lookup.object(at: place)?.key, keys[place]) }
        }
        try expect(lookup.object(at: keys.count) == nil && lookup.object(at: -1) == nil)
    }

    private func allKeys(_ table: Table) throws -> [ObjectKey] {
        var keys: [ObjectKey] = []
        var cursor = table.objects
        while let object = try cursor.next() { keys.append(object.key) }
        return keys
    }
}
