import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import WriterTestSupport

/// Lists of backlinks, and of objects with one value in an index, that are longer than a leaf.
@Suite struct LongListTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Person", primaryKey: "_id",
            [
                .init("_id", .int), .init("city", .string, isNullable: true, index: .general),
                .init("words", .string, index: .fullText), .init("owner", .link, target: "Owner"),
                .init("owners", .link, collection: .list, target: "Owner"),
            ]),
        TableDefinition(class: "Owner", primaryKey: "_id", [.init("_id", .int)]),
    ])

    private struct Model: Equatable {
        var city: Int
        var owner: Int
    }

    /// The last one is long; the rest have a common prefix.
    private static let cities: [String?] = ["City", "City 1", "City 2", nil, String(repeating: "city", count: 60)]

    @Test(arguments: [UInt64(1), 2])
    func `they match a model when objects are added, changed and removed`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("long.realm")
        let store = try RealmStore(path: path, options: .init(schema: Self.schema, durability: .none))
        try store.write { transaction in
            for id in 0..<3 { _ = try transaction.add("Owner", ["_id": .int(Int64(id))]) }
        }
        var random = Numbers(state: seed)
        var model: [Int64: Model] = [:]
        var next: Int64 = 0
        // Many objects at first; then small changes, large deletions, and small changes again.
        for (round, (added, changed, removed)) in [
            (9000, 0, 0), (1, 0, 0), (3, 5, 2), (1500, 20, 900), (1, 1, 1), (0, 0, 5000), (2, 3, 1), (0, 900, 0),
            (0, 0, 100_000), (10, 2, 1),
        ].enumerated() {
            try store.write { transaction in
                for _ in 0..<added {
                    let person = Model(city: Self.city(next, &random), owner: Int.random(in: 0..<3, using: &random))
                    let values = try Self.values(person, transaction)
                    _ = try transaction.add("Person", values.merging(["_id": .int(next)]) { $1 })
                    model[next] = person
                    next += 1
                }
                var ids = model.keys.sorted()
                ids.shuffle(using: &random)
                for id in ids.prefix(changed) {
                    let person = Model(city: Self.city(next, &random), owner: Int.random(in: 0..<3, using: &random))
                    model[id] = person
                    _ = try transaction.upsert(
                        "Person", Self.values(person, transaction).merging(["_id": .int(id)]) { $1 })
                }
                for id in ids.suffix(removed) {
                    if let object = try transaction.object("Person", primaryKey: .int(id)) {
                        try transaction.delete(object)
                    }
                    model[id] = nil
                }
            }
            try expectEqual(Self.read(store.snapshot()), model, "round \(round)")
            let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
            expect(findings.isEmpty, "round \(round): \(findings.first.map { "\($0)" } ?? "")")
        }
    }

    @Test func `few bytes of a long list are written when one object is added`() throws {
        let store = try RealmStore(inMemory: Self.schema)
        func add(_ ids: Range<Int64>) throws {
            try store.write { transaction in
                let owner = try transaction.object("Owner", primaryKey: 0) ?? transaction.add("Owner", ["_id": 0])
                for id in ids {
                    let values: [String: NewValue] = [
                        "_id": .int(id), "city": "City", "words": "", "owner": .link(owner),
                    ]
                    _ = try transaction.add("Person", values)
                }
            }
        }
        try add(0..<40_000)
        let before = store.snapshot()
        try add(40_000..<40_001)
        let after = store.snapshot()
        try expect(Self.newNodes(after, since: before) < 40_000)
    }

    /// Returns the bytes of nodes that only the second of two snapshots has.
    private static func newNodes(_ snapshot: Snapshot, since other: Snapshot) throws -> Int {
        func nodes(_ snapshot: Snapshot) throws -> [Int: Int] {
            var nodes: [Int: Int] = [:]
            var open = [try #require(snapshot.topRef)]
            while let ref = open.popLast() {
                let node = try snapshot.space.node(at: ref)
                nodes[ref.offset] = node.body.count
                guard node.header.hasRefs else { continue }
                for element in try node.refs().elements { if let child = Slot(element).ref { open.append(child) } }
            }
            return nodes
        }
        let known = try nodes(other)
        // A pinned snapshot keeps its nodes: nodes at other places are new.
        return try nodes(snapshot).reduce(0) { $0 + (known[$1.key] == nil ? $1.value : 0) }
    }

    private static func city(_ id: Int64, _ random: inout Numbers) -> Int {
        random.chance(4) ? Int.random(in: 0..<cities.count, using: &random) : 0
    }

    private static func values(_ person: Model, _ transaction: WriteTransaction) throws -> [String: NewValue] {
        let owner = NewValue.link(primaryKey: .int(Int64(person.owner)))
        let both: NewValue = person.city == 0 ? [] : .list([owner, owner])
        return [
            "city": cities[person.city].map { .string($0) } ?? .null,
            "words": .string("some words of city\(person.city)"),
            "owner": owner, "owners": both,
        ]
    }

    private static func read(_ snapshot: Snapshot) throws -> [Int64: Model] {
        var read: [Int64: Model] = [:]
        var cursor = try snapshot.table(named: "Person").objects
        while let person = try cursor.next() {
            guard case .int(let id) = try person["_id"], case .link(let link) = try person["owner"],
                case .int(let owner)? = try link.object()?["_id"]
            else { continue }
            let text: String? = if case .string(let text) = try person["city"] { text } else { nil }
            read[id] = Model(city: cities.firstIndex { $0 == text } ?? -1, owner: Int(owner))
        }
        return read
    }
}
