import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Targets of links are found with the cluster of the last link cached.
@Suite struct LinkTargetTests {
    private static let clusterSize = 256

    /// Returns clusters of objects with one column, whose keys are 0, 1, …, in a tree with one inner node.
    private func objects(_ file: inout HandmadeFile, _ values: [Int]) -> Int {
        let clusters = stride(from: 0, to: values.count, by: Self.clusterSize).map { first in
            let part = Array(values[first..<min(first + Self.clusterSize, values.count)])
            return file.cluster(part.count, [file.writer.integers(part)])
        }
        return file.clusterInner(depth: 1, count: values.count, clusters)
    }

    /// Returns the class `Whole`, each of whose objects embeds the objects of `Part` with the given keys; the object
    /// with key `k` has the number `3k`.
    private func wholes(_ keys: [[Int]], parts: Int) throws -> Table {
        var file = HandmadeFile()
        let parts = objects(&file, (0..<parts).map { $0 * 3 })
        file.addTable("class_Part", [HandmadeFile.Column("number", .int)], objects: parts, kind: .embedded)
        // Keys of single links are stored plus 1.
        let single = file.writer.integers(keys.map { $0[0] + 1 })
        let lists = file.writer.refs(keys.map { file.writer.integers($0) })
        file.addTable(
            "class_Whole",
            [
                HandmadeFile.Column("part", .link, .nullable, index: 0, target: 0),
                HandmadeFile.Column("parts", .link, .list, index: 1, target: 0),
            ], objects: file.cluster(keys.count, [single, lists]))
        return try RealmDatabase(bytes: file.bytes()).snapshot().table(named: "Whole")
    }

    private func number(_ value: Value) throws -> Int64 {
        guard case .embedded(let part) = value, case .int(let number) = try part["number"] else {
            throw TestSupportError("no part: \(value)")
        }
        return number
    }

    @Test func `embedded objects are found in any cluster`() throws {
        let keys = [[5, 300], [300, 6, 519], [6], [519, 0, 255, 256, 511, 512], [7, 7], [256]]
        let table = try wholes(keys, parts: 520)
        var wholes: [StoredObject] = []
        var cursor = table.objects
        while let whole = try cursor.next() { wholes.append(whole) }
        // Twice, the second time backwards, for different cache contents.
        for whole in wholes + wholes.reversed() {
            let expected = keys[Int(whole.key.value)].map { Int64($0 * 3) }
            try expectEqual(number(whole["part"]), expected[0])
            guard case .list(let parts) = try whole["parts"] else { throw TestSupportError("no list") }
            try expectEqual(parts.map { try number($0) }, expected)
            let alone = try #require(try table.object(whole.key))
            try expectEqual(number(alone["part"]), expected[0])
        }
    }

    /// Twenty clusters of parts exceed the permanent cache, and four tasks search them at the same time.
    @Test func `embedded objects are found in more clusters than are cached`() async throws {
        let (count, clusters) = (200, 20)
        // Each object has parts in three clusters, which differ between objects.
        let keys = (0..<count).map { whole in [7, 0, 13].map { (whole * 7 + $0) % clusters * Self.clusterSize + whole }
        }
        let table = try wholes(keys, parts: clusters * Self.clusterSize)
        let objects = try (0..<count).map { try #require(try table.object(ObjectKey(Int64($0)))) }
        var cursor = table.objects
        var neighbours: [StoredObject] = []
        while let whole = try cursor.next() { neighbours.append(whole) }
        let shared = neighbours
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for round in 0..<count * 2 {
                        let whole = (round * (2 * task + 1) + 31 * task) % count
                        let expected = keys[whole].map { Int64($0 * 3) }
                        for object in [shared[whole], objects[whole]] {
                            try expectEqual(number(object["part"]), expected[0])
                            guard case .list(let parts) = try object["parts"] else { throw TestSupportError("no list") }
                            try expectEqual(parts.map { try number($0) }, expected)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a link to a missing object is an error, between valid ones`() throws {
        // The keys 520 to 767 would be in the last cluster.
        let table = try wholes([[519], [520], [518], [70000], [3], [520]], parts: 520)
        var cursor = table.objects
        var found: [Int64] = []
        while let whole = try cursor.next() {
            do throws(FormatError) {
                guard case .embedded(let part) = try whole["part"] else { throw FormatError(.badLink, "no part") }
                found.append(part.key.value)
            } catch {
                expectEqual(error.code, .badLink)
                expect((error.table, error.property, error.objectKey) == ("class_Whole", "part", whole.key))
                found.append(-1)
            }
        }
        expectEqual(found, [519, -1, 518, -1, 3, -1])
    }

    /// Every kind of link, in files of the current form, in the overlay of older formats, and in encrypted files.
    /// `TruthTests`, `LegacyTruthTests` and `EncryptedContentTests` compare the cursor's values with the dumps.
    @Test(
        arguments: (KnownFile.fixtures + KnownFile.legacyFixtures + KnownFile.encryptedFixtures).filter {
            ["links", "embedded", "tombstones", "people", "kennel", "nested"].contains(where: $0.name.contains)
        })
    func `each link leads to the object that a cursor returns`(_ file: KnownFile) throws {
        let database =
            try file.keyFile == nil
            ? RealmDatabase(path: file.url.path)
            : RealmDatabase(path: file.url.path, key: EncryptionKey(bytes: file.key()))
        let snapshot = try database.snapshot()
        var objects: ByTable<[ObjectKey: StoredObject]> = []
        for table in snapshot.tables {
            var found: [ObjectKey: StoredObject] = [:]
            var cursor = table.objects
            while let object = try cursor.next() { found[object.key] = object }
            objects.append(found)
        }
        var count = 0
        for table in snapshot.tables {
            var cursor = table.objects
            while let object = try cursor.next() {
                for value in try object.values() { count += try follow(value, objects) }
            }
        }
        expect(count > 0)
    }

    private func follow(_ value: Value, _ objects: ByTable<[ObjectKey: StoredObject]>) throws -> Int {
        switch value {
        case .list(let values), .set(let values): return try values.reduce(0) { try $0 + follow($1, objects) }
        case .dictionary(let entries): return try entries.reduce(0) { try $0 + follow($1.value, objects) }
        case .embedded(let object):
            try expectEqual(object.values(), objects[object.table.position][object.key]?.values())
            return 1
        case .link(let link):
            guard let object = try link.object() else { return 0 }
            expect(object.key == link.objectKey && object.table == link.table)
            try expectEqual(object.values(), objects[link.table.position][link.objectKey]?.values())
            return 1
        default: return 0
        }
    }

    /// Each object of a chain caches its link's target, but not transitively: the first would retain all of them.
    @Test func `a long chain of links is followed and released on a small stack`() async throws {
        let count = 40_000
        // The next one is always in another cluster.
        let next = (0..<count).map { ($0 + 257) % count }
        var file = HandmadeFile()
        let objects = objects(&file, next.map { $0 + 1 })
        file.addTable("class_Chain", [HandmadeFile.Column("next", .link, .nullable, target: 0)], objects: objects)
        let table = try RealmDatabase(bytes: file.bytes()).snapshot().classes[0]
        let last: Int64? = await withCheckedContinuation { continuation in
            let thread = Thread {
                var first = try? table.object(ObjectKey(0))
                var object = first
                for _ in 0..<count - 1 {
                    guard case .link(let link)? = try? object?["next"] else { break }
                    object = try? link.object()
                }
                let key = object?.key.value
                object = nil
                first = nil
                continuation.resume(returning: key)
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        // 257 and 40,000 have no common divisor: after visiting every object, the chain is one step before its
        // beginning.
        expectEqual(last, Int64(count - 257))
    }

    /// Leaves are opened on first use: a damaged one does not affect other properties, however often it is read.
    @Test func `a damaged leaf does not affect other properties`() throws {
        var bytes = try KnownFile.fixture("kennel").bytes()
        let intact = try RealmDatabase(bytes: bytes).snapshot().table(named: "Dog")
        let position = try #require(intact.schema.properties.propertyIndex { $0.name == "name" })
        let cluster = try #require(try intact.core.objects.find(ObjectKey(0))?.cluster)
        let leaf = try cluster.leaf(of: intact.core.columns[position], in: intact.snapshot.space)
        bytes[leaf.ref.offset + 4] |= 0x18
        var dogs = try RealmDatabase(bytes: bytes).snapshot().table(named: "Dog").objects
        var count: Int64 = 0
        while let dog = try dogs.next() {
            for _ in 0..<2 {
                let error = try #require(throws: FormatError.self) { try dog["name"] }
                expect((error.code, error.offset) == (.badNode, leaf.ref.offset))
                expect((error.table, error.property, error.objectKey) == ("class_Dog", "name", dog.key))
                // `Fixtures/kennel.jsonl`: the ages are 0 to 9.
                try expectEqual(dog["age"], .int(count))
            }
            count += 1
        }
        expectEqual(count, 10)
    }

    /// Tasks that read the same objects open their leaves and resolve their links at the same time.
    @Test func `objects can be read by many tasks at once`() async throws {
        let snapshot = try RealmDatabase(path: KnownFile.fixture("embedded").url.path).snapshot()
        var expected: [[Value]] = []
        for table in snapshot.classes {
            var cursor = table.objects
            while let object = try cursor.next() { expected.append(try object.values()) }
        }
        for _ in 0..<20 {
            var objects: [StoredObject] = []
            for table in snapshot.classes {
                var cursor = table.objects
                while let object = try cursor.next() { objects.append(object) }
            }
            let shared = objects
            let results = try await withThrowingTaskGroup(of: [[Value]].self) { group in
                for _ in 0..<4 { group.addTask { try shared.map { try $0.values() } } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            expect(results.count == 4 && results.allSatisfy { $0 == expected })
        }
    }
}
