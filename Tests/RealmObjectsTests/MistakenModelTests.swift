import Expectations
import Foundation
import RealmObjects
import Testing

// None of these is among the classes of the program: each would end it.

/// A kettle in the style of RealmSwift's older models: only an unmarked list.
class Kettle: Object {
    let whistles = List<String>()
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A teapot whose base class is marked, while the class is not.
class Pot: Object {
    @Persisted var name = ""
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Teapot: Pot {
    var lids = Map<String, Int>()
}

/// Ignored properties may have any type.
class Urn: Pot {
    let spares = List<String>()
    override class func ignoredProperties() -> [String] { ["spares"] }
}

/// In a class that marks some of its properties, the unmarked ones are intentionally not stored.
class Samovar: Pot {
    @Persisted var litres = 3
    let notes = MutableSet<String>()
}

class Nameless: Object {
    @Persisted var name = ""
    override class func primaryKey() -> String? { "id" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Weighed: Object {
    @Persisted var grams = 0.0
    override class func primaryKey() -> String? { "grams" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class TwoKeys: Object {
    @Persisted(primaryKey: true) var one = 0
    @Persisted(primaryKey: true) var two = 0
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A class without properties is valid as a base class that is not stored.
class Empty: Object {
    nonisolated(unsafe) static var isStored = false
    var count = 0
    override class func shouldIncludeInDefaultSchema() -> Bool { isStored }
}

/// Classes that are certainly a mistake end the program on first use, with RealmSwift's message, because they would
/// lose user data.
@Suite struct MistakenModelTests {
    /// Whether the last line that a process wrote contains a text.
    private static func says(_ text: String, _ result: ExitTest.Result?) -> Bool {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
    }

    private static func open(_ type: ObjectBase.Type) {
        _ = try? Realm(configuration: .init(inMemoryIdentifier: "mistaken", objectTypes: [type]))
    }

    @Test func `a collection without a mark is reported if RealmSwift stores it`() async {
        let kettle = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.open(Kettle.self)
        }
        let says = "Property 'Kettle.whistles' is not marked: write '@Persisted var whistles: List<String>'"
        expect(Self.says(says, kettle))
        let teapot = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.open(Teapot.self)
        }
        let lids = "Property 'Teapot.lids' is not marked: write '@Persisted var lids: Map<String, Int>'"
        expect(Self.says(lids, teapot))
    }

    @Test func `ignored properties, and those beside marked ones, need no mark`() throws {
        let realm = try Realm(
            configuration: .init(inMemoryIdentifier: "unmarked", objectTypes: [Urn.self, Samovar.self]))
        expectEqual(realm.schema["Urn"]?.properties.map(\.name), ["name"])
        expectEqual(realm.schema["Samovar"]?.properties.map(\.name), ["name", "litres"])
        expect(Samovar().notes.isEmpty && Urn().spares.isEmpty)
    }

    @Test func `a missing primary key is reported`() async {
        let nameless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.open(Nameless.self)
        }
        expect(Self.says("Primary key property 'id' does not exist on object 'Nameless'", nameless))
        let weighed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.open(Weighed.self)
        }
        let type = "because it is not a 'string', 'int', 'objectId', or 'uuid' property."
        expect(Self.says("Property 'grams' cannot be made the primary key of 'Weighed' \(type)", weighed))
        let keys = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Self.open(TwoKeys.self)
        }
        expect(Self.says("Properties 'one' and 'two' are both marked as the primary key of 'TwoKeys'", keys))
    }

    @Test func `a class that stores nothing is reported, unless it is excluded`() async {
        let stored = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Empty.isStored = true
            Self.open(Empty.self)
        }
        let reminder = "Did you remember to mark them with '@Persisted' in your model?"
        expect(Self.says("No properties are defined for 'Empty'. \(reminder)", stored))
        await #expect(processExitsWith: .success) { Self.open(Empty.self) }
    }
}
