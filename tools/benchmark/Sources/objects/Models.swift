import Foundation
import RealmObjects

// The classes of `MadeTable`.

final class Item: Object {
    @Persisted(primaryKey: true) var _id = 0
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var score = 0.0
    @Persisted var active = false
    @Persisted var time: Date
    @Persisted(indexed: true) var city = ""
    @Persisted var owner: Owner?
}

final class Owner: Object {
    @Persisted var name = ""
    @Persisted var age = 0
}
