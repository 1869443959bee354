import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import WriterTestSupport

/// Transactions that add many objects, and change and remove them before the commit: full clusters at the end of a
/// table are written while objects are added.
@Suite struct BulkTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Person", primaryKey: "_id",
            [
                .init("_id", .int), .init("name", .string, isNullable: true, index: .general),
                .init("text", .string, index: .fullText), .init("words", .string, collection: .list, index: .general),
                .init("any", .mixed, index: .general), .init("friend", .link, target: "Person"),
                .init("friends", .link, collection: .list, target: "Person"), .init("part", .link, target: "Part"),
            ]),
        TableDefinition(
            class: "Part", kind: .embedded,
            [.init("number", .int), .init("inner", .link, target: "Part"), .init("whole", .link, target: "Person")]),
    ])

    private static func values(_ id: Int, _ random: inout Numbers) -> [String: NewValue] {
        let number = Int.random(in: 0..<40, using: &random)
        return [
            "_id": .int(Int64(id)),
            "name": number == 0 ? .null : .string(String(repeating: "name", count: number / 2) + "\(number)"),
            "text": .string("some words \(number) and \(id % 7)"), "words": ["a\(number % 3)", "b\(number)"],
            "any": number % 3 == 0 ? .int(Int64(number)) : .string("any \(number % 5)"),
            "part": .embedded(["number": .int(Int64(id)), "inner": .embedded(["number": .int(Int64(-id))])]),
        ]
    }

    /// The model of an object; links are numbers of other objects.
    private struct Model: Equatable {
        var name: String
        var part: Int64?
        var friend: Int64?
        var friends: [Int64]
    }

    @Test func `values in the order of names give the same file as values by name`() throws {
        let folder = try TemporaryFolder()
        for name in ["named.realm", "ordered.realm"] {
            try RealmBuilder(Self.schema, at: NewFile(folder.file(name))).finish()
            let store = try RealmStore(path: folder.file(name), durability: .none)
            var random = Numbers(state: 1)
            for _ in 0..<3 {
                try store.write { transaction in
                    for id in 0..<400 {
                        if try transaction.object("Person", primaryKey: .int(Int64(id))) != nil { continue }
                        let values = Self.values(id, &random)
                        if id % 5 == 0 { continue }
                        // The same names in two orders.
                        let names = id % 7 == 0 ? values.keys.sorted() : values.keys.sorted().reversed()
                        if name == "named.realm" {
                            _ = try transaction.add("Person", values)
                        } else {
                            let ordered = names.map { values[$0] ?? .null }
                            _ = try transaction.add("Person", properties: names, values: ordered)
                        }
                    }
                }
            }
        }
        expectEqual(folder.bytes("named.realm"), folder.bytes("ordered.realm"))
    }

    @Test func `ordered values with wrong names are refused, and nothing is changed`() throws {
        let folder = try TemporaryFolder()
        try RealmBuilder(Self.schema, at: NewFile(folder.file("bulk.realm"))).finish()
        let store = try RealmStore(path: folder.file("bulk.realm"), durability: .none)
        let names = ["_id", "text"]
        func refused(_ className: String, _ names: [String], _ values: [NewValue]) throws -> String {
            try store.write { transaction in
                do throws(WriteError) {
                    _ = try transaction.add(className, properties: names, values: values)
                    return "nothing"
                } catch { return error.description }
            }
        }
        try expectEqual(
            refused("Person", ["_id", "texd"], [1, "a"]),
            "Person.texd: the class Person has no such property; did you mean text?")
        try expectEqual(refused("Person", ["_id", "text", "_id"], [1, "a", 2]), "Person._id: is named twice")
        try expectEqual(refused("Person", names, [1]), "Person: there are 1 values for 2 properties")
        try expectEqual(refused("Person", names, ["a", "a"]), "Person._id: is of type int, not a string")
        try expectEqual(refused("Part", ["number"], [1]), "Part: objects of the class live inside others")
        try expectEqual(store.snapshot().table(named: "Person").count, 0)
        try expectEqual(refused("Person", names, [1, "a"]), "nothing")
        try expectEqual(store.snapshot().table(named: "Person").count, 1)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `objects added, changed and removed in one transaction match a model`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(Self.schema, at: NewFile(folder.file("bulk.realm")))
        try builder.finish()
        let store = try RealmStore(path: folder.file("bulk.realm"), durability: .none)
        var random = Numbers(state: seed)
        var model: [Int64: Model] = [:]
        // Ascending.
        var ids: [Int64] = []
        var next = 0
        for round in 0..<3 {
            try store.write { transaction in
                for _ in 0..<600 {
                    let id = Int64(next)
                    next += 1
                    var values = Self.values(Int(id), &random)
                    let others = (0..<2).compactMap { _ in ids.randomElement(using: &random) }
                    values["friends"] = .list(others.map { .link(primaryKey: .int($0)) })
                    if let first = others.first { values["friend"] = .link(primaryKey: .int(first)) }
                    _ = try transaction.add("Person", values)
                    let name = if case .string(let text)? = values["name"] { text } else { "" }
                    model[id] = Model(name: name, part: id, friend: others.first, friends: others)
                    ids.append(id)
                    try Self.change(transaction, &model, &random)
                    if model.count < ids.count { ids = model.keys.sorted() }
                }
            }
            let snapshot = store.snapshot()
            try expectEqual(Self.read(snapshot), model, "round \(round)")
        }
        let findings = Verification(level: .deep).run(on: try ByteSource(path: folder.file("bulk.realm"))).findings
        expect(findings.isEmpty)
    }

    /// Sometimes changes or removes an object, usually one of the last.
    private static func change(
        _ transaction: WriteTransaction, _ model: inout [Int64: Model], _ random: inout Numbers
    ) throws {
        guard random.chance(6) else { return }
        let ids = model.keys.sorted()
        guard let id = (random.chance(2) ? ids.suffix(5) : ids[...]).randomElement(using: &random),
            let object = try transaction.object("Person", primaryKey: .int(id))
        else { return }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            try transaction.set(object, "name", "changed \(id % 11)")
            model[id]?.name = "changed \(id % 11)"
        case 1:
            try transaction.set(object, "friend", .link(primaryKey: .int(id)))
            model[id]?.friend = id
        case 2:
            let part: NewValue = .embedded([
                "number": .int(id + 1), "inner": .embedded(["inner": .embedded(["number": 5]), "number": 4]),
            ])
            try transaction.set(object, "part", part)
            model[id]?.part = id + 1
        case 3:
            try transaction.set(object, "friends", [])
            model[id]?.friends = []
        default:
            try transaction.delete(object)
            model[id] = nil
            for other in model.keys {
                if model[other]?.friend == id { model[other]?.friend = nil }
                model[other]?.friends.removeAll { $0 == id }
            }
        }
        if random.chance(10) { _ = try transaction.snapshot() }
    }

    private static func read(_ snapshot: Snapshot) throws -> [Int64: Model] {
        var read: [Int64: Model] = [:]
        var cursor = try snapshot.table(named: "Person").objects
        while let person = try cursor.next() {
            var model = Model(name: "", part: nil, friend: nil, friends: [])
            if case .string(let text) = try person["name"] { model.name = text }
            model.friend = try identity(person["friend"])
            if case .list(let elements) = try person["friends"] {
                model.friends = try elements.compactMap { try identity($0) }
            }
            if case .embedded(let part) = try person["part"], case .int(let number) = try part["number"] {
                model.part = number
            }
            if case .int(let id) = try person["_id"] { read[id] = model }
        }
        return read
    }

    private static func identity(_ value: Value) throws -> Int64? {
        guard case .link(let link) = value, case .int(let id)? = try link.object()?["_id"] else { return nil }
        return id
    }
}
