import Expectations
import Foundation
import RealmObjects
import Testing

/// `tools/leave-realmswift` on source code like that of apps.
@Suite(.enabled(if: LeavingTool.isThere, "the tool is a script of Python"))
struct LeavingTests {
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

    /// Returns the tool's output for sources, and its messages.
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
        expectEqual(status, 0)
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
        expectEqual(sources["OlderModels.swift"], compiled)
        expectEqual(says, ["1 of 1 files, 2 model classes, 15 properties"])
    }

    @Test func `rewritten models store the same properties as in RealmSwift`() throws {
        let realm = try Realm(
            configuration: .init(inMemoryIdentifier: "older", objectTypes: [Leaf.self, Blend.self]))
        let blend = try #require(realm.schema["TeaBlend"])
        expectEqual(
            blend.properties.map(\.name),
            [
                "name", "code", "grams", "colour", "leaves", "best", "notes", "shops", "prices", "rating", "stars",
                "any",
                "isSold",
            ])
        expect(blend["code"]?.isIndexed == true && blend["notes"]?.isOptional == true)
        try realm.write {
            let made = realm.create(
                Blend.self, value: ["name": "Earl", "best": ["name": "Assam"], "leaves": [["name": "Ceylon"]]])
            expect(
                made.stars == 3 && made.best?.bestOf.first?.isSameObject(as: made) == true
                    && made.leaves[0].blends.count == 1)
        }
    }

    @Test func `properties required by Objective-C protocols are stored, and no others`() throws {
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
        expectEqual(sources["Asking.swift"], asking)
        expectEqual(
            sources["Shop.swift"],
            """
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
        expectEqual(
            says,
            [
                "Shop.swift: Item.tax: is not marked, and not stored", "1 of 2 files, 4 model classes, 4 properties",
            ])
    }

    @Test func `properties that RealmSwift ignores beside marked ones stay unmarked`() throws {
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
        expectEqual(
            sources["Cup.swift"],
            """
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
        expectEqual(says, untouched + ["1 of 1 files, 2 model classes, 1 properties"])
    }

    @Test func `properties marked on the previous line count as marked`() throws {
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
        expectEqual(sources["Limit.swift"], marked)
        expectEqual(
            says,
            [
                "Limit.swift: Limit.note: is not marked, and not stored", "0 of 1 files, 1 model classes, 0 properties",
            ])
    }

    @Test func `only key paths of models become texts`() throws {
        let model = """
            final class Zone: Object {
                @objc dynamic var ID = ""
                @objc dynamic var Place: Zone?
                override public static func primaryKey() -> String? { #keyPath(ID) }
                override class func ignoredProperties() -> [String] { [#keyPath(Zone.cache)] }
                @objc dynamic var cache = ""
                var order: String { #keyPath(Place.ID) + #keyPath(Self.ID) + #keyPath(UIView.frame) }
            }
            """
        let use = """
            extension Zone { static let key = #keyPath( ID ) }
            typealias Region = Models.Zone
            let keys = [#keyPath(Zone.Place.ID), #keyPath(Models.Zone.ID), #keyPath(UIView.frame), #keyPath(frame)]
            let key = #keyPath(Region.ID)
            """
        let (sources, _) = try rewritten(["Zone.swift": model, "Use.swift": use])
        expectEqual(
            sources["Zone.swift"],
            """
            final class Zone: Object {
                @Persisted var ID = ""
                @Persisted var Place: Zone?
                override public static func primaryKey() -> String? { "ID" }
                override class func ignoredProperties() -> [String] { ["cache"] }
                var cache = ""
                var order: String { "Place.ID" + "ID" + #keyPath(UIView.frame) }
            }
            """)
        expectEqual(
            sources["Use.swift"],
            """
            extension Zone { static let key = "ID" }
            typealias Region = Models.Zone
            let keys = ["Place.ID", "ID", #keyPath(UIView.frame), #keyPath(frame)]
            let key = "ID"
            """)
    }

    @Test func `uses of value are removed from former optionals, unless the name has another meaning`() throws {
        let model = """
            class Zone: Object {
                let major = RealmOptional<Int>()
                let minor = RealmProperty<Int?>()
                var isBeacon: Bool { major.value != nil && self.minor.value != nil && minor.value != 3 }
            }
            """
        let use = """
            func show(_ zone: Zone?, minor: Box) {
                zone?.major.value = 3
                print(zone?.major.value ?? 0, zone?.minor.value ?? 0, zone?.major.valueType, majors.value)
            }
            struct Box { var minor: Box { self } }
            """
        let (sources, says) = try rewritten(["Zone.swift": model, "Use.swift": use])
        expectEqual(
            sources["Zone.swift"],
            """
            class Zone: Object {
                @Persisted var major: Int?
                @Persisted var minor: Int?
                var isBeacon: Bool { major != nil && self.minor != nil && minor.value != 3 }
            }
            """)
        expectEqual(
            sources["Use.swift"],
            """
            func show(_ zone: Zone?, minor: Box) {
                zone?.major = 3
                print(zone?.major ?? 0, zone?.minor.value ?? 0, zone?.major.valueType, majors.value)
            }
            struct Box { var minor: Box { self } }
            """)
        expectEqual(
            says,
            [
                "Zone.swift: Zone.minor: remove `.value` where it is used",
                "2 of 2 files, 1 model classes, 2 properties",
            ])
    }

    @Test func `attributes and words before a property are recognised in any place`() throws {
        let model = """
            @objcMembers
            @MainActor
            public final class Zone: Object {
                nonisolated(unsafe)
                public dynamic var path = ""
                nonisolated(unsafe) public private(set) var size = 0
                @available(macOS 12, *) @objc dynamic var code: String?
                @available(*, deprecated)
                @objc(madeOn) public dynamic var made = Date()
                public static var count = 0
                weak var owner: Zone?
            }
            @MainActor @objc(OldPlace) class Place: Object {
                @available(*, deprecated, message: "(see name)") @objc dynamic var title = ""
                @objc override dynamic var text: String { "" }
                @objc static var count = 0
                @objc func show() { let text = title }
            }
            """
        let (sources, says) = try rewritten(["Zone.swift": model])
        expectEqual(
            sources["Zone.swift"],
            """
            @MainActor
            public final class Zone: Object {
                @Persisted public var path = ""
                @Persisted public private(set) var size = 0
                @available(macOS 12, *) @Persisted var code: String?
                @available(*, deprecated)
                @Persisted public var made = Date()
                public static var count = 0
                weak var owner: Zone?
            }
            @MainActor class Place: Object {
                override class func _realmObjectName() -> String? { "OldPlace" }
                @available(*, deprecated, message: "(see name)") @objc dynamic var title = ""
                override var text: String { "" }
                @objc static var count = 0
                @objc func show() { let text = title }
            }
            """)
        expectEqual(
            says,
            [
                "Zone.swift: Place.title: is not understood: mark it with @Persisted if it is stored",
                "1 of 1 files, 2 model classes, 4 properties",
            ])
    }

    @Test func `names keep their module, and Foundation stays if Objective-C imported it`() throws {
        let model = """
            import Realm
            import RealmSwift
            class Zone: Object {
                let places = RealmSwift.List<Zone>()
                let texts: RealmSwift.MutableSet<String> = .init()
                @objc dynamic var made = Date()
            }
            """
        let (sources, _) = try rewritten(["Zone.swift": model, "Use.swift": "import UIKit\nimport Realm\n"])
        expectEqual(
            sources["Zone.swift"],
            """
            import Foundation
            import RealmObjects
            class Zone: Object {
                @Persisted var places: RealmObjects.List<Zone>
                @Persisted var texts: RealmObjects.MutableSet<String>
                @Persisted var made = Date()
            }
            """)
        expectEqual(sources["Use.swift"], "import UIKit\nimport RealmObjects\n")
    }

    @Test func `Foundation is imported where its names are used, like by the frameworks of RealmSwift`() throws {
        let model = "class Zone: Object {\n    @Persisted var made = Date()\n}"
        let other = "class Area: Object {\n    @Persisted var update = 0\n}"
        let files = [
            "Zone.swift": "#if true\n  import RealmSwift\n#endif\n\(model)",
            "Area.swift": "import RealmSwift\n\(other)",
            "Use.swift": "@preconcurrency import RealmSwift\nlet error: NSError? = nil",
            "View.swift": "import SwiftUI\nimport RealmSwift\nlet date = Date()",
        ]
        let (sources, _) = try rewritten(files)
        expectEqual(sources["Zone.swift"], "#if true\n  import Foundation\n  import RealmObjects\n#endif\n\(model)")
        expectEqual(sources["Area.swift"], "import RealmObjects\n\(other)")
        expectEqual(
            sources["Use.swift"], "import Foundation\n@preconcurrency import RealmObjects\nlet error: NSError? = nil")
        expectEqual(sources["View.swift"], "import SwiftUI\nimport RealmObjects\nlet date = Date()")
        let (kept, _) = try rewritten(files, ["--keep-imports"])
        expectEqual(kept["Use.swift"], "import Foundation\n\(try #require(files["Use.swift"]))")
    }

    @Test func `an initialiser is marked as required once`() throws {
        let model = """
            class Zone: Object {
                override public required init() { super.init() }
            }
            class Place: Object {
                required override init() { super.init() }
            }
            """
        let (sources, _) = try rewritten(["Zone.swift": model])
        expectEqual(
            sources["Zone.swift"],
            """
            class Zone: Object {
                public required init() { super.init() }
            }
            class Place: Object {
                required init() { super.init() }
            }
            """)
    }

    @Test func `classes in one line, objects of Foundation and caught errors are rewritten`() throws {
        let source = """
            class Key: RealmSwiftEmbeddedObject { @objc dynamic var text = ""; @objc dynamic var number = 0 }
            class Day: Object {
                @objc dynamic var start = NSDate()
                @objc dynamic var end: NSDate? = nil
                @objc dynamic var title: NSString = ""
                var shown: NSDate { start }
                func open() {
                    do {
                        _ = try Realm()
                    } catch let failure as NSError {
                        print(failure)
                    }
                    do { _ = try Realm() } catch let error as NSError { print(error) }
                    do { _ = try Realm() } catch let error as NSError where error.code == 1 { print(error) }
                }
            }
            """
        let expected = """
            class Key: RealmSwiftEmbeddedObject {
                @Persisted var text = "";
                @Persisted var number = 0 }
            class Day: Object {
                @Persisted var start = Date()
                @Persisted var end: Date? = nil
                @Persisted var title: String = ""
                var shown: NSDate { start }
                func open() {
                    do {
                        _ = try Realm()
                    } catch {
                        let failure = error as NSError
                        print(failure)
                    }
                    do { _ = try Realm() } catch { let error = error as NSError; print(error) }
                    do { _ = try Realm() } catch let error as NSError where error.code == 1 { print(error) }
                }
            }
            """
        let (texts, says) = try rewritten(["Day.swift": source])
        expectEqual(texts["Day.swift"], expected)
        expectEqual(says, ["1 of 1 files, 2 model classes, 5 properties"])
    }

    @Test func `imports may stay, and a second run changes nothing`() throws {
        let (once, _) = try rewritten(["Models.swift": Self.older], ["--keep-imports"])
        let text = try #require(once["Models.swift"])
        expect(text.contains("import RealmSwift\n") && text.contains("[RealmSwift.SortDescriptor]"))
        expect(text.contains("@Persisted var leaves: List<Leaf>"))
        let (first, _) = try rewritten(["Models.swift": Self.older])
        let (again, _) = try rewritten(first)
        expectEqual(again, first)
        try expectEqual(LeavingTool.run([]).status, 64)
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
