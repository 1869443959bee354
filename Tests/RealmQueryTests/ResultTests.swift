import Expectations
import RealmCore
import RealmLayout
import RealmQuery
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Aggregates, groups, indexes, words and explanations for known content.
@Suite struct ResultTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Item", primaryKey: "_id",
            [
                PropertyDefinition("_id", .int), PropertyDefinition("name", .string, isNullable: true, index: .general),
                PropertyDefinition("age", .int, isNullable: true, index: .general),
                PropertyDefinition("score", .double),
                PropertyDefinition("weight", .float, isNullable: true),
                PropertyDefinition("price", .decimal128, isNullable: true), PropertyDefinition("mixed", .mixed),
                PropertyDefinition("time", .timestamp, isNullable: true, index: .general),
                PropertyDefinition("id", .objectId, index: .general),
                PropertyDefinition("uuid", .uuid, index: .general),
                PropertyDefinition("about", .string, isNullable: true, index: .fullText),
                PropertyDefinition("owner", .link, target: "Owner"),
            ]),
        TableDefinition(
            class: "Owner",
            [PropertyDefinition("age", .int), PropertyDefinition("items", .link, collection: .list, target: "Item")]),
    ])

    private static let abouts = [
        "The quick brown fox", "A quick café au lait", "brown bread", "", "Foxes and CAFES", "quickly, quickly!",
    ]

    /// Item `n` has values derived from `n`.
    private static func build(_ count: Int = 1000) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("items.realm")))
        var owners: [ObjectReference] = []
        for number in 0..<10 { owners.append(try builder.add("Owner", ["age": .int(Int64(number * 10))])) }
        for number in 0..<count {
            let value = Int64(number)
            var values: [String: NewValue] = ["_id": .int(value * 7 % Int64(count))]
            values["name"] = number % 11 == 0 ? .null : .string("name \(number % 500)")
            values["age"] = number % 13 == 0 ? .null : .int(value % 300 - 100)
            values["score"] = .double(number % 17 == 0 ? .nan : Double(number) / 4)
            values["weight"] = number % 5 == 0 ? .null : .float(Float(number % 50) / 2)
            values["price"] = number % 7 == 0 ? .null : .decimal128(Decimal128Bits(value))
            values["mixed"] = [NewValue.int(value), .string("x"), .null, .double(0.5)][number % 4]
            values["time"] = Timestamp(seconds: value % 100 - 50, nanoseconds: value % 100 < 50 ? -5 : 5)
                .map { .timestamp($0) }
            let bytes = [UInt8](repeating: UInt8(number % 250), count: 16)
            values["id"] = ObjectID(Array(bytes.prefix(12))).map { .objectId($0) }
            values["uuid"] = UUIDBytes(bytes).map { .uuid($0) }
            values["about"] = number % 9 == 8 ? .null : .string(abouts[number % 6])
            values["owner"] = number % 3 == 0 ? .null : .link(owners[number % 10])
            try builder.add("Item", values)
        }
        try builder.finish()
        return try #require(folder.bytes("items.realm"))
    }

    private static func items(_ count: Int = 1000) throws -> Table {
        try RealmDatabase(bytes: build(count)).snapshot().table(named: "Item")
    }

    // MARK: Reading only what is needed

    @Test(arguments: [
        "score >= 2", "age < 150", "name BEGINSWITH 'name 1'", "mixed == 'x' AND score > 1", "owner.age > 3",
    ])
    func `objects after the first ones are not read`(_ text: String) throws {
        let table = try Self.items(6000)
        let query = try ObjectQuery(text)
        func most(_ work: Int) -> QueryOptions { QueryOptions(usesIndexes: false, budget: QueryBudget(work: work)) }
        #expect(throws: QueryError.self) { try table.count(matching: query, options: most(5000)) }
        let keys = try table.objects(matching: query).keys
        expect(keys.count > 500)
        try expectEqual(table.first(matching: query, options: most(5000))?.key, keys[0])
        let few = try ObjectQuery("\(text) LIMIT(10)")
        try expectEqual(table.objects(matching: few, options: most(5000)).keys, Array(keys.prefix(10)))
        try expectEqual(table.count(matching: few, options: most(5000)), 10)
        try expectEqual(
            table.count(matching: ObjectQuery("\(text) SORT(score ASC) LIMIT(10)"), options: most(5000)), 10)
        var cursor = try table.cursor(matching: query, options: most(5000))
        for number in 0..<20 { try expectEqual(cursor.next()?.key, keys[number]) }
        try expectEqual(table.objects(matching: query, options: most(5000), page: 20..<40).keys, Array(keys[20..<40]))
    }

    @Test(arguments: [
        "score >= 2", "age == 5", "age > 3 SORT(name DESC)", "TRUEPREDICATE DISTINCT(age)", "age > 3 LIMIT(25)",
    ])
    func `pages are the parts of a result`(_ text: String) throws {
        let table = try Self.items()
        let query = try ObjectQuery(text)
        let keys = try table.objectsOneByOne(matching: query).keys
        expect(keys.count > 2)
        var pages: [ObjectKey] = []
        while true {
            let page = try table.objects(matching: query, page: pages.count..<(pages.count + 7))
            guard page.count > 0 else { break }
            expectEqual(page.count, min(7, keys.count - pages.count))
            pages += page.keys
        }
        expectEqual(pages, keys)
        try expectEqual(table.objects(matching: query, page: -5..<2).keys, Array(keys.prefix(2)))
        try expectEqual(table.objects(matching: query, page: -5 ..< -2).keys, [])
        try expectEqual(table.objects(matching: query, page: 2..<Int.max).keys, Array(keys.dropFirst(2)))
    }

    @Test func `a cursor reports the error that ends a query, and is then at its end`() throws {
        let table = try Self.items(6000)
        let budget = QueryOptions(usesIndexes: false, budget: QueryBudget(work: 3000))
        var cursor = try table.cursor(matching: ObjectQuery("score >= 2"), options: budget)
        var count = 0
        #expect(throws: QueryError.self) { while try cursor.next() != nil { count += 1 } }
        expect(count > 1000 && count < 4000)
        try expectEqual(cursor.next(), nil)
    }

    @Test func `an index is read only for the requested objects`() throws {
        let table = try Self.items(6000)
        let options = QueryOptions(budget: QueryBudget(work: 10))
        // Twenty objects have that value.
        let query = try ObjectQuery("age == 5 AND score >= 0")
        #expect(throws: QueryError.self) { try table.count(matching: query, options: options) }
        let first = try #require(try table.objects(matching: query).keys.first)
        try expectEqual(table.first(matching: query, options: options)?.key, first)
    }

    // MARK: Aggregates

    @Test func `aggregates of a column match its values`() throws {
        let table = try Self.items()
        // Explicit types where there are many literals: otherwise the compiler tries all of them, for seconds.
        let ages: [Int64] = (0..<1000).filter { $0 % 13 != 0 }.map { (row: Int) -> Int64 in Int64(row % 300 - 100) }
        let age = try table.summary(of: "age")
        expectEqual(age.count, ages.count)
        expectEqual(age.sum, .int(ages.reduce(0, +)))
        expectEqual(age.average, .double(Double(ages.reduce(0, +)) / Double(ages.count)))
        expect(age.min == .int(-100) && age.max == .int(199))
        let scores: [Double] = (0..<1000).filter { $0 % 17 != 0 }.map { (row: Int) -> Double in Double(row) / 4 }
        try expectEqual(table.sum("score"), .double(scores.reduce(0, +)))
        try expectEqual(table.average("score"), .double(scores.reduce(0, +) / Double(scores.count)))
        try expect(table.min("score") == .double(0.25) && table.max("score") == .double(999.0 / 4))
        try expectEqual(table.max("weight"), .float(24.5))
        try expectEqual(table.min("time"), (Timestamp(seconds: -50, nanoseconds: -5).map { .timestamp($0) }))
        #expect(throws: QueryError.self) { try table.sum("time") }
        #expect(throws: QueryError.self) { try table.max("name") }
        #expect(throws: QueryError.self) { try table.max("nothing") }
        #expect(throws: QueryError.self) { try table.max("age +") }
        let prices = (0..<1000).filter { $0 % 7 != 0 }.reduce(0, +)
        try expectEqual(table.sum("price"), .decimal128(Decimal128Bits(Int64(prices))))
        try expectEqual(
            table.objects(matching: "mixed.@type == 'string'").sum("mixed"), .decimal128(Decimal128Bits(Int64(0)))
        )
        let owned: [Int64] = (0..<1000).filter { $0 % 3 != 0 }.map { (row: Int) -> Int64 in Int64(row % 10 * 10) }
        try expectEqual(table.sum("owner.age"), .int(owned.reduce(0, +)))
    }

    @Test func `aggregates of a result match its objects`() throws {
        let table = try Self.items()
        let found = try table.objects(matching: "age > 50 SORT(score DESC)")
        let rows = (0..<1000).filter { $0 % 13 != 0 && $0 % 300 - 100 > 50 }
        expectEqual(found.count, rows.count)
        try expectEqual(found.sum("age"), .int(rows.reduce(0) { $0 + Int64($1 % 300 - 100) }))
        try expectEqual(found.min("weight"), .float(0.5))
        let none = try table.objects(matching: "age > 5000")
        try expect(none.sum("age") == .int(0) && none.average("age") == .null && none.min("age") == .null)
        try expect(none.grouped(by: ["age"]).isEmpty)
    }

    @Test func `groups have the sums of their objects`() throws {
        let table = try Self.items()
        let all = try table.objects(matching: ObjectQuery(.constant(true)))
        let groups = try all.grouped(by: ["owner.age", "weight"], summarizing: ["age", "price"])
        var model: [String: (count: Int, sum: Int64, order: Int)] = [:]
        for number in 0..<1000 {
            let owner = number % 3 == 0 ? "null" : "\(number % 10 * 10)"
            let key = "\(owner) \(number % 5 == 0 ? "null" : "\(Float(number % 50) / 2)")"
            var entry = model[key] ?? (0, 0, model.count)
            entry.count += 1
            if number % 13 != 0 { entry.sum += Int64(number % 300 - 100) }
            model[key] = entry
        }
        expectEqual(groups.count, model.count)
        for (order, group) in groups.enumerated() {
            let words = group.values.map { value in
                switch value {
                case .int(let number): "\(number)"
                case .float(let number): "\(number)"
                default: "null"
                }
            }
            let entry = try #require(model[words.joined(separator: " ")])
            expect(group.count == entry.count && group.summaries[0].sum == .int(entry.sum) && order == entry.order)
        }
        #expect(throws: QueryError.self) { try all.grouped(by: []) }
        #expect(throws: QueryError.self) { try all.grouped(by: ["name"], summarizing: ["name"]) }
    }

    // MARK: Indexes

    private static let indexed: [(query: String, index: String?)] = [
        ("_id == 77", "index of _id"), ("_id IN {1, 2, 99999}", "index of _id"), ("name == 'name 7'", "index of name"),
        ("name == NULL", "index of name"), ("name IN {'name 7', NULL}", nil),
        ("age == 5 AND score > 100", "index of age"),
        ("age == NULL", "index of age"), ("time == T-50:-5", "index of time"), ("time == T49:5", "index of time"),
        ("id == oid(070707070707070707070707)", "index of id"),
        ("uuid == uuid(07070707-0707-0707-0707-070707070707)", "index of uuid"),
        ("name BEGINSWITH 'name 49'", "index of name"), ("name BEGINSWITH 'name 499'", "index of name"),
        ("name BEGINSWITH 'zz'", "index of name"), ("name == 'name 3' OR age == 3", "index of age and index of name"),
        ("name == 'name 3' OR score == 3", nil), ("name ==[c] 'NAME 3'", nil), ("NOT name == 'name 3'", nil),
        ("age > 5", nil), ("name == 'name 7' AND _id == 49", "index of _id"),
        ("about TEXT 'quick'", "full-text index of about"), ("about TEXT 'quick -brown'", "full-text index of about"),
        ("about TEXT 'QUICK* cafe'", "full-text index of about"), ("about TEXT '-quick'", nil),
        ("about TEXT 'fox*' AND age == 4", nil), ("about TEXT 'nothing'", "full-text index of about"),
    ]

    @Test func `the same objects are found with and without an index`() throws {
        let table = try Self.items()
        for (text, index) in Self.indexed {
            let query = try ObjectQuery(text)
            let without = try table.objects(matching: query, options: QueryOptions(usesIndexes: false)).keys
            try expectEqual(table.objects(matching: query).keys, without, "\(text)")
            try expectEqual(table.objectsOneByOne(matching: query).keys, without, "\(text)")
            try expectEqual(table.count(matching: query), without.count, "\(text)")
            let explanation = try table.explain(query)
            expectEqual(explanation.results.keys, without, "\(text)")
            if let index { expectEqual(explanation.index?.text, index, "\(text)") }
            expectEqual(explanation.steps[0].kept, without.count, "\(text)")
        }
    }

    @Test func `words of full text are found`() throws {
        let table = try Self.items(600)
        func numbers(_ text: String) throws -> Set<Int64> {
            Set(try table.objects(matching: text).keys.map { $0.value % 18 })
        }
        // For the values of objects 0 to 17 see `abouts`; 8 and 17 have none.
        try expectEqual(numbers("about TEXT 'quick brown'"), [0, 6, 12])
        try expectEqual(numbers("about TEXT 'cafe'"), [1, 7, 13])
        try expectEqual(numbers("about TEXT 'CAFÉ*'"), [1, 4, 7, 10, 13, 16])
        try expectEqual(numbers("about TEXT 'brown -fox'"), [2, 14])
        try expectEqual(numbers("about TEXT '-brown -cafe -quickly'"), [3, 4, 8, 9, 10, 15, 16, 17])
        for wrong in ["", "two-words", "fox -fox"] {
            #expect(throws: QueryError.self, "\(wrong)") { try table.objects(matching: "about TEXT '\(wrong)'") }
        }
        #expect(throws: QueryError.self) { try table.objects(matching: "name TEXT 'x'") }
    }

    /// A dangling or damaged index is ignored; wrong objects from an index are filtered out.
    @Test func `a damaged index does not give wrong objects`() throws {
        let bytes = try Self.build(600)
        let query = try ObjectQuery("name == 'name 7'")
        let intact = try RealmDatabase(bytes: bytes).snapshot().table(named: "Item").objects(matching: query).keys
        expectEqual(intact.count, 2)
        var damaged = 0
        // The index follows the columns: each of its words is damaged in turn.
        for offset in stride(from: 64, to: bytes.count - 8, by: 808) {
            var spoiled = bytes
            for index in 0..<8 { spoiled[offset + index] ^= 0x55 }
            guard let table = try? RealmDatabase(bytes: spoiled).snapshot().table(named: "Item"),
                let found = try? table.objects(matching: query).keys,
                let scanned = try? table.objects(matching: query, options: QueryOptions(usesIndexes: false)).keys
            else { continue }
            expect(Set(found).isSubset(of: scanned), "\(offset)")
            damaged += 1
            // Other queries give an error or an answer.
            guard damaged % 4 == 0, var random = try? RandomQueries(table, seed: UInt64(offset)) else { continue }
            for _ in 0..<8 {
                let (query, arguments) = random.next()
                _ = try? table.explain(query, arguments: arguments)
            }
            _ = try? table.objects(matching: "TRUEPREDICATE SORT(owner.age DESC, name ASC)").grouped(by: [
                "time", "name",
            ])
            _ = try? table.summary(of: "score")
            _ = try? table.object(primaryKey: .int(5))
        }
        expect(damaged > 10)
    }

    // MARK: Subqueries and transactions

    @Test func `an inner subquery can use the object of the outer one`() throws {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(Self.schema, at: NewFile(folder.file("owners.realm")))
        var items: [ObjectReference] = []
        for number in 0..<6 {
            items.append(
                try builder.add(
                    "Item",
                    [
                        "_id": .int(Int64(number)), "age": .int(Int64(number * 10)), "score": 0.0,
                        "id": .objectId(try #require(ObjectID([UInt8](repeating: 1, count: 12)))),
                        "uuid": .uuid(try #require(UUIDBytes([UInt8](repeating: 1, count: 16)))),
                    ]))
        }
        try builder.add("Owner", ["age": 10, "items": .list([.link(items[0]), .link(items[1])])])
        try builder.add("Owner", ["age": 25, "items": .list([.link(items[2]), .link(items[3])])])
        try builder.add("Owner", ["age": 90, "items": .list([.link(items[4]), .link(items[5])])])
        try builder.finish()
        let bytes = try #require(folder.bytes("owners.realm"))
        let owners = try RealmDatabase(bytes: bytes).snapshot().table(named: "Owner")
        // Items for which another item of the same owner is older by ten: the first of each.
        let text = """
            SUBQUERY(items, $a, SUBQUERY($a.@links.Owner.items, $o, ANY $o.items.age > $a.age
            AND $o.age <= $a.age).@count > 0).@count > 0
            """
        // The first owner is 10, with items 0 and 10: no item at least as old as the owner has an older one. The second
        // is 25, with items 20 and 30. The third is 90.
        try expectEqual(owners.objects(matching: text).keys, [])
        let older = text.replacing("$o.age <= $a.age", with: "$o.age >= $a.age")
        try expectEqual(owners.objects(matching: older).keys.map(\.value), [0, 1, 2])
        let same = "SUBQUERY(items, $a, SUBQUERY($a.@links.Owner.items, $o, $o.age == $a.age).@count > 0).@count > 0"
        try expectEqual(owners.objects(matching: same).keys.map(\.value), [0])
        #expect(throws: QueryError.self) { try owners.objects(matching: same.replacing("$o", with: "$a")) }
    }

    @Test func `a transaction is queried in its current state`() throws {
        let store = try RealmStore(bytes: Self.build(600))
        try store.write { transaction in
            let seven = try #require(try transaction.object("Item", primaryKey: .int(49)))
            try transaction.set(seven, "name", "changed")
            try transaction.set(seven, "about", "entirely new words")
            try transaction.set(seven, "age", 77_777)
            let table = try transaction.snapshot().table(named: "Item")
            for text in [
                "name == 'changed'", "name BEGINSWITH 'chan'", "about TEXT 'entirely'", "age == 77777", "_id == 49",
            ] {
                let query = try ObjectQuery(text)
                try expectEqual(table.objects(matching: query).keys, [seven.key], "\(text)")
                try expectEqual(table.objectsOneByOne(matching: query).keys, [seven.key], "\(text)")
            }
            try expectEqual(table.count(matching: ObjectQuery("name == 'name 7' AND _id == 49")), 0)
            try expectEqual(table.max("age"), .int(77_777))
            try expectEqual(table.objects(matching: "TRUEPREDICATE SORT(age DESC) LIMIT(1)").keys, [seven.key])
        }
        let after = try store.snapshot().table(named: "Item")
        try expectEqual(after.objects(matching: "name == 'changed'").count, 1)
    }

    @Test func `several tasks find the same in the same order`() async throws {
        let table = try Self.items(5000)
        for text in [
            "age > 50", "age > 50 AND owner.age < 40 SORT(score DESC)", "name == 'name 7'", "TRUEPREDICATE LIMIT(7)",
        ] {
            let query = try ObjectQuery(text)
            let expected = try table.objects(matching: query).keys
            for jobs in [1, 2, 5] {
                try await expectEqual(table.objects(matching: query, jobs: jobs).keys, expected, "\(text), \(jobs)")
            }
        }
        let wrong = try ObjectQuery("nothing == 1")
        await #expect(throws: QueryError.self) { try await table.objects(matching: wrong, jobs: 2) }
    }

    @Test func `strings of leaves are matched in the same way as single strings`() throws {
        let table = try Self.items()
        for operation in ["==", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE"] {
            for option in ["", "[c]"] {
                for sought in [
                    "name 7", "NAME 1", "e 4", "E 49", "9", "", "*a*7", "*", "n*e*1", "name 7*", "?ame 7", "x",
                ] {
                    for property in ["name", "about"] {
                        let query = try ObjectQuery("\(property) \(operation)\(option) '\(sought)'")
                        let found = try table.objects(matching: query, options: QueryOptions(usesIndexes: false)).keys
                        expectEqual(found, (try table.objectsOneByOne(matching: query).keys), "\(query)")
                    }
                }
            }
        }
    }

    @Test func `an explanation describes the execution`() throws {
        let table = try Self.items()
        let text = try table.explain(ObjectQuery("(age == 5 OR age > 190) AND owner.age > 50 SORT(score DESC)"))
            .description
        let lines = text.split(separator: "\n").map(String.init)
        expectEqual(lines[0], "Item: 1000 objects")
        expect(lines.contains { $0.contains("age > 190  [column age]") })
        expect(lines.contains { $0.contains("owner.age > 50  [column owner, links to Owner]") })
        expect(lines.contains { $0.contains("SORT(score DESC)") })
    }

    @Test func `key paths and limits can be arguments`() throws {
        let table = try Self.items()
        let expected = try table.objects(matching: "owner.age BETWEEN {20, 50}").keys
        expect(expected.count > 100)
        try expectEqual(
            table.objects(matching: "%K.%K BETWEEN %@", "owner", "age", .list([.int(20), .int(50)])).keys, expected)
        try expectEqual(
            table.objects(matching: "$K0 BETWEEN $1", "owner.age", .list([.int(20), .int(50)])).keys, expected)
        #expect(throws: QueryError.self) { try table.objects(matching: "age BETWEEN $0", 20) }
        #expect(throws: QueryError.self) { try table.objects(matching: "age BETWEEN $0", .list([.int(20)])) }
    }
}
