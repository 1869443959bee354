import Expectations
import Foundation
import RealmObjects
import Testing

/// Models that do not form a schema, and RealmSwift's messages about them.
@Suite struct SchemaProblemTests {
    final class Origin: Object {
        @Persisted var number = 0
        @Persisted var link: Target?
        @Persisted var other: Origin?
        @Persisted var inside: MutableSet<Target>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class func propertiesMapping() -> [String: String] { ["inside": "_inside"] }
    }

    final class Target: Object {
        @Persisted var number = 0
        @Persisted(originProperty: "link") var links: LinkingObjects<Origin>
        @Persisted(originProperty: "inside") var places: LinkingObjects<Origin>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Hopeful: Object {
        @Persisted var number = 0
        @Persisted(originProperty: "nothing") var nothing: LinkingObjects<Origin>
        @Persisted(originProperty: "number") var numbers: LinkingObjects<Origin>
        @Persisted(originProperty: "other") var others: LinkingObjects<Origin>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Lonely: Object {
        @Persisted var one: Target?
        @Persisted var many: List<Target>
        @Persisted var named: Map<String, Target?>
        @Persisted(originProperty: "link") var back: LinkingObjects<Origin>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Twice: Object {
        @Persisted var first = 0
        @Persisted var second = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class func propertiesMapping() -> [String: String] { ["second": "first"] }
    }

    final class Crossed: Object {
        @Persisted var first = 0
        @Persisted var second = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class func propertiesMapping() -> [String: String] { ["first": "second", "second": "third"] }
    }

    final class Indexed: Object {
        @Persisted var weight = 0.0
        @Persisted var bytes = Data()
        @Persisted var name = ""
        @Persisted var link: Indexed?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class func indexedProperties() -> [String] { ["weight", "bytes", "name", "link"] }
    }

    final class Inner: EmbeddedObject {
        @Persisted var number = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Numbered: EmbeddedObject {
        @Persisted var number = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override class func primaryKey() -> String? { "number" }
    }

    final class Crate: EmbeddedObject {
        @Persisted var lid: Lid?
        @Persisted var owner: Shelf?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Lid: EmbeddedObject {
        @Persisted var hinges: List<Hinge>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Hinge: EmbeddedObject {
        @Persisted var crates: Map<String, Crate?>
        @Persisted var lid: Lid?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Box: EmbeddedObject {
        @Persisted var number = 0
        @Persisted var shelf: Shelf?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Shelf: Object {
        @Persisted var boxes: List<Box>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private func problems(
        _ types: ObjectBase.Type..., title: String = "Schema validation failed due to the following errors:"
    ) -> [String] {
        let error = #expect(throws: Realm.Error(.fail)) { try TestRealm(types).open() }
        let lines = error?.message.split(separator: "\n") ?? []
        expectEqual(lines.first.map(String.init), title)
        return lines.dropFirst().map(String.init)
    }

    @Test func `properties named by linking objects must exist`() throws {
        try expect(TestRealm([Origin.self, Target.self]).open().isEmpty)
        let declared = "declared as origin of linking objects property"
        expectEqual(
            problems(Origin.self, Target.self, Hopeful.self),
            [
                "- Property 'Origin.nothing' \(declared) 'Hopeful.nothing' does not exist",
                "- Property 'Origin.number' \(declared) 'Hopeful.numbers' is not a link",
                "- Property 'Origin.other' \(declared) 'Hopeful.others' links to type 'Origin'",
            ])
    }

    @Test func `classes of links must exist`() {
        let missing = "which is missing from the list of classes managed by the Realm"
        expectEqual(
            problems(Lonely.self, title: "Invalid class subset list:"),
            [
                "- 'Lonely.one' links to class 'Target', \(missing)",
                "- 'Lonely.many' links to class 'Target', \(missing)",
                "- 'Lonely.named' links to class 'Target', \(missing)",
            ])
        expectEqual(
            problems(Target.self),
            [
                "- Property 'Target.links' of type 'linking objects' has unknown object type 'Origin'",
                "- Property 'Target.places' of type 'linking objects' has unknown object type 'Origin'",
            ])
    }

    @Test func `names of properties are unique`() {
        expectEqual(problems(Twice.self), ["- Property 'first' appears more than once in the schema for type 'Twice'."])
        expectEqual(
            problems(Crossed.self),
            [
                "- Property 'Crossed.third' has an alias 'second' that conflicts with a property of the same name."
            ])
    }

    @Test func `types that Realm Core cannot index are refused as indexed`() {
        expectEqual(
            problems(Indexed.self),
            [
                "- Property 'Indexed.weight' of type 'double' cannot be indexed.",
                "- Property 'Indexed.bytes' of type 'data' cannot be indexed.",
                "- Property 'Indexed.link' of type 'object' cannot be indexed.",
            ])
    }

    @Test func `embedded objects have no primary key`() throws {
        try expect(TestRealm([Inner.self]).open().isEmpty)
        expectEqual(problems(Numbered.self), ["- Embedded object type 'Numbered' cannot have a primary key."])
    }

    @Test func `no class embeds itself`() throws {
        try expect(TestRealm([Shelf.self, Box.self]).open().isEmpty)
        let cycles = "- Cycles containing embedded objects are not currently supported:"
        expectEqual(
            problems(Shelf.self, Box.self, Crate.self, Lid.self, Hinge.self),
            [
                "\(cycles) 'Crate.lid.hinges.crates'", "\(cycles) 'Hinge.lid.hinges'", "\(cycles) 'Lid.hinges.lid'",
            ])
    }
}
