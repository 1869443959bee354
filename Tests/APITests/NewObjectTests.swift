import Expectations
import Foundation
import RealmFile
import RealmForensics
import Testing

/// Swift values, objects of other files and `Encodable` types written to a new file.
@Suite struct NewObjectTests {
    enum Size: String, RealmConvertible { case small, large }

    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Dog", primaryKey: "_id",
            [
                PropertyDefinition("_id", .objectId), PropertyDefinition("name", .string, isNullable: true),
                PropertyDefinition("size", .string, isNullable: true),
            ]),
        TableDefinition(class: "Address", kind: .embedded, [PropertyDefinition("street", .string)]),
        TableDefinition(class: "Note", [PropertyDefinition("text", .string)]),
        TableDefinition(
            class: "Person",
            [
                PropertyDefinition("name", .string), PropertyDefinition("age", .int),
                PropertyDefinition("weight", .float, isNullable: true),
                PropertyDefinition("born", .timestamp, isNullable: true),
                PropertyDefinition("token", .uuid, isNullable: true),
                PropertyDefinition("photo", .binary, isNullable: true),
                PropertyDefinition("money", .decimal128, isNullable: true),
                PropertyDefinition("best", .link, target: "class_Dog"),
                PropertyDefinition("dogs", .link, collection: .list, target: "class_Dog"),
                PropertyDefinition("note", .link, target: "class_Note"),
                PropertyDefinition("address", .link, target: "class_Address"),
                PropertyDefinition("older", .link, collection: .list, target: "class_Address"),
                PropertyDefinition("scores", .int, collection: .dictionary(.string)),
                PropertyDefinition("numbers", .double, collection: .dictionary(.int)),
                PropertyDefinition("tags", .string, collection: .set),
                PropertyDefinition("any", .mixed),
            ]),
    ])

    private let path = FileManager.default.temporaryDirectory.appending(path: "new-object-\(UUID()).realm").path

    private func written(
        _ schema: SchemaDefinition = schema, _ body: (RealmBuilder) throws -> Void
    ) throws -> Snapshot {
        let builder = try RealmBuilder(schema, at: NewFile(path))
        try body(builder)
        try builder.finish()
        defer { try? FileManager.default.removeItem(atPath: path) }
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).isSound)
        return try RealmDatabase(path: path).snapshot()
    }

    @Test func `variables of Swift types need no wrapping`() throws {
        let id = try #require(ObjectID("5f3e1a2b3c4d5e6f70819203"))
        let (name, age, nickname, size) = ("Ann", UInt8(52), String?.none, Size.large)
        let born = Date(timeIntervalSince1970: 1_600_000_000.5)
        let token = UUID()
        let (scores, numbers, tags) = (["b": 2, "a": 1], [3: 0.5, -1: 2], Set(["x", "y"]))
        let money = try #require(Decimal(string: "12.5"))
        let snapshot = try written { builder in
            let rex = try builder.add("Dog", ["_id": id, "name": nickname, "size": size])
            try builder.add(
                "Person",
                [
                    "name": name, "age": age, "weight": Float(70.5), "born": born, "token": token,
                    "photo": Data([1, 255]), "money": money, "best": .link(primaryKey: id), "dogs": [rex, rex],
                    "address": .embedded(["street": name + "street"]), "scores": scores, "numbers": numbers,
                    "tags": tags, "any": [1, "x", ["k": 2.5]] as NewValue, "note": nil,
                ])
        }
        let dog = try #require(try snapshot.table(named: "Dog").object(primaryKey: .objectId(id)))
        try expectEqual(dog["name"], .null)
        try expectEqual(dog.get("size", as: Size.self), .large)
        let ann = try #require(try snapshot.table(named: "Person").objects.first())
        try expectEqual(ann.get("name", as: String.self), name)
        try expectEqual(ann.get("age", as: UInt8.self), age)
        try expectEqual(ann["weight"], .float(70.5))
        try expectEqual(ann.get("born", as: Date.self), born)
        try expectEqual(ann.get("token", as: UUID.self), token)
        try expectEqual(ann.get("photo", as: Data.self), Data([1, 255]))
        try expectEqual(ann.get("money", as: Decimal.self), money)
        try expectEqual(ann.get("best", as: StoredObject.self), dog)
        try expectEqual(ann.get("dogs", as: [StoredObject].self), [dog, dog])
        try expectEqual(ann.get("address", as: StoredObject.self).get("street", as: String.self), "Annstreet")
        try expectEqual(ann.get("scores", as: [String: Int].self), scores)
        try expectEqual(ann.get("numbers", as: [Int: Double].self), numbers)
        try expectEqual(ann.get("tags", as: Set<String>.self), tags)
        try expectEqual(
            ann["any"], .list([.int(1), .string("x"), .dictionary([.init(key: .string("k"), value: .double(2.5))])]))
    }

    /// The copy has the hash of the original: every value of every object is equal.
    @Test(arguments: ["kennel", "embedded", "mixed-nested", "collections-stream", "format-22-links"])
    func `objects that were read can be written, and a copy has the same content`(_ name: String) throws {
        let file = Kennel.project.appending(path: "Fixtures/\(name).realm").path
        let source = try RealmDatabase(path: file).snapshot()
        let copy = try written(SchemaDefinition(source.schema)) { builder in
            for table in source.classes where table.schema.kind != .embedded {
                let hasPrimaryKey = table.schema.primaryKeyName != nil
                try table.objects.forEach {
                    try builder.add(table.name, NewObject($0), key: hasPrimaryKey ? nil : $0.key)
                }
            }
        }
        try expectEqual(copy.contentHash(by: .primaryKey).total, source.contentHash(by: .primaryKey).total)
    }

    @Test func `an object can be changed between reading and writing`() throws {
        let source = try Kennel.snapshot()
        let copy = try written(SchemaDefinition(source.schema)) { builder in
            for table in source.classes where table.schema.kind != .embedded {
                try table.objects.forEach { object in
                    var new = try NewObject(object)
                    if table.name == "Person" { new["name"] = try object.get("name", as: String.self) + "!" }
                    try builder.add(table.name, new)
                }
            }
        }
        let names = try copy.table(named: "Person").objects.map { try $0.get("name", as: String.self) }.collect()
        expectEqual(names, Kennel.names.map { $0 + "!" })
    }

    @Test func `a value that does not fit is reported with the property`() throws {
        let builder = try RealmBuilder(Self.schema, at: NewFile(path))
        let (id, name) = (try #require(ObjectID("5f3e1a2b3c4d5e6f70819203")), "Ann")
        func expectFailure(
            _ text: String, _ className: String, _ object: NewObject, _ location: SourceLocation = #_sourceLocation
        ) {
            let error = #expect(throws: WriteError.self, sourceLocation: location) {
                try builder.add(className, object)
            }
            expectEqual(error?.description, text, sourceLocation: location)
        }
        expectFailure(
            "Person.age (object 0): 18446744073709551615 is more than an int of 64 bits holds", "Person",
            ["name": name, "age": UInt64.max])
        expectFailure(
            "Person.born (object 0): the date is beyond all timestamps", "Person",
            ["name": name, "age": 1, "born": Date(timeIntervalSince1970: .infinity)])
        expectFailure(
            "Person.address.street (object 0): is of type string, not an int", "Person",
            ["name": name, "age": 1, "address": .embedded(["street": name.count])])
        expectFailure(
            "Person.scores[\"b\"] (object 0): 18446744073709551615 is more than an int of 64 bits holds",
            "Person",
            ["name": name, "age": 1, "scores": ["a": 1, "b": UInt64.max]])
        expectFailure("Dog._id (object 0): the property is named twice", "Dog", ["_id": id, "_id": id])
        expectFailure(
            "Note.txet (object 0): the class Note has no such property; did you mean text?", "Note",
            ["txet": name])
    }

    private struct Address: Codable, Equatable { var street: String }
    private struct Person: Codable, Equatable {
        var name: String
        var age: Int
        var weight: Double?
        var born: Date?
        var token: UUID?
        var photo: Data?
        var money: String?
        var best: String?
        var dogs: [String]
        var note: Int?
        var address: Address?
        var older: [Address]
        var scores: [String: Int]
        var numbers: [Int: Double]
        var tags: Set<String>
        var any: [Int]?
    }
    private struct Dog: Codable {
        var _id: ObjectID
        var name: String?
    }

    @Test func `a Codable type is read back unchanged, with links as keys`() throws {
        let id = "5f3e1a2b3c4d5e6f70819203"
        let ann = Person(
            name: "Ann", age: 52, weight: 70.5, born: Date(timeIntervalSince1970: 12.5), token: UUID(),
            photo: Data([0, 7]), money: "12.50", best: id, dogs: [id, id], note: 1, address: Address(street: "Main"),
            older: [Address(street: "First"), Address(street: "Second")], scores: ["a": 1], numbers: [7: 0.25],
            tags: ["x", "y"], any: [1, 2])
        let bob = Person(name: "Bob", age: 1, dogs: [], older: [], scores: [:], numbers: [:], tags: [])
        let snapshot = try written { builder in
            try builder.add("Person", encoding: ann)
            try builder.add("Person", encoding: bob)
            try builder.add("Dog", encoding: Dog(_id: ObjectID(id)!, name: "Rex"))
            try builder.add("Note", encoding: ["text": "first"])
            try builder.add("Note", encoding: ["text": "second"])
        }
        var rules = DecodingRules()
        rules.links = .keys
        try expectEqual(snapshot.table(named: "Person").decode(Person.self, rules), [ann, bob])
        try expectEqual(snapshot.table(named: "Dog").decode(Dog.self).map(\._id.description), [id])
    }

    @Test func `a wrong value in an Encodable type is reported with its property`() throws {
        struct Nested: Encodable {
            var name = "Ann"
            var age = 1
            var best = Dog(_id: ObjectID("5f3e1a2b3c4d5e6f70819203")!, name: nil)
        }
        struct Wrong: Encodable { var name = 1 }
        let builder = try RealmBuilder(Self.schema, at: NewFile(path))
        let nested = #expect(throws: WriteError.self) { try builder.add("Person", encoding: Nested()) }
        expectEqual(
            nested?.description,
            "Person.best: links to Dog: encode the primary key of that object, and add it on its own")
        let wrong = #expect(throws: WriteError.self) { try builder.add("Note", encoding: Wrong()) }
        expectEqual(wrong?.description, "Note.name (object 0): the class Note has no such property")
    }
}
