import Expectations
private import Foundation
import RealmCore
import RealmLayout
import RealmStore
import TestSupport
import Testing

/// The example of the documentation works.
@Suite struct BuilderExampleTests {
    private func write(_ path: String) throws {
        // As the documentation has it, except for the path.
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Dog", primaryKey: "_id",
                [PropertyDefinition("_id", .int), PropertyDefinition("name", .string)]),
            TableDefinition(class: "Address", kind: .embedded, [PropertyDefinition("street", .string)]),
            TableDefinition(
                class: "Person",
                [
                    PropertyDefinition("name", .string, index: .general),
                    PropertyDefinition("dogs", .link, collection: .list, target: "Dog"),
                    PropertyDefinition("address", .link, target: "Address"),
                    PropertyDefinition("any", .mixed),
                ]),
        ])
        let builder = try RealmBuilder(schema, at: NewFile(path))
        let rex = try builder.add("Dog", ["_id": 1, "name": "Rex"])
        try builder.add(
            "Person",
            [
                "name": "Ann", "dogs": [.link(rex), .link(primaryKey: 2)],
                "address": .embedded(["street": "Main Street"]), "any": [1, "x", ["k": 2.5]],
            ])
        try builder.add("Dog", ["_id": 2, "name": "Fido"])
        try builder.finish()
    }

    @Test func `the example writes the described file`() throws {
        let folder = try TemporaryFolder()
        try write(folder.file("new.realm"))
        let snapshot = try RealmDatabase(path: folder.file("new.realm")).snapshot()
        let person = try #require(try snapshot.table(named: "Person").object(ObjectKey(0)))
        guard case .list(let dogs) = try person["dogs"] else {
            Issue.record("no list")
            return
        }
        let names: [Value?] = try dogs.map { dog in
            guard case .link(let link) = dog else { return nil }
            return try link.object()?["name"]
        }
        expectEqual(names, [.string("Rex"), .string("Fido")])
        guard case .list(let any) = try person["any"] else {
            Issue.record("no list in the Mixed")
            return
        }
        expectEqual(any.prefix(2), [.int(1), .string("x")])
    }

    /// The lines between the two comments of this file are in the document.
    @Test func `the example equals the one in the document`() throws {
        let document = "Sources/RealmFile/RealmFile.docc/Writing.md"
        let root = KnownFile.packageRoot
        let source = try String(
            contentsOf: root.appending(path: "Tests/RealmStoreTests/Builder/BuilderExampleTests.swift"),
            encoding: .utf8)
        let lines = source.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.contains("As the documentation has it") })
        let example = lines[(start + 1)...].prefix { $0 != "    }" }.map { String($0.dropFirst(8)) }
        expect(example.count > 20)
        let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
        expect(
            text.contains(example.joined(separator: "\n").replacing("NewFile(path)", with: "NewFile(\"new.realm\")")))
    }
}
