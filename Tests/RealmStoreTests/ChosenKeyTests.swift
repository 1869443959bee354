import Expectations
import RealmCore
import RealmLayout
import RealmStore
import TestSupport
import Testing

/// Objects with explicitly chosen keys (Spec 50).
@Suite struct ChosenKeyTests {
    private static let schema = SchemaDefinition([
        TableDefinition(class: "Log", [PropertyDefinition("text", .string)]),
        TableDefinition(class: "Dog", primaryKey: "_id", [PropertyDefinition("_id", .int, index: .general)]),
    ])

    private func keys(_ className: String, _ snapshot: Snapshot) throws -> [Int64] {
        var keys: [Int64] = []
        var objects = try snapshot.table(named: className).objects
        while let object = try objects.next() { keys.append(object.key.value) }
        return keys
    }

    @Test func `keys without a primary key continue after the highest usual key`() throws {
        let store = try RealmStore(inMemory: Self.schema)
        try store.write { transaction in
            // The number 300 is the key 44 + 1 << 16; keys with a file identifier do not affect the numbering.
            for key: Int64 in [7, 44 | 1 << 16, 9 << 8, 1 << 61] {
                let object = try transaction.add("Log", ["text": "chosen"], key: ObjectKey(key))
                expectEqual(object, ObjectReference("Log", ObjectKey(key)))
            }
            let next = try transaction.add("Log", ["text": "next"])
            expectEqual(next.key.value, 45 | 1 << 16)
        }
        let expected: [Int64] = [7, 9 << 8, 44 | 1 << 16, 45 | 1 << 16, 1 << 61]
        try expectEqual(keys("Log", store.snapshot()), expected)
    }

    @Test func `keys of a class with a primary key continue after a chosen one`() throws {
        let store = try RealmStore(inMemory: Self.schema)
        try store.write { transaction in
            _ = try transaction.add("Dog", ["_id": 1], key: ObjectKey(5))
            try expectEqual(transaction.add("Dog", ["_id": 2]).key.value, 6)
            _ = try transaction.add("Dog", ["_id": 3], key: ObjectKey(2))
            _ = try transaction.add("Dog", ["_id": 4], key: ObjectKey(1 << 60))
            try expectEqual(transaction.add("Dog", ["_id": 5]).key.value, 7)
        }
        let next = try store.write { try $0.add("Dog", ["_id": 6]) }
        expectEqual(next.key.value, 8)
        try expectEqual(keys("Dog", store.snapshot()), [2, 5, 6, 7, 8, 1 << 60])
        let dogs = try store.snapshot().table(named: "Dog")
        try expectEqual(dogs.object(primaryKey: .int(4))?.key.value, 1 << 60)
    }

    @Test func `a used or invalid key is refused, and the transaction continues`() throws {
        let store = try RealmStore(inMemory: Self.schema)
        try store.write { transaction in
            let dog = try transaction.add("Dog", ["_id": 1])
            for (key, code) in [
                (dog.key.value, InvalidValue.Code.duplicateKey), (-2, .badObjectKey), (.max, .badObjectKey),
            ] {
                let error = #expect(throws: WriteError.self) {
                    _ = try transaction.add("Dog", ["_id": 2], key: ObjectKey(key))
                }
                guard case .misfit(let misfit) = error else { throw ProgramError.otherError }
                expectEqual(misfit.code, code)
            }
            // A deleted object releases its key.
            try transaction.delete(dog)
            _ = try transaction.add("Dog", ["_id": 3], key: dog.key)
        }
        try expectEqual(keys("Dog", store.snapshot()), [0])
        let dogs = try store.snapshot().table(named: "Dog")
        try expect(dogs.object(primaryKey: .int(1)) == nil && dogs.object(primaryKey: .int(3)) != nil)
    }

    private enum ProgramError: Error { case otherError }
}
