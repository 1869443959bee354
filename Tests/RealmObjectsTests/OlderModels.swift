import Foundation
import RealmObjects

// What `tools/leave-realmswift` makes of models in RealmSwift's older style (`LeavingTests`).

enum Colour: Int, RealmEnum {
    case green, black
}

class Leaf: Object {
    @Persisted(originProperty: "leaves") var blends: LinkingObjects<Blend>
    @Persisted(originProperty: "best") var bestOf: LinkingObjects<Blend>
    @Persisted var name = ""
}

class Blend: Leaf {
    override class func _realmObjectName() -> String? { "TeaBlend" }
    @Persisted internal var code: String? {
        didSet { if oldValue != code { changes += 1 } }
    }
    var changes = 0
    @Persisted private(set) var grams = 0.5  // of one portion
    @Persisted var colour = Colour.green
    @Persisted var leaves: List<Leaf>
    @Persisted final var best: Leaf?
    @Persisted var notes: RealmObjects.List<String?>
    @Persisted var shops: MutableSet<String>
    @Persisted var prices: Map<String, Double?>
    @Persisted var rating: Int?
    @Persisted var stars: Int? = 3
    @Persisted var any: AnyRealmValue
    lazy var cache: [String] = []
    let pot = Data()
    var title: String {
        "\(name) \(code ?? "")"
    }
    @Persisted var isSold: Bool = { false }()
    var drafts = List<String>()

    override class func indexedProperties() -> [String] { ["code"] }
    override class func ignoredProperties() -> [String] { ["drafts", "changes"] }

    func order() -> [RealmObjects.SortDescriptor] {
        var keys = [RealmObjects.SortDescriptor(keyPath: "name")]
        keys.append(.init(keyPath: "grams"))
        return keys
    }
}

/// No model.
class Kitchen: NSObject {
    var blends = [Blend]()
}
