import Expectations
import RealmCore
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport
import WriterTestSupport

/// Element-wise changes of lists, sets and dictionaries.
@Suite struct CollectionChangeTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Dog",
            [
                PropertyDefinition("numbers", .int, collection: .list),
                PropertyDefinition("names", .string, isNullable: true, collection: .list),
                PropertyDefinition("friends", .link, collection: .list, target: "class_Dog"),
                PropertyDefinition("pack", .link, collection: .set, target: "class_Dog"),
                PropertyDefinition("homes", .link, collection: .list, target: "class_Home"),
                PropertyDefinition("tags", .string, collection: .set),
                PropertyDefinition("odds", .mixed, isNullable: true, collection: .set),
                PropertyDefinition("marks", .mixed, isNullable: true, collection: .dictionary(.string)),
                PropertyDefinition("any", .mixed, isNullable: true),
                PropertyDefinition("word", .string, isNullable: true),
            ]),
        TableDefinition(class: "Home", kind: .embedded, [PropertyDefinition("street", .string)]),
    ])

    @Test func `elements of a set are found although Realm Core has put a NaN between them`() throws {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(class: "Set", [PropertyDefinition("numbers", .double, collection: .set)])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("set.realm")))
        let object = try builder.add("Set", ["numbers": [.double(.nan), 1.25, 2.5]])
        try builder.finish()
        var bytes = try #require(folder.bytes("set.realm"))
        func words(_ numbers: [Double]) -> [UInt8] {
            numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) } }
        }
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: words([.nan, 1.25, 2.5])) })
        bytes.replaceSubrange(place..<(place + 24), with: words([1.25, .nan, 2.5]))
        let store = try RealmStore(bytes: bytes)
        let answers = try store.write { transaction in
            let numbers = transaction.mutableSet(of: object, "numbers")
            return [
                try numbers.contains(1.25), try !numbers.insert(1.25), try !numbers.insert(2.5),
                try !numbers.insert(.double(.nan)), try numbers.insert(1.5), try numbers.count == 4,
                try numbers.remove(1.25), try !numbers.contains(1.25), try numbers.count == 3,
            ]
        }
        expectEqual(answers, [Bool](repeating: true, count: 9))
    }

    private static func store(numbers: Int = 0) throws -> RealmStore {
        try RealmStore(bytes: bytes(numbers: numbers))
    }

    private static func bytes(numbers: Int = 0) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("dogs.realm")))
        for _ in 0..<3 { _ = try builder.add("Dog", ["numbers": .list((0..<Int64(numbers)).map { .int($0) })]) }
        try builder.finish()
        return try #require(folder.bytes("dogs.realm"))
    }

    private static let dog = ObjectReference("Dog", ObjectKey(0))
    private static let other = ObjectReference("Dog", ObjectKey(1))

    /// Returns the value of a property of the first dog.
    private static func value(_ property: String, _ store: RealmStore) throws -> RealmCore.Value {
        try #require(try store.snapshot().table(named: "Dog").object(dog.key))[property]
    }

    private static func numbers(_ store: RealmStore) throws -> [Int64] {
        guard case .list(let elements) = try value("numbers", store) else { return [] }
        return elements.compactMap { if case .int(let number) = $0 { number } else { nil } }
    }

    /// Kept nodes of long values belong to one leaf; an adjacent leaf of short ones has no such nodes.
    @Test func `leaves with long and short strings change in one transaction`() throws {
        let store = try Self.store()
        let long = String(repeating: "a long name ", count: 20)
        var model = (0..<1000).map { "\($0)" } + (0..<1000).map { long + "\($0)" }
        try store.write { transaction in
            try transaction.set(Self.dog, "names", .list(model.map { .string($0) }))
        }
        try store.write { transaction in
            let list = transaction.mutableList(of: Self.dog, "names")
            for (index, name) in [(5, "Rex"), (1500, "Fido")] {
                try list.set(index, .string(name))
                model[index] = name
            }
        }
        guard case .list(let names) = try Self.value("names", store) else {
            Issue.record("no list")
            return
        }
        expectEqual(names.map { if case .string(let name) = $0 { name } else { "" } }, model)
    }

    @Test func `a long list equals an array with the same changes`() throws {
        let store = try Self.store(numbers: 5000)
        var model = (0..<Int64(5000)).map { $0 }
        var random = Numbers(state: 7)
        for round in 0..<6 {
            try store.write { transaction in
                let list = transaction.mutableList(of: Self.dog, "numbers")
                for step in 0..<[10, 3000, 1, 2500, 4000, 2000][round] {
                    let value = Int64(round * 10_000 + step)
                    switch (round, model.isEmpty) {
                    case (1, _), (_, true):
                        let index = Int.random(in: 0...model.count, using: &random)
                        try list.insert(.int(value), at: index)
                        model.insert(value, at: index)
                    case (3, _), (4, _):
                        let index = Int.random(in: model.indices, using: &random)
                        try list.remove(at: index)
                        model.remove(at: index)
                    case (5, _):
                        try list.append(.int(value))
                        model.append(value)
                    default:
                        let (from, to) = (
                            Int.random(in: model.indices, using: &random), Int.random(in: model.indices, using: &random)
                        )
                        try list.move(from: from, to: to)
                        model.insert(model.remove(at: from), at: to)
                        try list.set(to, .int(value))
                        model[to] = value
                    }
                }
                try expectEqual(list.count, model.count)
            }
            try expectEqual(Self.numbers(store), model)
        }
    }

    @Test func `an added element does not rewrite a long list`() throws {
        let bytes = try Self.bytes(numbers: 300_000)
        let disk = try LyingDisk(bytes)
        let store = try RealmStore(on: disk)
        for number: Int64 in 0..<20 {
            try store.write { try $0.mutableList(of: Self.dog, "numbers").insert(.int(-number), at: 150_000) }
        }
        let written = disk.events.reduce(0) { sum, event in
            if case .write(_, let bytes) = event { sum + bytes.count } else { sum }
        }
        // The list has 1.2 MB: 300 leaves, of which one or two change with each commit.
        expect(written <= 20 * 16 << 10, "\(written) bytes written")
        let numbers = try Self.numbers(store)
        expectEqual(numbers.count, 300_020)
        expect(numbers[150_000] == -19 && numbers[150_019] == 0 && numbers[150_020] == 150_000)
    }

    @Test func `links in lists and sets have backlinks, and are removed with their targets`() throws {
        let store = try Self.store()
        try store.write { transaction in
            let list = transaction.mutableList(of: Self.dog, "friends")
            for _ in 0..<3 {
                try list.append(.link(Self.other))
                try list.append(.link(Self.dog))
            }
            try list.remove(at: 0)
            let pack = transaction.mutableSet(of: Self.dog, "pack")
            try expect(pack.insert(.link(Self.other)))
            try expect(!pack.insert(.link(Self.other)))
            try expectEqual(pack.count, 1)
        }
        func backlinks() throws -> Int {
            try #require(try store.snapshot().table(named: "Dog").object(Self.other.key)).backlinkCount
        }
        try expectEqual(backlinks(), 3)
        try store.write { transaction in
            // The list is open and changed while a target of its links is deleted.
            try transaction.mutableList(of: Self.dog, "friends").append(.link(Self.other))
            try transaction.delete(Self.other)
            try expectEqual(transaction.mutableList(of: Self.dog, "friends").count, 3)
            try expectEqual(transaction.mutableSet(of: Self.dog, "pack").count, 0)
        }
        guard case .list(let left) = try Self.value("friends", store) else { return expect(false) }
        expectEqual(left.count, 3)
    }

    @Test func `embedded objects in a list are removed with their element`() throws {
        let store = try Self.store()
        try store.write { transaction in
            let homes = transaction.mutableList(of: Self.dog, "homes")
            for street in ["a", "b", "c"] { try homes.append(.embedded(["street": .string(street)])) }
            try homes.set(0, .embedded(["street": "d"]))
            try homes.move(from: 2, to: 0)
            try homes.remove(at: 1)
        }
        try expectEqual(store.snapshot().table(named: "Home").count, 2)
        guard case .list(let homes) = try Self.value("homes", store) else { return expect(false) }
        let streets = try homes.map { home -> String? in
            guard case .embedded(let object) = home, case .string(let street) = try object["street"] else { return nil }
            return street
        }
        expectEqual(streets, ["c", "b"])
        try store.write { try $0.mutableList(of: Self.dog, "homes").removeAll() }
        try expectEqual(store.snapshot().table(named: "Home").count, 0)
    }

    @Test func `sets have each element once, in Realm's order`() throws {
        let store = try Self.store()
        try store.write { transaction in
            let tags = transaction.mutableSet(of: Self.dog, "tags")
            for tag in ["b", "a", "c", "b"] { try tags.insert(.string(tag)) }
            try expect(tags.remove("c"))
            try expect(!tags.remove("c"))
            try expect(tags.count == 2 && tags.contains("a") && !tags.contains("c"))
            let odds = transaction.mutableSet(of: Self.dog, "odds")
            try expect(odds.insert(1))
            // Equal numbers of different types are one element.
            try expect(!odds.insert(1.0))
            try expect(odds.insert(.null) && odds.insert("1") && odds.insert(.link(Self.other)))
            try expect(!odds.insert(.link(Self.other)))
        }
        try expectEqual("\(Self.value("tags", store))", "\(RealmCore.Value.set([.string("a"), .string("b")]))")
        guard case .set(let odds) = try Self.value("odds", store) else { return expect(false) }
        expectEqual(odds.count, 4)
        try store.write { try $0.delete(Self.other) }
        guard case .set(let rest) = try Self.value("odds", store) else { return expect(false) }
        expectEqual(rest.count, 3)
    }

    @Test func `dictionaries and nested collections can be changed`() throws {
        let store = try Self.store()
        try store.write { transaction in
            let marks = transaction.mutableDictionary(of: Self.dog, "marks")
            try marks.set("b", 1)
            try marks.set("a", .list([1, .dictionary(["x": 1])]))
            try marks.set("b", 2)
            try expect(marks.count == 2 && marks.contains(key: "a") && !marks.contains(key: "c"))
            try marks.list(key: "a").append("end")
            try marks.list(key: "a").dictionary(at: 1).set("y", .list([]))
            try marks.list(key: "a").dictionary(at: 1).list(key: "y").append(5)
            try transaction.set(Self.dog, "any", .list([]))
            try transaction.mutableList(of: Self.dog, "any").append(.dictionary([:]))
            try transaction.mutableList(of: Self.dog, "any").dictionary(at: 0).set("deep", true)
            // The value is set as a whole while its parts are open.
            try transaction.set(Self.other, "any", .list([1]))
            try transaction.mutableList(of: Self.other, "any").append(2)
            try transaction.set(Self.other, "any", "plain")
        }
        let marks = try Self.value("marks", store)
        let expected = RealmCore.Value.dictionary([
            .init(
                key: .string("a"),
                value: .list([
                    .int(1),
                    .dictionary([
                        .init(key: .string("x"), value: .int(1)), .init(key: .string("y"), value: .list([.int(5)])),
                    ]),
                    .string("end"),
                ])),
            .init(key: .string("b"), value: .int(2)),
        ])
        expectEqual("\(marks)", "\(expected)")
        try expectEqual(
            "\(Self.value("any", store))",
            "\(RealmCore.Value.list([.dictionary([.init(key: .string("deep"), value: .bool(true))])]))")
        let plain = try #require(try store.snapshot().table(named: "Dog").object(Self.other.key))["any"]
        expectEqual("\(plain)", "\(RealmCore.Value.string("plain"))")
    }

    @Test func `invalid changes are reported, and earlier changes are kept`() throws {
        let store = try Self.store(numbers: 2)
        func refusal(_ body: (WriteTransaction) throws -> Void) throws -> InvalidValue.Code? {
            try store.write { transaction in
                do {
                    try body(transaction)
                } catch WriteError.misfit(let misfit) {
                    return misfit.code
                }
                return nil
            }
        }
        try expectEqual(refusal { try $0.mutableList(of: Self.dog, "numbers").remove(at: 2) }, .noSuchElement)
        try expectEqual(refusal { try $0.mutableList(of: Self.dog, "numbers").insert(1, at: -1) }, .noSuchElement)
        try expectEqual(refusal { try $0.mutableList(of: Self.dog, "numbers").insert(1, at: 3) }, .noSuchElement)
        try expectEqual(refusal { try $0.mutableList(of: Self.dog, "numbers").set(2, 1) }, .noSuchElement)
        try expectEqual(refusal { try $0.mutableList(of: Self.dog, "numbers").move(from: 0, to: 2) }, .noSuchElement)
        try expectEqual(refusal { try $0.mutableList(of: Self.dog, "numbers").append("text") }, .wrongType)
        try expectEqual(refusal { try $0.mutableList(of: Self.dog, "numbers").append(.null) }, .nullNotAllowed)
        try expectEqual(refusal { try $0.mutableList(of: Self.dog, "tags").append("text") }, .wrongType)
        try expectEqual(refusal { try $0.mutableSet(of: Self.dog, "numbers").insert(1) }, .wrongType)
        try expectEqual(refusal { try $0.mutableDictionary(of: Self.dog, "word").set("a", 1) }, .wrongType)
        try expectEqual(refusal { try $0.mutableList(of: Self.dog, "any").append(1) }, .wrongType)
        try expectEqual(refusal { try $0.mutableList(of: Self.dog, "none").append(1) }, .noSuchProperty)
        try expectEqual(refusal { try $0.mutableDictionary(of: Self.dog, "marks").set(1, 1) }, .wrongType)
        try expectEqual(
            refusal { try $0.mutableDictionary(of: Self.dog, "marks").list(key: "a").append(1) }, .noSuchElement)
        let gone = ObjectReference("Dog", ObjectKey(77))
        try expectEqual(refusal { try $0.mutableList(of: gone, "numbers").append(1) }, .badObjectKey)
        try expectEqual(Self.numbers(store), [0, 1])
        // A partial change: recorded links, and a value that does not fit.
        #expect(throws: WriteError.self) {
            try store.write { transaction in
                _ = try? transaction.mutableDictionary(of: Self.dog, "marks").set(
                    "a", .list([.link(Self.other), .link(gone)]))
            }
        }
        try expectEqual("\(Self.value("marks", store))", "\(RealmCore.Value.dictionary([]))")
    }
}
