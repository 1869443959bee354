import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import TestSupport
import Testing

/// Command lines of `query`. `RealmQueryTests` tests the results of queries; these tests are about printing them.
@Suite struct QueryCommandTests {
    private func kennel() throws -> String { try KnownFile.fixture("kennel").url.path }

    /// The dogs of the kennel as in its dump.
    @Test func `a table shows the values of the dump`() async throws {
        let run = await Run("query", try kennel(), "Dog", "age > 6 SORT(age DESC)")
        expectEqual(run.status, .success)
        expectEqual(run.messages, [])
        expectEqual(
            run.output,
            """
            _id                       name  age
            650000093f828564ea461570  Fido    9
            65000008b08b53ecb9eaa4e8  코코    8
            65000007255cc2c974ccf8d5  Bori    7

            """)
    }

    @Test func `keys, count, limit and selection work as requested`() async throws {
        let keys = await Run("query", try kennel(), "Dog", "age > 6 SORT(age DESC)", "--format", "keys")
        expectEqual(keys.output, "9\n8\n7\n")
        let count = await Run("query", try kennel(), "Dog", "age > 6", "--count")
        expectEqual(count.output, "3\n")
        let few = await Run(
            "query", try kennel(), "Dog", "TRUEPREDICATE SORT(age DESC)", "--limit", "2", "--select", "age, name",
            "--no-header")
        expectEqual(few.output, "9  Fido\n8  코코\n")
        let all = await Run("query", try kennel(), "Dog", "--count")
        expectEqual(all.output, "10\n")
    }

    @Test func `the report contains the found objects`() async throws {
        let report = try await Run("query", try kennel(), "Dog", "age > 6 sort(age desc)", "--json").json()
        try expectEqual(report.text("class"), "Dog")
        try expectEqual(report.text("query"), "age > 6 SORT(age DESC)")
        try expectEqual(report.number("count"), 3)
        try expectEqual(report[required: "keys"].elements().map { try $0.int() }, [9, 8, 7])
    }

    /// Errors in a command line are reported in one line, or with their position in the text.
    @Test(
        arguments: [
            (["Cat"], "there is no class 'Cat'; classes are Address, Dog, DogClub, Person"),
            (["Dog", "agee > 3"], "realmfile: 'Dog' has no property 'agee'; did you mean 'age'?"),
            (["Dog", "age > 'x'"], "realmfile: 'age > \"x\"' compares an integer with a string"),
            (["Dog", "age >"], "realmfile: expected a property or a value, found the end\n    age >\n         ^"),
            (["Dog", "--select", "nme"], "realmfile: --select: 'Dog' has no property 'nme'; did you mean 'name'?"),
            (["Dog", "name TEXT 'a'"], "realmfile: 'name' has no full-text index, which TEXT needs"),
            (["Dog", "age > $0"], "realmfile: the query has an argument $0: --args gives its value, as in --args '30"),
        ] as [([String], String)])
    func `mistakes are reported with their place`(_ arguments: [String], _ message: String) async throws {
        let run = await Run(["query", try kennel()] + arguments)
        expectEqual(run.status, .usage)
        expectEqual(run.output, "")
        expectEqual(run.messages.count, 1)
        expectEqual(run.messages.first?.contains(message), true, "\(run.messages)")
    }

    /// On a terminal, the widest columns are truncated, then those on the right omitted. Characters two columns wide
    /// count as such.
    @Test func `a table is cut to the width of the terminal`() async throws {
        let query = ["query", try kennel(), "Person", "--select", "id, name, dogs, address"]
        let wide = await Run(query, outputWidth: 60)
        expectEqual(
            wide.output,
            """
            id  name     dogs                    address
             1  Minjun   []                      {street: "0 Main St",…
             2  Seoyeon  [65000002074306b4af77…  {street: "1 Main St",…
             3  Alice    [65000004df3e7afc2241…  null
             4  Bjørn    [65000006b4c373c6a423…  {street: "3 Main St",…
             5  지우     []                      {city: "東京", countr…

            """)
        expectEqual(wide.messages, [])
        let narrow = await Run(query, outputWidth: 24)
        expect(narrow.output.hasPrefix("id  name   dogs   addr…\n 1  Minj…  []     {str…\n 2  Seoy…  [650…  {str…\n"))
        expectEqual(narrow.messages, [])
        let narrower = await Run(query, outputWidth: 16)
        expect(narrower.output.hasPrefix("id  name\n 1  Minjun\n 2  Seoyeon\n"), "\(narrower.output)")
        expectEqual(
            narrower.messages,
            ["realmfile: 2 columns not shown; pick columns with --select, or see all with --format vertical"])
        let tiny = await Run(query, outputWidth: 1)
        expectEqual(tiny.output, "…\n1\n2\n3\n4\n5\n")
    }

    /// Strings that look like other values are quoted.
    @Test func `texts that look like other values are quoted`() async throws {
        let folder = try TemporaryFolder()
        let documents = folder.path + "/Text.jsonl"
        let lines = [
            "{\"_id\":1,\"t\":\"\"}", "{\"_id\":2,\"t\":\"null\"}", "{\"_id\":3,\"t\":\" a\"}",
            "{\"_id\":4,\"t\":\"a\\nb\"}", "{\"_id\":5}",
        ]
        try lines.joined(separator: "\n").write(toFile: documents, atomically: true, encoding: .utf8)
        let made = await Run("import", documents, "--out", folder.path + "/text.realm")
        try #require(made.status == .success, "\(made.messages)")
        let run = await Run("query", folder.path + "/text.realm", "Text", "--select", "t", "--no-header")
        expectEqual(run.output, "\"\"\n\"null\"\n\" a\"\na\\u{a}b\nnull\n")
    }

    /// Only the duration differs.
    @Test func `an explanation is the same each time`() async throws {
        let run = await Run("query", try kennel(), "Dog", "age > 6 AND name != 'Rex' SORT(age DESC)", "--explain")
        expectEqual(run.status, .success)
        let lines = run.output.split(separator: "\n")
        expectEqual(lines.first, "Dog: 10 objects")
        expect(lines.contains { $0.hasPrefix("    age > 6  [column age]  3 of ") }, "\(run.output)")
        expectEqual(lines.last?.hasPrefix("found 3 in "), true)
        let json = try await Run("query", try kennel(), "Dog", "age > 6", "--explain", "--json").json()
        try expectEqual(json[required: "keys"].elements().map { try $0.int() }, [7, 8, 9])
        let explained = try json.object("explain")
        try expectEqual(explained.number("objects"), 10)
        expectEqual(explained[optional: "index"], .null)
        try expectEqual(explained.objects("steps").map { try $0.number("kept") }, [3])
        let shell = await Run(
            ["shell", try kennel()], input: [".explain on", "Dog age > 8", ".explain off", "Dog age > 8"])
        expectEqual(shell.messages.first, "Dog: 10 objects")
        expectEqual(shell.messages.count, 3)
    }
}
