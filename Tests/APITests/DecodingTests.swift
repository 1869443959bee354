import Expectations
import Foundation
import RealmFile
import Testing

/// Objects decoded as `Decodable` types.
@Suite struct DecodingTests {
    struct Dog: Decodable, Equatable {
        var _id: ObjectID
        var name: String
        var age: Int
    }
    struct Address: Decodable, Equatable {
        var street: String?
        var city: String?
    }
    struct Person: Decodable, Equatable {
        var id: Int
        var name: String
        var dogs: [Dog]
        var address: Address?
    }

    @Test func `objects are decoded with their linked objects`() throws {
        let people = try Kennel.people().decode(Person.self)
        expectEqual(people.map(\.id), [1, 2, 3, 4, 5])
        expectEqual(people.map(\.name), Kennel.names)
        expectEqual(people.map { $0.dogs.map { Int64($0.age) } }, Kennel.dogsOfPeople)
        expectEqual(people[3].dogs.map(\.name), ["Rex", "Bori", "코코"])
        expectEqual(people[1].dogs[0]._id, ObjectID("65000002074306b4af77121c"))
        expectEqual(people.map { $0.address?.street ?? nil }, Kennel.streets)
        expectEqual(people.map { $0.address?.city ?? nil }, Kennel.cities)
    }

    struct Keys: Decodable {
        var _key: Int64
        var title: String
        var dogs: [String]
    }

    @Test func `links are decoded as keys`() throws {
        var rules = DecodingRules()
        rules.links = .keys
        rules.propertyNames = ["title": "name"]
        let people = try Kennel.people().decode(Keys.self, rules)
        expectEqual(people.map(\._key), [0, 1, 2, 3, 4])
        expectEqual(people.map(\.title), Kennel.names)
        expectEqual(people[2].dogs, ["65000004df3e7afc22417a2c", "65000005dc87179b07d333e0"])
    }

    struct Node: Decodable {
        var name: String
        var next: [Node]
        var parent: [Node]
    }

    @Test func `decoding ends at cycles`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "cycle-\(UUID()).realm").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Node", primaryKey: "name",
                [
                    PropertyDefinition("name", .string),
                    PropertyDefinition("next", .link, collection: .list, target: "class_Node"),
                    PropertyDefinition("parent", .link, collection: .list, target: "class_Node"),
                ])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(path))
        try builder.add("Node", ["name": "a", "next": [.link(primaryKey: "b")], "parent": []])
        try builder.add("Node", ["name": "b", "next": [.link(primaryKey: "c")], "parent": [.link(primaryKey: "a")]])
        try builder.add("Node", ["name": "c", "next": [.link(primaryKey: "c"), .link(primaryKey: "a")], "parent": []])
        try builder.finish()
        let nodes = try RealmDatabase(path: path).snapshot().table(named: "Node").decode(Node.self)
        expectEqual(nodes[0].next.map(\.name), ["b"])
        expectEqual(nodes[0].next[0].next.map(\.name), ["c"])
        expect(nodes[0].next[0].parent.isEmpty)
        expect(nodes[0].next[0].next[0].next.isEmpty)
        var rules = DecodingRules()
        rules.links = .objects(depth: 1)
        let flat = try RealmDatabase(path: path).snapshot().table(named: "Node").decode(Node.self, rules)
        expect(flat[0].next.map(\.name) == ["b"] && flat[0].next[0].next.isEmpty)
    }

    struct Wrong: Decodable { var name: Int }
    struct Missing: Decodable { var nmae: String }

    @Test func `a value that does not fit is reported with its path`() throws {
        let people = try Kennel.people()
        do {
            _ = try people.decode(Wrong.self)
            Issue.record("a text was decoded as a number")
        } catch DecodingError.typeMismatch(_, let context) {
            expectEqual(context.codingPath.map(\.stringValue), ["name"])
            expectEqual(context.debugDescription, "the stored value is \"Minjun\"")
        }
        do {
            _ = try people.decode(Missing.self)
            Issue.record("a property that is not there was decoded")
        } catch DecodingError.keyNotFound(let key, let context) {
            expectEqual(key.stringValue, "nmae")
            expect(context.debugDescription.contains("did you mean name?"))
        }
    }

    struct WrongDogs: Decodable {
        struct Dog: Decodable { var name: Int? }
        var dogs: [Dog]
    }

    @Test func `the reported path leads through lists and objects`() throws {
        let person = try #require(try Kennel.people().object(ObjectKey(2)))
        do {
            _ = try person.decode(WrongDogs.self)
            Issue.record("a text was decoded as a number")
        } catch DecodingError.typeMismatch(_, let context) {
            expectEqual(context.codingPath.map(\.stringValue), ["dogs", "Index 0", "name"])
            expectEqual(context.codingPath.map(\.intValue), [nil, 0, nil])
        }
    }

    /// `decodeNil` precedes decoding, but not always for the value that is decoded next.
    struct Unordered: Decodable, Equatable {
        var name: String
        var age: Int
        var nulls: [Bool]

        enum CodingKeys: CodingKey { case name, age, none }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            nulls = [try container.decodeNil(forKey: .name), try container.decodeNil(forKey: .age)]
            name = try container.decode(String.self, forKey: .name)
            age = try container.decode(Int.self, forKey: .age)
            nulls += [try container.decodeNil(forKey: .age)]
            age += try container.decode(Int.self, forKey: .age) + container.decode(Int.self, forKey: .age)
            nulls += [try container.decodeIfPresent(String.self, forKey: .none) == nil, container.contains(.none)]
        }
    }

    @Test func `values are decoded in any order, and more than once`() throws {
        let dogs = try Kennel.dogs().decode(Unordered.self)
        expectEqual(dogs.map(\.name), Kennel.dogNames)
        expectEqual(dogs.map(\.age), (0..<10).map { $0 * 3 })
        expect(dogs.allSatisfy { $0.nulls == [false, false, false, true, false] })
    }
}
