import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Schema changes inside transactions, value by value.
@Suite struct SchemaChangeTests {
    static let schema = SchemaDefinition(
        [
            TableDefinition(
                class: "Dog", primaryKey: "_id",
                [
                    PropertyDefinition("_id", .int, index: .general),
                    PropertyDefinition("name", .string, index: .general),
                    PropertyDefinition("age", .int, isNullable: true),
                    PropertyDefinition("friend", .link, target: "Dog"),
                    PropertyDefinition("home", .link, target: "Home"),
                    PropertyDefinition("marks", .int, isNullable: true, collection: .list),
                    PropertyDefinition("any", .mixed),
                ]),
            TableDefinition(class: "Home", kind: .embedded, [PropertyDefinition("street", .string)]),
            TableDefinition(
                class: "Person",
                [
                    PropertyDefinition("name", .string),
                    PropertyDefinition("dogs", .link, collection: .list, target: "Dog"),
                    PropertyDefinition("any", .mixed),
                ]),
        ], version: 3)

    /// Returns a store with dogs, each with a home, and persons that link to all of them.
    static func store(dogs: Int = 600) throws -> RealmStore {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("dogs.realm")))
        var references: [ObjectReference] = []
        for number in 0..<dogs {
            references.append(
                try builder.add(
                    "Dog",
                    [
                        "_id": .int(Int64(number)), "name": .string("dog \(number % 9)"),
                        "age": number % 3 == 0 ? .null : .int(Int64(number % 10)),
                        "friend": references.last.map { .link($0) } ?? .null,
                        "home": .embedded(["street": .string("street \(number)")]),
                        "marks": .list([.int(Int64(number)), number % 5 == 0 ? .null : 7]),
                        "any": references.first.map { .link($0) } ?? .null,
                    ]))
        }
        for number in 0..<3 {
            try builder.add(
                "Person",
                [
                    "name": .string("person \(number)"), "dogs": .list(references.map { .link($0) }),
                    "any": references.last.map { .list([.link($0), 1]) } ?? .null,
                ])
        }
        try builder.finish()
        return try RealmStore(bytes: try #require(folder.bytes("dogs.realm")))
    }

    /// Returns the table after a commit, after checking that the file is sound.
    static func table(_ name: String, of store: RealmStore) throws -> Table {
        let snapshot = store.snapshot()
        try check(snapshot)
        return try snapshot.table(named: name)
    }

    static func check(_ snapshot: Snapshot) throws {
        let findings = Verification(level: .deep).run(on: snapshot.data.source).findings
        try #require(findings.isEmpty, "\(findings.map { "\($0.place): \($0.message)" }.prefix(5))")
    }

    /// Returns all values of a property, in the order of the objects.
    static func values(_ property: String, of table: Table) throws -> [RealmCore.Value] {
        var values: [RealmCore.Value] = []
        var objects = table.objects
        while let object = try objects.next() { values.append(try object[property]) }
        return values
    }

    func expectMisfit(
        _ code: InvalidValue.Code, _ words: String, _ body: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            try body()
            Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        } catch WriteError.misfit(let misfit) {
            expectEqual(misfit.code, code, sourceLocation: sourceLocation)
            expectEqual(misfit.description, words, sourceLocation: sourceLocation)
        } catch {
            Issue.record("\(error)", sourceLocation: sourceLocation)
        }
    }
}

extension [String: NewValue] {
    /// A copy with a double for the int of `weight`.
    var asDoubles: [String: NewValue] {
        var copy = self
        if case .int(let number)? = copy["weight"] { copy["weight"] = .double(Double(number)) }
        return copy
    }
}
