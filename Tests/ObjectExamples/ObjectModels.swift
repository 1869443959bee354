import RealmObjects

// The models that the examples of live objects presuppose.

class Dog: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var breed: String?
    @Persisted var owner: Person?
    var firstLetter: String { String(name.prefix(1)) }
}

class Person: Object {
    @Persisted var firstName = ""
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var dogs: List<Dog>
    @Persisted var friends: List<Person>
    @Persisted var address: Address?
}

class Address: EmbeddedObject {
    @Persisted var street = ""
    @Persisted var city: String?
    @Persisted var country: String?
}

class DogClub: Object {
    @Persisted var tags: MutableSet<String>
    @Persisted var prices: Map<String, Double>
}

class Shop: Object {
    @Persisted var location: Place?
}

class Place: EmbeddedObject {
    @Persisted var type = "Point"
    @Persisted var coordinates: List<Double>
}
