import CommandTestSupport
import RealmFileCommands
import TestSupport
import Testing

/// `query` as it is called. What queries find is the matter of `RealmQueryTests`; here it is how the result is printed.
@Suite struct QueryCommandTests {
    private func kennel() throws -> String { try KnownFile.fixture("kennel").url.path }

    /// The dogs of the kennel as its dump has them.
    @Test func tableForPeople() async throws {
        let run = await Run("query", try kennel(), "Dog", "age > 6 SORT(age DESC)")
        #expect(run.status == .success)
        #expect(run.messages == [])
        #expect(
            run.output == """
                _id                       name    age
                650000093f828564ea461570  "Fido"    9
                65000008b08b53ecb9eaa4e8  "코코"      8
                65000007255cc2c974ccf8d5  "Bori"    7

                """)
    }

    @Test func keysCountLimitAndSelection() async throws {
        let keys = await Run("query", try kennel(), "Dog", "age > 6 SORT(age DESC)", "--format", "keys")
        #expect(keys.output == "9\n8\n7\n")
        let count = await Run("query", try kennel(), "Dog", "age > 6", "--count")
        #expect(count.output == "3\n")
        let few = await Run(
            "query", try kennel(), "Dog", "TRUEPREDICATE SORT(age DESC)", "--limit", "2", "--select", "age, name",
            "--no-header")
        #expect(few.output == "9  \"Fido\"\n8  \"코코\"\n")
        let all = await Run("query", try kennel(), "Dog", "--count")
        #expect(all.output == "10\n")
    }

    @Test func report() async throws {
        let report = try await Run("query", try kennel(), "Dog", "age > 6 sort(age desc)", "--json").json()
        #expect(try report.text("class") == "Dog")
        #expect(try report.text("query") == "age > 6 SORT(age DESC)")
        #expect(try report.number("count") == 3)
        #expect(try report[required: "keys"].elements().map { try $0.int() } == [9, 8, 7])
    }

    /// What is wrong with a command line is said in one line, or with the place in the text.
    @Test(arguments: [
        (["Cat"], "there is no class 'Cat'; classes: Address, Dog, DogClub, Person"),
        (["Dog", "agee > 3"], "realmfile: 'Dog' has no property 'agee'; did you mean 'age'?"),
        (["Dog", "age > 'x'"], "realmfile: 'age > \"x\"' compares an integer with a string"),
        (["Dog", "age >"], "realmfile: expected a property or a value, found the end\n    age >\n         ^"),
        (["Dog", "--select", "nme"], "'Dog' has no property 'nme'; properties: _id, name, age"),
        (["Dog", "name TEXT 'a'"], "realmfile: TEXT cannot be run yet"),
        (["Dog", "age > $0"], "realmfile: the query has an argument $0, but only 0 were given"),
    ])
    func mistakes(_ arguments: [String], _ message: String) async throws {
        let run = await Run(["query", try kennel()] + arguments)
        #expect(run.status == .usage)
        #expect(run.output == "")
        #expect(run.messages.count == 1)
        #expect(run.messages.first?.contains(message) == true, "\(run.messages)")
    }
}
