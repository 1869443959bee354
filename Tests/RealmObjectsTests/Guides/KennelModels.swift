import RealmObjects

// The models in the SDK's guides: dogs and their owners, clubs, embedded addresses.

class Dog: Object {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var breed: String?
    @Persisted var owner: Person?
    @Persisted(originProperty: "dogs") var keepers: LinkingObjects<Person>

    convenience init(name: String, age: Int) {
        self.init()
        self.name = name
        self.age = age
    }
}

class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    @Persisted var dogs: List<Dog>
    @Persisted var address: Address?

    /// Not stored: computed, or not marked.
    var greeting: String { "I am \(name)" }
    var visits = 0

    convenience init(id: Int, name: String, address: Address? = nil) {
        self.init()
        self.id = id
        self.name = name
        self.address = address
    }
}

class Address: EmbeddedObject {
    @Persisted var street: String?
    @Persisted var city: String?
    @Persisted var country: String?
    @Persisted var postalCode: String?
}

class DogClub: Object {
    @Persisted var name = ""
    @Persisted(indexed: true) var founded: Int?
    @Persisted var members: List<Person>
    @Persisted var regionalOffices: List<Address>
    @Persisted var tags: MutableSet<String>
    @Persisted var prices: Map<String, Double>
}
