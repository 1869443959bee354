import Foundation
import RealmObjects
import Testing

/// `tools/leave-realmswift`, on sources as apps have them.
@Suite(.enabled(if: LeavingTool.isThere, "the tool is a script of Python"))
struct LeavingTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

    /// What the tool makes of sources, and what it says.
    private func rewritten(
        _ sources: [String: String], _ options: [String] = []
    ) throws -> (sources: [String: String], says: [String]) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "leaving-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in sources {
            try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
        }
        let (status, says) = try LeavingTool.run(options + [folder.path])
        #expect(status == 0)
        let texts = try sources.keys.map { name in
            (name, try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
        return (
            Dictionary(uniqueKeysWithValues: texts),
            says.map { $0.replacing("\(folder.path)/", with: "") }
        )
    }

    private static let older = """
        import Foundation
        import Realm
        import RealmSwift

        // What `tools/leave-realmswift` makes of models in RealmSwift's older style (`LeavingTests`).

        @objc enum Colour: Int, RealmEnum {
            case green, black
        }

        class Leaf: Object {
            let blends = LinkingObjects(fromType: Blend.self, property: "leaves")
            let bestOf: LinkingObjects<Blend> = LinkingObjects(fromType: Blend.self, property: #keyPath(Blend.best))
            @objc dynamic var name = ""
        }

        @objc(TeaBlend)
        class Blend: Leaf {
            @objc dynamic internal var code: String? {
                didSet { if oldValue != code { changes += 1 } }
            }
            @objc dynamic var changes = 0
            @objc private(set) dynamic var grams = 0.5  // of one portion
            @objc dynamic var colour = Colour.green
            let leaves = List<Leaf>()
            @objc final dynamic var best: Leaf?
            let notes = RealmSwift.List<String?>()
            var shops: MutableSet<String> = MutableSet()
            let prices: Map<String, Double?> = .init()
            let rating = RealmOptional<Int>()
            let stars = RealmProperty<Int?>(3)
            let any = RealmProperty<AnyRealmValue>()
            lazy var cache: [String] = []
            let pot = Data()
            @objc dynamic var title: String {
                "\\(name) \\(code ?? "")"
            }
            @objc
            dynamic var isSold: Bool = { false }()
            var drafts = List<String>()

            override class func indexedProperties() -> [String] { ["code"] }
            override class func ignoredProperties() -> [String] { ["drafts", "changes"] }

            func order() -> [RealmSwift.SortDescriptor] {
                var keys = [RealmSwift.SortDescriptor(keyPath: "name")]
                keys.append(.init(keyPath: "grams"))
                return keys
            }
        }

        /// No model.
        class Kitchen: NSObject {
            var blends = [Blend]()
        }

        """

    @Test func `models of the older style are marked, and compile`() throws {
        let (sources, says) = try rewritten(["OlderModels.swift": Self.older])
        let compiled = try String(contentsOf: Self.tests.appending(path: "OlderModels.swift"), encoding: .utf8)
        #expect(sources["OlderModels.swift"] == compiled)
        #expect(
            says == [
                "OlderModels.swift: Blend.rating: remove `.value` where it is used",
                "OlderModels.swift: Blend.stars: remove `.value` where it is used",
                "OlderModels.swift: Blend.any: remove `.value` where it is used",
                "1 of 1 files, 2 model classes, 15 properties",
            ])
    }

    @Test func `what they store is what RealmSwift stored`() throws {
        let realm = try Realm(
            configuration: .init(inMemoryIdentifier: "older", objectTypes: [Leaf.self, Blend.self]))
        let blend = try #require(realm.schema["TeaBlend"])
        #expect(
            blend.properties.map(\.name) == [
                "name", "code", "grams", "colour", "leaves", "best", "notes", "shops", "prices", "rating", "stars",
                "any",
                "isSold",
            ])
        #expect(blend["code"]?.isIndexed == true && blend["notes"]?.isOptional == true)
        try realm.write {
            let made = realm.create(
                Blend.self, value: ["name": "Earl", "best": ["name": "Assam"], "leaves": [["name": "Ceylon"]]])
            #expect(
                made.stars == 3 && made.best?.bestOf.first?.isSameObject(as: made) == true
                    && made.leaves[0].blends.count == 1)
        }
    }

    @Test func `what a protocol of Objective-C asks for is stored, and nothing that is not asked for`() throws {
        let asking = """
            @objc public protocol Named { @objc var name: String? { get set } }
            @objc protocol Priced: Named {
                var price: Int { get }  // var tax: Int
            }
            """
        let shop = """
            import class RealmSwift.List
            @preconcurrency import RealmSwift
            class Base: EmbeddedObject {}
            @objc(OldPlace) public class Place: Base {
                let shops = List<Int>()
            }
            @objcMembers final class Shop: Base {
                dynamic var street = ""
                public override init() { super.init() }
            }
            final class Item: Base,
                Priced
            {
                var name: String?
                var price = 3
                var tax = 1
                var text: String { name ?? "{" }
            }
            """
        let (sources, says) = try rewritten(["Asking.swift": asking, "Shop.swift": shop])
        #expect(sources["Asking.swift"] == asking)
        #expect(
            sources["Shop.swift"] == """
                import class RealmObjects.List
                @preconcurrency import RealmObjects
                class Base: EmbeddedObject {}
                public class Place: Base {
                    public override class func _realmObjectName() -> String? { "OldPlace" }
                    @Persisted var shops: List<Int>
                }
                final class Shop: Base {
                    @Persisted var street = ""
                    public required init() { super.init() }
                }
                final class Item: Base,
                    Priced
                {
                    @Persisted var name: String?
                    @Persisted var price = 3
                    var tax = 1
                    var text: String { name ?? "{" }
                }
                """)
        #expect(
            says == [
                "Shop.swift: Item.tax: is not marked, and not stored", "1 of 2 files, 4 model classes, 4 properties",
            ])
    }

    @Test func `what RealmSwift does not store beside marked properties stays unmarked`() throws {
        let mixed = """
            class Cup: Object {
                @Persisted var size = 1
                @objc dynamic var handle = ""
                var saucers = List<Cup>()
                let spoons = List<Cup>()
            }
            class Mug: Cup {
                @objc dynamic var print = ""
            }
            """
        let (sources, says) = try rewritten(["Cup.swift": mixed])
        #expect(
            sources["Cup.swift"] == """
                class Cup: Object {
                    @Persisted var size = 1
                    var handle = ""
                    var saucers = List<Cup>()
                    let spoons = List<Cup>()
                }
                class Mug: Cup {
                    @Persisted var print = ""
                }
                """)
        let untouched = ["saucers", "spoons", "handle"].map { "Cup.swift: Cup.\($0): is not marked, and not stored" }
        #expect(says == untouched + ["1 of 1 files, 2 model classes, 1 properties"])
    }

    @Test func `what is marked on the line before is marked`() throws {
        let marked = """
            class Limit: Object {
                /// The key.
                @Persisted(primaryKey: true)
                var id: String
                @Persisted
                var shares = List<Limit>()
                @Persisted(
                    originProperty: "shares")
                var sharedBy: LinkingObjects<Limit>
                var note = ""
            }
            """
        let (sources, says) = try rewritten(["Limit.swift": marked])
        #expect(sources["Limit.swift"] == marked)
        #expect(
            says == [
                "Limit.swift: Limit.note: is not marked, and not stored", "0 of 1 files, 1 model classes, 0 properties",
            ])
    }

    @Test func `imports may stay, and nothing is done twice`() throws {
        let (once, _) = try rewritten(["Models.swift": Self.older], ["--keep-imports"])
        let text = try #require(once["Models.swift"])
        #expect(text.contains("import RealmSwift\n") && text.contains("[RealmSwift.SortDescriptor]"))
        #expect(text.contains("@Persisted var leaves: List<Leaf>"))
        let (first, _) = try rewritten(["Models.swift": Self.older])
        let (again, _) = try rewritten(first)
        #expect(again == first)
        #expect(try LeavingTool.run([]).status == 64)
    }
}

private enum LeavingTool {
    static let isThere = (try? run(["--keep-imports"]).status) == 64
    private static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "tools/leave-realmswift")

    static func run(_ arguments: [String]) throws -> (status: Int32, says: [String]) {
        let (status, text) = try answer(of: ["python3", script.path] + arguments)
        return (status, text.split(separator: "\n").map(String.init))
    }
}
