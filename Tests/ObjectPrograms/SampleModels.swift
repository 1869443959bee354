import Foundation
import RealmObjects

enum Kind: String, PersistableEnum { case plain, striped, dotted }

/// A class with a property of each type, and collections of many types.
class Sample: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var flag: Bool
    @Persisted var tiny: Int8
    @Persisted var short: Int16?
    @Persisted var middle: Int32
    @Persisted var long: Int64
    @Persisted(indexed: true) var age: Int?
    @Persisted var single: Float
    @Persisted var double: Double?
    @Persisted(indexed: true) var name = ""
    @Persisted var comment: String?
    @Persisted var bytes: Data
    @Persisted var moment: Date?
    @Persisted var mark: ObjectId?
    @Persisted var decimal: Decimal128
    @Persisted(indexed: true) var uuid: UUID?
    @Persisted var kind = Kind.plain
    @Persisted var any: AnyRealmValue
    @Persisted var next: Sample?
    @Persisted var piece: Piece?
    @Persisted var numbers: List<Int>
    @Persisted var gaps: List<Double?>
    @Persisted var texts: List<String>
    @Persisted var moments: List<Date>
    @Persisted var anys: List<AnyRealmValue>
    @Persisted var friends: List<Sample>
    @Persisted var pieces: List<Piece>
    @Persisted var tags: MutableSet<String>
    @Persisted var sizes: MutableSet<Int?>
    @Persisted var circle: MutableSet<Sample>
    @Persisted var prices: Map<String, Double>
    @Persisted var notes: Map<String, String?>
    @Persisted var mates: Map<String, Sample?>
    @Persisted var anyMap: Map<String, AnyRealmValue>
    @Persisted var pieceMap: Map<String, Piece?>
    @Persisted(originProperty: "friends") var befriended: LinkingObjects<Sample>
    @Persisted(originProperty: "next") var previous: LinkingObjects<Sample>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// An embedded object of a sample.
class Piece: EmbeddedObject {
    @Persisted var label = "new"
    @Persisted var weight: Int?
    @Persisted var values: List<Int>
    @Persisted var target: Sample?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
