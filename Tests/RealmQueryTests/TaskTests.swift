import Expectations
import RealmCore
import RealmLayout
import RealmQuery
import RealmStorage
import RealmStore
import TestSupport
import Testing
import WriterTestSupport

/// Several tasks find, sort, group and distinguish the same as one task, for any division of the work.
@Suite struct TaskTests {
    /// The number of objects in a part, small enough for several parts of each fixture.
    private static let partSizes = [1, 3, 40]

    private func compare(_ table: Table, seed: UInt64, queries: Int, _ name: String) async throws -> Int {
        guard !table.schema.properties.isEmpty else { return 0 }
        var random = try RandomQueries(table, seed: seed)
        var meant = 0
        for number in 0..<queries {
            let (query, arguments) = random.next()
            guard let expected = try? table.objects(matching: query, arguments: arguments).keys else { continue }
            meant += 1
            var options = QueryOptions(usesIndexes: number % 2 == 0)
            options.partSize = Self.partSizes[number % Self.partSizes.count]
            let jobs = 2 + number % 3
            let found = try await table.objects(matching: query, arguments: arguments, options: options, jobs: jobs)
            expectEqual(found.keys, expected, "\(name), \(table.name): \(query) \(arguments)")
            let count = try await table.count(matching: query, arguments: arguments, options: options, jobs: jobs)
            expectEqual(count, expected.count, "\(name), \(table.name): \(query) \(arguments)")
        }
        return meant
    }

    /// Groups by each property, and aggregates each property where possible.
    private func compareGroups(_ table: Table, _ name: String) async throws -> Int {
        let all = try table.objects(matching: ObjectQuery(.constant(true)))
        let names = table.schema.properties.map(\.name)
        let summarized = names.filter { (try? table.summary(of: $0)) != nil }
        var meant = 0
        for (number, path) in names.enumerated() {
            guard let expected = try? all.grouped(by: [path], summarizing: summarized) else { continue }
            meant += 1
            let found = try await all.grouped(
                by: [path], summarizing: summarized, jobs: 2,
                partSize: Self.partSizes[number % Self.partSizes.count])
            expectEqual(found.map(Self.text), expected.map(Self.text), "\(name), \(table.name): \(path)")
        }
        return meant
    }

    /// Returns all aggregates of a group; doubles to the last bit.
    private static func text(_ group: QueryGroup) -> String {
        func text(_ value: Value) -> String {
            if case .double(let number) = value { return "double \(number.bitPattern)" }
            return "\(value)"
        }
        let sums = group.summaries.map {
            "\($0.count) \(text($0.sum)) \(text($0.average)) \(text($0.min)) \(text($0.max))"
        }
        return "\(group.values) \(group.count) \(sums)"
    }

    @Test func `several tasks find the same as one in fixtures`() async throws {
        var (meant, grouped) = (0, 0)
        for (number, file) in (KnownFile.fixtures + KnownFile.legacyFixtures).enumerated() {
            let snapshot = try RealmDatabase(path: file.url.path).snapshot()
            for table in snapshot.classes where try table.count < 3000 {
                meant += try await compare(table, seed: UInt64(number) &+ 5000, queries: 15, file.name)
                grouped += try await compareGroups(table, file.name)
            }
        }
        expect(meant > 500 && grouped > 200)
    }

    @Test func `several tasks find the same as one in encrypted fixtures`() async throws {
        for file in KnownFile.encryptedFixtures.prefix(2) {
            let snapshot = try RealmDatabase(path: file.url.path, key: EncryptionKey(bytes: file.key())).snapshot()
            for table in snapshot.classes where try table.count < 3000 {
                _ = try await compare(table, seed: 77, queries: 15, file.name)
                _ = try await compareGroups(table, file.name)
            }
        }
    }

    @Test(arguments: UInt64(1)...6)
    func `several tasks find the same as one in random databases`(seed: UInt64) async throws {
        let snapshot = try RandomDatabase.snapshot(seed: seed)
        for table in snapshot.classes {
            _ = try await compare(table, seed: seed &* 31, queries: 30, "seed \(seed)")
            _ = try await compareGroups(table, "seed \(seed)")
        }
    }

    // MARK: Counts of collections

    private static let shelves = SchemaDefinition([
        TableDefinition(
            class: "Shelf",
            [
                PropertyDefinition("books", .link, collection: .list, target: "Book"),
                PropertyDefinition("tags", .string, collection: .set),
                PropertyDefinition("next", .link, target: "Shelf"),
            ]),
        TableDefinition(class: "Book", [PropertyDefinition("pages", .int)]),
    ])

    /// Returns thirty shelves with 0 to 3 books and 0 to 2 tags. Each has the previous one as its next shelf, except
    /// every fifth.
    private static func shelfTable() throws -> Table {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(Self.shelves, at: NewFile(folder.file("shelves.realm")))
        var books: [ObjectReference] = []
        for number in 0..<4 { books.append(try builder.add("Book", ["pages": .int(Int64(number * 100))])) }
        var last: ObjectReference?
        for number in 0..<30 {
            var values: [String: NewValue] = [:]
            values["books"] = .list(books.prefix(number % 4).map { .link($0) })
            values["tags"] = .list((0..<(number % 3)).map { .string("tag \($0)") })
            if number % 5 > 0, let last { values["next"] = .link(last) }
            last = try builder.add("Shelf", values)
        }
        try builder.finish()
        return try RealmDatabase(path: folder.file("shelves.realm")).snapshot().table(named: "Shelf")
    }

    @Test func `objects are grouped by the number of elements of a collection`() async throws {
        let all = try Self.shelfTable().objects(matching: ObjectQuery(.constant(true)))
        func groups(_ path: String) async throws -> [String] {
            let groups = try all.grouped(by: [path])
            let parallel = try await all.grouped(by: [path], summarizing: [], jobs: 3, partSize: 2)
            expectEqual(groups.map(Self.text), parallel.map(Self.text), "\(path)")
            return groups.map { group in
                if case .int(let number) = group.values[0] {
                    "\(number): \(group.count)"
                } else {
                    "null: \(group.count)"
                }
            }
        }
        try await expectEqual(groups("books.@count"), ["0: 8", "1: 8", "2: 7", "3: 7"])
        try await expectEqual(groups("books.@size"), groups("books.@count"))
        try await expectEqual(groups("tags.@count"), ["0: 10", "1: 10", "2: 10"])
        // Six shelves have no next one; the rest have the previous one.
        let next = (0..<30).filter { $0 % 5 > 0 }.map { ($0 - 1) % 4 }
        let expected = ["null: 6"] + [0, 1, 2, 3].map { count in "\(count): \(next.count { $0 == count })" }
        try await expectEqual(groups("next.books.@count"), expected)
        try await expectEqual(groups("@links.Shelf.next.@count"), ["1: 24", "0: 6"])
        for wrong in ["books", "books.pages", "books.@count.x", "@links.Shelf.next.books.@count", "tags.length"] {
            #expect(throws: QueryError.self, "\(wrong)") { try all.grouped(by: [wrong]) }
        }
    }

    @Test func `numbers of elements are added up`() async throws {
        let table = try Self.shelfTable()
        let all = try table.objects(matching: ObjectQuery(.constant(true)))
        let books = (0..<30).map { $0 % 4 }
        // Six shelves have no next one and do not count.
        let next = (0..<30).filter { $0 % 5 > 0 }.map { ($0 - 1) % 4 }
        let expected = [
            "books.@count": books, "books.@size": books, "tags.@count": (0..<30).map { $0 % 3 },
            "next.books.@count": next,
            "@links.Shelf.next.@count": (0..<30).map { $0 < 29 && ($0 + 1) % 5 > 0 ? 1 : 0 },
        ]
        for (path, numbers) in expected {
            let sum = numbers.reduce(0, +)
            for summary in [try table.summary(of: path), try all.summary(of: path)] {
                expectEqual(summary.count, numbers.count, "\(path)")
                expectEqual(summary.sum, .int(Int64(sum)), "\(path)")
                expectEqual(summary.average, .double(Double(sum) / Double(numbers.count)), "\(path)")
                expectEqual(summary.min, .int(0), "\(path)")
                expectEqual(summary.max, .int(Int64(numbers.max() ?? 0)), "\(path)")
            }
            try expect(table.sum(path) == .int(Int64(sum)) && table.average(path) == all.average(path))
        }
        try expectEqual(table.objects(matching: "FALSEPREDICATE").max("books.@count"), .null)
        for jobs in 1...3 {
            let groups = try await all.grouped(
                by: ["tags.@count"], summarizing: ["books.@count"], jobs: jobs, partSize: 2)
            let sums = (0..<3).map { tags in (0..<30).filter { $0 % 3 == tags }.reduce(0) { $0 + $1 % 4 } }
            expectEqual(groups.map(\.summaries[0].sum), sums.map { .int(Int64($0)) })
        }
        let others = ["books", "books.pages.@count", "@links.Shelf.next.books.@count", "books.@count.x", "tags.length"]
        for wrong in others {
            #expect(throws: QueryError.self, "\(wrong)") { try all.summary(of: wrong) }
        }
    }

    @Test func `values reached by a key of a dictionary are added up`() throws {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Owner", [PropertyDefinition("pets", .link, collection: .dictionary(.string), target: "Pet")]),
            TableDefinition(class: "Pet", [PropertyDefinition("age", .int), PropertyDefinition("weight", .double)]),
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("pets.realm")))
        for age in [50, 7, 7, 100] {
            let pet = try builder.add("Pet", ["age": .int(Int64(age)), "weight": .double(Double(age) / 2)])
            try builder.add("Owner", ["pets": .dictionary(["first": .link(pet)])])
        }
        try builder.finish()
        let owners = try RealmDatabase(path: folder.file("pets.realm")).snapshot().table(named: "Owner")
        try expectEqual(owners.sum("pets['first'].age"), .int(164))
        try expectEqual(owners.max("pets['first'].age"), .int(100))
        try expectEqual(owners.average("pets['first'].weight"), .double(20.5))
    }

    // MARK: Many values

    @Test func `many different values are distinguished`() async throws {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Item", [PropertyDefinition("name", .string, isNullable: true), PropertyDefinition("age", .int)])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("many.realm")))
        var keys: [ObjectKey] = []
        for number in 0..<70_000 {
            // Each of 50,000 names occurs again later, except null.
            let name = number % 50_000
            let values: [String: NewValue] = [
                "name": name == 4999 ? .null : .string("name \(name)"), "age": .int(Int64(number / 60_000)),
            ]
            keys.append(try builder.add("Item", values).key)
        }
        try builder.finish()
        let items = try RealmDatabase(path: folder.file("many.realm")).snapshot().table(named: "Item")
        for (paths, expected) in [
            ("name", Array(keys.prefix(50_000))), ("name, age", Array(keys.prefix(50_000) + keys.suffix(10_000))),
        ] {
            let query = try ObjectQuery("TRUEPREDICATE DISTINCT(\(paths))")
            try expectEqual(items.objects(matching: query).keys, expected, "\(paths)")
            try await expectEqual(items.objects(matching: query, jobs: 2).keys, expected, "\(paths), two tasks")
        }
    }

    // MARK: Indexes

    /// A verified value of an index is not verified again, within the same snapshot.
    @Test func `a verified value of an index is not verified again`() throws {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(class: "Item", [PropertyDefinition("city", .string, index: .general)])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("cities.realm")))
        for number in 0..<2000 { try builder.add("Item", ["city": .string("city \(number % 800)")]) }
        try builder.finish()
        let bytes = try #require(folder.bytes("cities.realm"))
        let query = try ObjectQuery("city == 'city 7'")
        let intact = try RealmDatabase(bytes: bytes).snapshot().table(named: "Item")
        let all = try intact.objects(matching: query, options: QueryOptions(usesIndexes: false)).keys
        expectEqual(all.count, 3)
        for _ in 0..<3 {
            try expectEqual(intact.objects(matching: query).keys, all)
            try expectEqual(intact.count(matching: query), 3)
            try expectEqual(intact.explain(query).steps[0].kept, 3)
        }
        // One of the objects gets another city, without an update of the index (Spec 30: a short string, its padding
        // and its length).
        let text = Array("city 7".utf8) + [UInt8](repeating: 0, count: 9) + [9]
        let place = try #require((0..<bytes.count - 16).first { Array(bytes[$0..<$0 + 16]) == text })
        var spoiled = bytes
        spoiled[place] ^= 1
        let other = try RealmDatabase(bytes: spoiled).snapshot().table(named: "Item")
        for _ in 0..<3 { try expectEqual(other.objects(matching: query).keys, Array(all.dropFirst())) }
        try expectEqual(other.count(matching: query), 2)
    }
}
