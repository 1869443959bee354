import Expectations
import Foundation
import RealmObjects
import Testing

/// Optional types of properties that a file cannot store: RealmSwift's list of them, with its messages
/// (`ObjectSchemaInitializationTests` there).
@Suite struct OptionalLinkTests {
    class Hidden: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Cat: Hidden {
        @Persisted var name = ""
    }

    final class Collar: EmbeddedObject {
        @Persisted var size = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// A custom type stored as an embedded object creates its value from null itself.
    struct Fitting: CustomPersistable {
        var size: Int
        var persistableValue: Collar { Collar(value: ["size": size]) }
        init(persistedValue: Collar) { size = persistedValue.size }
    }

    final class Link: Hidden { @Persisted var cat: Cat }
    final class DefaultLink: Hidden { @Persisted var cat = Cat() }
    final class Embedded: Hidden { @Persisted var collar: Collar }
    final class MapOfLinks: Hidden { @Persisted var cats: Map<String, Cat> }
    final class MapOfEmbedded: Hidden { @Persisted var collars: Map<String, Collar> }
    final class ListOfOptionals: Hidden { @Persisted var cats: List<Cat?> }
    final class ListOfEmbedded: Hidden { @Persisted var collars: List<Collar?> }
    final class SetOfOptionals: Hidden { @Persisted var cats: MutableSet<Cat?> }
    final class ListOfFittings: Hidden { @Persisted var fittings: List<Fitting?> }
    final class Unnamed: Hidden {
        @Persisted var number = 0
        @Persisted var owners: LinkingObjects<Right>
    }

    final class Right: Hidden {
        @Persisted var cat: Cat?
        @Persisted var collar: Collar?
        @Persisted var cats: List<Cat>
        @Persisted var set: MutableSet<Cat>
        @Persisted var named: Map<String, Cat?>
        @Persisted var collars: List<Collar>
        @Persisted var namedCollars: Map<String, Collar?>
        @Persisted var fitting: Fitting
        @Persisted var fittings: List<Fitting>
        @Persisted var namedFittings: Map<String, Fitting>
        @Persisted var maybeFitting: Fitting?
    }

    static let wrong: [(type: ObjectBase.Type, message: String)] = [
        (
            Link.self,
            "Object property 'cat' must be marked as optional. Write '@Persisted var cat: Cat?' in class 'Link'."
        ),
        (DefaultLink.self, "Object property 'cat' must be marked as optional."),
        (Embedded.self, "Object property 'collar' must be marked as optional."),
        (
            MapOfLinks.self,
            "Map<String, Cat> property 'cats' must be marked as optional. Write '@Persisted var cats: Map<String, Cat?>' in class"
        ),
        (MapOfEmbedded.self, "Map<String, Collar> property 'collars' must be marked as optional."),
        (
            ListOfOptionals.self,
            "List<Cat> property 'cats' must not be marked as optional. Write '@Persisted var cats: List<Cat>' in class"
        ),
        (ListOfEmbedded.self, "List<Collar> property 'collars' must not be marked as optional."),
        (SetOfOptionals.self, "MutableSet<Cat> property 'cats' must not be marked as optional."),
        (ListOfFittings.self, "List<Collar> property 'fittings' must not be marked as optional."),
        (
            Unnamed.self,
            "LinkingObjects<Right> property 'owners' must set the origin property name with @Persisted(originProperty: \"name\")."
        ),
    ]

    private static func open(_ types: [ObjectBase.Type]) throws -> Realm {
        try Realm(configuration: .init(inMemoryIdentifier: "optional links", objectTypes: types))
    }

    @Test(arguments: wrong.indices)
    func `a property whose type disagrees with the file about nil ends the program`(index: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [index = index as Int] in
            _ = try Self.open([Self.wrong[index].type, Cat.self, Collar.self, Right.self])
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("Fatal error: \(Self.wrong[index].message)"), "\(said)")
    }

    @Test func `types that agree with the file about nil are accepted`() throws {
        let realm = try Self.open([Right.self, Cat.self, Collar.self])
        try realm.write {
            let right = Right()
            realm.add(right)
            expect(right.cat == nil && right.collar == nil && right.fitting.size == 0 && right.maybeFitting == nil)
        }
    }

    // MARK: Other exceptions of RealmSwift at opening

    /// A class whose default value opens the database itself.
    final class Eager: Hidden {
        nonisolated(unsafe) static var types: [ObjectBase.Type]?
        nonisolated(unsafe) static var isIncluded = false
        @Persisted var number = (try? open(types))?.objects(Eager.self).count ?? 0
        override class func shouldIncludeInDefaultSchema() -> Bool { isIncluded }

        static func open(_ types: [ObjectBase.Type]?) throws -> Realm {
            try Realm(configuration: .init(inMemoryIdentifier: "eager", objectTypes: types))
        }
    }

    final class Bare: ObjectBase {
        @Persisted var number = 0
    }

    private static let mistakes: [(message: String, body: @Sendable () throws -> Void)] = [
        (
            "Illegal recursive call of +[Eager sharedSchema]. Note: Properties of Swift `Object` classes must not be prepopulated with queried results from a Realm.",
            {
                Eager.types = [Eager.self]
                _ = try Eager.open([Eager.self])
            }
        ),
        ("Can't add non-Object type 'Bare' to a schema.", { _ = try open([Bare.self]) }),
        (
            "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.",
            {
                let file = TestRealm([Cat.self])
                (file.configuration.readOnly, file.configuration.deleteRealmIfMigrationNeeded) = (true, true)
                _ = try file.open()
            }
        ),
        (
            "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.",
            {
                let file = TestRealm([Cat.self])
                file.configuration.readOnly = true
                file.configuration.shouldCompactOnLaunch = { _, _ in true }
                _ = try file.open()
            }
        ),
        (
            "Cannot set schema version to 18446744073709551615 (RLMNotVersioned)",
            { _ = try TestRealm([Cat.self], version: .max).open() }
        ),
        (
            "In-memory identifier must not be empty",
            { _ = try Realm(configuration: .init(inMemoryIdentifier: "", objectTypes: [Cat.self])) }
        ),
    ]

    @Test(arguments: mistakes.indices) func `models that RealmSwift refuses at opening are refused`(index: Int) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [index = index as Int] in
            try Self.mistakes[index].body()
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("Fatal error: \(Self.mistakes[index].message)"), "\(said)")
    }

    @Test func `a default value that opens all classes ends the program`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            (Eager.isIncluded, Eager.types) = (true, nil)
            _ = try Eager.open(nil)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("Fatal error: Illegal recursive call of +[RLMSchema sharedSchema]."), "\(said)")
    }
}
