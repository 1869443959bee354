import Foundation
import RealmObjects

// Three versions of the same classes.

class Item0: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted var place = ""
    @Persisted var count = 0
    @Persisted var ratio: Double
    @Persisted var gone: Data?
    @Persisted var friend: Item0?
    @Persisted var friends: List<Item0>
    @Persisted var memo: Memo0?
    @Persisted var numbers: List<Int>

    override class func _realmObjectName() -> String? { "Item" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Memo0: Object {
    @Persisted var text = ""
    @Persisted var stars: Int?

    override class func _realmObjectName() -> String? { "Memo" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// `name` becomes `title` and required, `summary` is computed from it and the place, `count` becomes a floating-point
/// number, and memos become embedded in their items.
class Item1: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var title = ""
    @Persisted var place = ""
    @Persisted var summary = ""
    @Persisted var count = 0.0
    @Persisted var ratio: Double?
    @Persisted var friend: Item1?
    @Persisted var friends: List<Item1>
    @Persisted var memo: Memo1?
    @Persisted var numbers: List<Int>
    @Persisted var isNew = true

    override class func _realmObjectName() -> String? { "Item" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Memo1: EmbeddedObject {
    @Persisted var text = ""
    @Persisted var stars: Int?

    override class func _realmObjectName() -> String? { "Memo" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The key becomes a string, `ratio` becomes required, the friends are split into a set and a map, and numbers become
/// strings.
class Item2: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var title = ""
    @Persisted var summary = ""
    @Persisted var count: Int?
    @Persisted var ratio: Double
    @Persisted var friend: Item2?
    @Persisted var circle: MutableSet<Item2>
    @Persisted var named: Map<String, Item2?>
    @Persisted var memos: List<Memo1>
    @Persisted var numbers: List<String>
    @Persisted var isNew = true

    override class func _realmObjectName() -> String? { "Item" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
