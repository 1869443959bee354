import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmQuery
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Limits of a query: a budget, cancellation of its task, and the depth of its tree.
@Suite struct BudgetTests {
    private static func keepers() throws -> Table {
        try RealmDatabase(bytes: TruthFile.keyed.build()).snapshot().table(named: "Keeper")
    }

    /// Returns a class whose objects link to all of its objects.
    private static func crowd(_ count: Int) throws -> Table {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Node",
                [
                    PropertyDefinition("number", .int), PropertyDefinition("text", .string),
                    PropertyDefinition("others", .link, collection: .list, target: "Node"),
                ])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("crowd.realm")))
        var nodes: [ObjectReference] = []
        for number in 0..<count {
            nodes.append(
                try builder.add(
                    "Node",
                    [
                        "number": .int(Int64(number)), "text": .string(String(repeating: "a", count: 200)),
                        "others": .list(nodes.map { .link($0) }),
                    ]))
        }
        try builder.finish()
        return try RealmDatabase(path: folder.file("crowd.realm")).snapshot().table(named: "Node")
    }

    private func isExhausted(_ body: () throws(QueryError) -> Void) -> String? {
        do throws(QueryError) {
            try body()
        } catch {
            guard case .exhausted(let text) = error else { return "another error: \(error)" }
            return text
        }
        return nil
    }

    /// Each would take hours, but ends soon.
    @Test(arguments: [
        "SUBQUERY(others, $a, SUBQUERY($a.others, $b, SUBQUERY($b.others, $c, SUBQUERY($c.others, $d, $d.number > 1).@count > 1).@count > 1).@count > 1).@count > 1",
        "ANY others.others.others.others.others.number == -1", "others.others.others.@sum.number > 5",
        "ALL others.others.others.others.text LIKE '*b'",
        "TRUEPREDICATE AND others.others.others.others.@count < 0",
    ])
    func `a query that needs too much work is stopped`(_ text: String) throws {
        let table = try Self.crowd(120)
        let query = try ObjectQuery(text)
        let budget = QueryBudget(work: 200_000)
        let message = isExhausted { () throws(QueryError) in
            _ = try table.objects(matching: query, options: QueryOptions(budget: budget))
        }
        expectEqual(message, "query stopped: work limit of 200000 exceeded")
        let counted = isExhausted { () throws(QueryError) in
            _ = try table.count(matching: query, options: QueryOptions(budget: budget))
        }
        expectEqual(counted, message)
        let timed = isExhausted { () throws(QueryError) in
            _ = try table.objects(
                matching: query, options: QueryOptions(budget: QueryBudget(time: .milliseconds(20))))
        }
        expectEqual(
            timed?.hasPrefix("query stopped: time limit of 0.02 seconds"), true, "\(timed ?? "")")
    }

    @Test func `a query within its budget gives all results`() throws {
        let table = try Self.keepers()
        for text in [
            "name == 'keeper 3'", "pet.name BEGINSWITH 'R' SORT(name ASC)", "ANY petList.weight > 3", "TRUEPREDICATE",
        ] {
            let query = try ObjectQuery(text)
            let expected = try table.objects(matching: query).keys
            let options = QueryOptions(budget: QueryBudget(work: 100_000, results: 300, time: .seconds(600)))
            try expectEqual(table.objects(matching: query, options: options).keys, expected, "\(text)")
            try expectEqual(table.count(matching: query, options: options), expected.count, "\(text)")
        }
    }

    @Test func `too many objects are counted, but not collected`() async throws {
        let table = try Self.keepers()
        let options = QueryOptions(budget: QueryBudget(results: 100))
        let query = try ObjectQuery("TRUEPREDICATE SORT(name ASC)")
        let message = isExhausted { () throws(QueryError) in _ = try table.objects(matching: query, options: options) }
        expectEqual(message, "query stopped: limit of 100 objects exceeded")
        try expectEqual(table.count(matching: query, options: options), 300)
        try expectEqual(table.objects(matching: ObjectQuery("TRUEPREDICATE LIMIT(100)"), options: options).count, 100)
        await #expect(throws: QueryError.self) { try await table.objects(matching: query, options: options, jobs: 2) }
    }

    @Test func `a cancelled task ends in the middle of an object`() async throws {
        let table = try Self.crowd(150)
        let query = try ObjectQuery("ANY others.others.others.others.others.others.number == -1")
        let task = Task.detached { () throws(QueryError) in try table.count(matching: query) }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        switch await task.result {
        case .success: Issue.record("it came to its end")
        case .failure(let error): expectEqual(error as? QueryError, .cancelled)
        }
    }

    @Test func `trees of any depth are refused, or evaluated on a small stack`() throws {
        let table = try Self.keepers()
        let bottom = QueryPredicate.comparison(
            .property(QueryPath([.name("name")])), .equal, .constant(.string("keeper 3")), caseInsensitive: false)
        var deep = bottom
        for _ in 0..<1200 { deep = .not(deep) }
        let refused = isExhausted { () throws(QueryError) in _ = try table.objects(matching: ObjectQuery(deep)) }
        expectEqual(refused, "a query has at most 110 levels")
        // Every kind of nesting in a query text.
        var text = "name == 'keeper 3'"
        for _ in 0..<24 { text = "(name != 'x' AND NOT (FALSEPREDICATE OR \(text)))" }
        var nested = "name == 'keeper 3'"
        for level in 0..<19 { nested = "SUBQUERY(@links.Keeper.boss, $v\(level), \(nested)).@count >= 0" }
        var inner = bottom
        for _ in 0..<100 { inner = .not(inner) }
        var sum = QueryExpression.property(QueryPath([.name("petList")], suffix: .size))
        for _ in 0..<100 { sum = .arithmetic(sum, .plus, .constant(.integer("1"))) }
        let queries = [
            ObjectQuery(inner),
            ObjectQuery(.comparison(sum, .greater, .constant(.integer("101")), caseInsensitive: false)),
        ]
        let texts = [text, nested]
        let result = Outcome()
        let thread = Thread {
            for query in queries { result.add((try? table.objects(matching: query).count) ?? -1) }
            for text in texts {
                guard let query = try? ObjectQuery(text) else {
                    result.add(-2)
                    continue
                }
                result.add((try? table.objects(matching: query).count) ?? -1)
            }
            result.end()
        }
        thread.stackSize = 1 << 20
        thread.start()
        expect(result.wait().allSatisfy { $0 != -1 })
    }

    /// The result of a thread.
    private final class Outcome: @unchecked Sendable {
        private let condition = NSCondition()
        private var values: [Int] = []
        private var isAtEnd = false

        func add(_ value: Int) { condition.withLock { values.append(value) } }

        func end() {
            condition.withLock {
                isAtEnd = true
                condition.broadcast()
            }
        }

        func wait() -> [Int] {
            condition.withLock {
                while !isAtEnd { condition.wait() }
                return values
            }
        }
    }
}
