// Made by tools/api --update of the examples in README, in docs and in the documentation.
// swift-format-ignore-file
import Foundation
import RealmObjects

@MainActor
enum ObjectSnippets {

    // Sources/RealmObjects/Collections/AnyRealmCollection.swift
    func RealmObjects_AnyRealmCollection_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func show(_ dogs: AnyRealmCollection<Dog>) { print(dogs.count) }
            show(AnyRealmCollection(person.dogs))
        }
    }

    // Sources/RealmObjects/Collections/LinkingObjects.swift
    func RealmObjects_LinkingObjects_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Dog: Object {
                @Persisted(originProperty: "dogs") var keepers: LinkingObjects<Person>
            }
        }
    }

    // Sources/RealmObjects/Collections/LinkingObjects.swift
    func RealmObjects_LinkingObjects_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Dog: Object {
                @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
            }
        }
    }

    // Sources/RealmObjects/Collections/List.swift
    func RealmObjects_List_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Person: Object {
                @Persisted var name = ""
                @Persisted var dogs: List<Dog>
            }
        }
    }

    // Sources/RealmObjects/Collections/Map.swift
    func RealmObjects_Map_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Shelf: Object {
                @Persisted var prices: Map<String, Double>
            }
            let shelf = Shelf()
            shelf.prices["apple"] = 0.5
            for entry in shelf.prices { print(entry.key, entry.value) }
        }
    }

    // Sources/RealmObjects/Collections/Map.swift
    func RealmObjects_Map_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            for entry in club.prices where entry.value > 10 { print(entry.key) }
        }
    }

    // Sources/RealmObjects/Collections/MutableSet.swift
    func RealmObjects_MutableSet_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            try realm.write { club.tags.insert(objectsIn: ["small", "old", "small"]) }
            print(club.tags.count, club.tags.contains("old"))
        }
    }

    // Sources/RealmObjects/Collections/ProjectedCollection.swift
    func RealmObjects_ProjectedCollection_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class DogNames: Projection<Person> {
                @Projected(\Person.dogs.projectTo.name) var names: ProjectedCollection<String>
            }
            for person in realm.objects(DogNames.self) { print(Array(person.names)) }
        }
    }

    // Sources/RealmObjects/Collections/ProjectedCollection.swift
    func RealmObjects_ProjectedCollection_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let names = person.dogs.projectTo.name
            print(names.first ?? "none")
        }
    }

    // Sources/RealmObjects/Collections/RLMIterator.swift
    func RealmObjects_RLMIterator_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            var dogs = realm.objects(Dog.self).makeIterator()
            while let dog = dogs.next() { print(dog.name) }
        }
    }

    // Sources/RealmObjects/Collections/RealmKeyedCollection.swift
    func RealmObjects_RealmKeyedCollection_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func longest<M: RealmKeyedCollection>(_ map: M) -> String? where M.Key == String { map.keys.max { $0.count < $1.count } }
            print(longest(club.prices) ?? "none")
        }
    }

    // Sources/RealmObjects/Migration/Migration.swift
    func RealmObjects_Migration_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            var configuration = Realm.Configuration(schemaVersion: 2)
            configuration.migrationBlock = { migration, oldVersion in
                if oldVersion < 2 {
                    migration.enumerateObjects(ofType: "Person") { old, new in
                        new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
                    }
                }
            }
        }
    }

    // Sources/RealmObjects/Models/DynamicObject.swift
    func RealmObjects_DynamicObject_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            for dog in realm.dynamicObjects("Dog") { print(dog["name"] ?? "", dog.age ?? 0) }
        }
    }

    // Sources/RealmObjects/Models/Object.swift
    func RealmObjects_Object_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Dog: Object {
                @Persisted(primaryKey: true) var _id: ObjectId
                @Persisted var name = ""
                @Persisted var age = 0
            }
            let dog = Dog(value: ["name": "Rex", "age": 3])
            try realm.write { realm.add(dog) }
        }
    }

    // Sources/RealmObjects/Models/Object.swift
    func RealmObjects_Object_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Address: EmbeddedObject {
                @Persisted var street = ""
                @Persisted var city: String?
            }
            class Person: Object {
                @Persisted var address: Address?
                @Persisted var formerAddresses: List<Address>
            }
        }
    }

    // Sources/RealmObjects/Models/Object.swift
    func RealmObjects_Object_3(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Reading: AsymmetricObject {
                @Persisted(primaryKey: true) var _id: ObjectId
                @Persisted var degrees = 0.0
            }
        }
    }

    // Sources/RealmObjects/Models/ObjectBase.swift
    func RealmObjects_ObjectBase_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func values(of object: ObjectBase) -> [String: Any] {
                let names = object.objectSchema.properties.map(\.name)
                return Dictionary(uniqueKeysWithValues: names.map { ($0, object[$0] as Any) })
            }
            print(values(of: dog), dog.realm == nil, dog.isInvalidated)
        }
    }

    // Sources/RealmObjects/Models/ObjectKeyIdentifiable.swift
    func RealmObjects_ObjectKeyIdentifiable_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Walk: Object, ObjectKeyIdentifiable {
                @Persisted var metres = 0
            }
            let ids = realm.objects(Walk.self).map(\.id)
            print(Set(ids).count)
        }
    }

    // Sources/RealmObjects/Models/Persisted.swift
    func RealmObjects_Persisted_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Dog: Object {
                @Persisted(primaryKey: true) var _id: ObjectId
                @Persisted var name = ""
                @Persisted(indexed: true) var age = 0
                @Persisted var owner: Person?
            }
        }
    }

    // Sources/RealmObjects/Models/Projection.swift
    func RealmObjects_Projection_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class PersonProjection: Projection<Person> {
                @Projected(\Person.firstName) var name
                @Projected(\Person.address?.city) var homeCity
                @Projected(\Person.friends.projectTo.firstName) var friends: ProjectedCollection<String>
            }
            for person in realm.objects(PersonProjection.self) { print(person.name, person.homeCity ?? "unknown") }
        }
    }

    // Sources/RealmObjects/Models/Projection.swift
    func RealmObjects_Projection_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func owner<P: ProjectionObservable>(of projection: P) -> P.Root { projection.rootObject }
        }
    }

    // Sources/RealmObjects/Models/Projection.swift
    func RealmObjects_Projection_3(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Card: Projection<Person> {
                @Projected(\Person.name) var title
                @Projected(\Person.address?.city) var city
            }
            if let card = realm.objects(Card.self).first { print(card.title, card.city ?? "unknown") }
        }
    }

    // Sources/RealmObjects/Notifications/CollectionChange.swift
    func RealmObjects_CollectionChange_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let token = realm.objects(Dog.self).observe { change in
                switch change {
                case .initial(let dogs): print(dogs.count, "dogs")
                case .update(_, let deletions, let insertions, let modifications): print(deletions, insertions, modifications)
                case .error(let error): print(error)
                }
            }
            token.invalidate()
        }
    }

    // Sources/RealmObjects/Notifications/CollectionChange.swift
    func RealmObjects_CollectionChange_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let token = club.prices.observe { change in
                if case .update(_, let deletions, let insertions, let modifications) = change {
                    print(deletions, insertions, modifications)
                }
            }
            token.invalidate()
        }
    }

    // Sources/RealmObjects/Notifications/CollectionChange.swift
    func RealmObjects_CollectionChange_3(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let token = dog.observe { (change: ObjectChange<Dog>) in
                switch change {
                case .change(let dog, let properties): print(dog.name, properties.map(\.name))
                case .deleted: print("gone")
                case .error(let error): print(error)
                }
            }
            token.invalidate()
        }
    }

    // Sources/RealmObjects/Notifications/CollectionChange.swift
    func RealmObjects_CollectionChange_4(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let token = dog.observe { (change: ObjectChange<Dog>) in
                guard case .change(_, let properties) = change else { return }
                for property in properties { print(property.name, property.oldValue ?? "none", property.newValue ?? "none") }
            }
            token.invalidate()
        }
    }

    // Sources/RealmObjects/Notifications/NotificationToken.swift
    func RealmObjects_NotificationToken_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let token: NotificationToken = person.dogs.observe { _ in print("other dogs") }
            try realm.write(withoutNotifying: [token]) { person.dogs.removeAll() }
            token.invalidate()
        }
    }

    // Sources/RealmObjects/Notifications/RealmChanges.swift
    func RealmObjects_RealmChanges_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let task = Task { @MainActor in
                for await change in realm.objects(Dog.self).changes() {
                    if case .update(let dogs, _, let insertions, _) = change { print(dogs.count, insertions) }
                }
            }
            task.cancel()  // ends the sequence
        }
    }

    // Sources/RealmObjects/Notifications/RealmCollection+Observing.swift
    func RealmObjects_RealmCollection_Observing_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let token = realm.objects(Dog.self).observe { change in
                if case .update(let dogs, let deletions, let insertions, let modifications) = change {
                    print(dogs.count, deletions, insertions, modifications)
                }
            }
            token.invalidate()
        }
    }

    // Sources/RealmObjects/Notifications/SectionedResults+Observing.swift
    func RealmObjects_SectionedResults_Observing_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let token = realm.objects(Dog.self).sectioned(by: \.breed).observe { change in
                if case .update(let sections, _, let insertions, _, _, _) = change { print(sections.count, insertions) }
            }
            token.invalidate()
        }
    }

    // Sources/RealmObjects/Realm/AsyncOpening.swift
    func RealmObjects_AsyncOpening_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let configuration = Realm.Configuration(schemaVersion: 2)
            Realm.asyncOpen(configuration: configuration) { result in
                if case .success(let realm) = result { print(realm.objects(Dog.self).count) }
            }
        }
    }

    // Sources/RealmObjects/Realm/Logger.swift
    func RealmObjects_Logger_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            Logger.shared = Logger(level: .debug) { level, message in print(level, message) }
        }
    }

    // Sources/RealmObjects/Realm/Logger.swift
    func RealmObjects_Logger_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let logger = Logger(level: .detail) { level, message in print("Realm Log - \(level): \(message)") }
            Logger.shared = logger
        }
    }

    // Sources/RealmObjects/Realm/Realm+Objects.swift
    func RealmObjects_Realm_Objects_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func number<T: RealmFetchable>(of type: T.Type) -> Int { realm.objects(type).count }
            print(number(of: Dog.self))
        }
    }

    // Sources/RealmObjects/Realm/Realm.swift
    func RealmObjects_Realm_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let realm = try Realm()
            try realm.write { realm.add(Dog(value: ["name": "Rex", "age": 3])) }
            for dog in realm.objects(Dog.self).where({ $0.age > 2 }) { print(dog.name) }
        }
    }

    // Sources/RealmObjects/Realm/ThreadSafeReference.swift
    func RealmObjects_ThreadSafeReference_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let reference = ThreadSafeReference(to: dog)
            queue.async {
                let realm = try! Realm(configuration: configuration, queue: queue)
                if let dog = realm.resolve(reference) { print(dog.name) }
            }
        }
    }

    // Sources/RealmObjects/Realm/ThreadSafeReference.swift
    func RealmObjects_ThreadSafeReference_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let shared = ThreadSafe(wrappedValue: dog)
            queue.async { print(shared.wrappedValue?.name ?? "gone") }
        }
    }

    // Sources/RealmObjects/RealmObjects.docc/LeavingRealmSwift.md
    func RealmObjects_LeavingRealmSwift_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let folder = FileManager.default.temporaryDirectory
            let (old, new) = (folder.appending(path: "flx_sync_default.realm"), folder.appending(path: "local.realm"))
            let reading = Realm.Configuration(fileURL: old, readOnly: true)
            try Realm(configuration: reading).writeCopy(toFile: new)
            let realm = try Realm(configuration: Realm.Configuration(fileURL: new))
            print(realm.isEmpty)
        }
    }

    // Sources/RealmObjects/RealmObjects.docc/MovingOn.md
    func RealmObjects_MovingOn_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            for dog in realm.objects(Dog.self) {
                print(dog._id.stringValue, dog.name, dog.age, dog.owner?.name ?? "no owner")  // a row of the new store
            }
        }
    }

    // Sources/RealmObjects/RealmObjects.docc/RealmObjects.md
    func RealmObjects_RealmObjects_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Dog: Object {
                @Persisted(primaryKey: true) var _id: ObjectId
                @Persisted var name = ""
                @Persisted var age = 0
            }

            let realm = try Realm()
            try realm.write { realm.add(Dog(value: ["name": "Rex", "age": 3])) }
            for dog in realm.objects(Dog.self).where({ $0.age > 2 }) { print(dog.name) }
        }
    }

    // Sources/RealmObjects/Results/KeyPathOperators.swift
    func RealmObjects_KeyPathOperators_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            print(realm.objects(Dog.self).value(forKeyPath: "@sum.age") as? Int ?? 0)
        }
    }

    // Sources/RealmObjects/Results/Query+Places.swift
    func RealmObjects_Query_Places_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let paris = GeoCircle(center: (48.86, 2.35), radiusInRadians: 0.01)!
            print(realm.objects(Shop.self).where { $0.location.geoWithin(paris) }.count)
        }
    }

    // Sources/RealmObjects/Results/Query.swift
    func RealmObjects_Query_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let people = realm.objects(Person.self).where { $0.address.country == "Oz" && $0.dogs.count > 1 }
            print(people.count)
        }
    }

    // Sources/RealmObjects/Results/Query.swift
    func RealmObjects_Query_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let cities = realm.objects(Person.self).where { $0.address.city == "Seoul" }
            print(cities.count)  // the property is of an `Address?`
        }
    }

    // Sources/RealmObjects/Results/Query.swift
    func RealmObjects_Query_3(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let named = realm.objects(Dog.self).where { $0.name.starts(with: "r", options: .caseInsensitive) }
            print(named.count)
        }
    }

    // Sources/RealmObjects/Results/RealmCollection.swift
    func RealmObjects_RealmCollection_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func snapshot<T: ThreadConfined>(_ value: T) -> T { value.isFrozen ? value : value.freeze() }
            let puppies = snapshot(realm.objects(Dog.self).where { $0.age < 2 })
            print(puppies.isFrozen)
        }
    }

    // Sources/RealmObjects/Results/RealmCollection.swift
    func RealmObjects_RealmCollection_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func names<C: RealmCollection>(_ dogs: C) -> [String] where C.Element == Dog { dogs.map(\.name) }
            print(names(realm.objects(Dog.self)), names(person.dogs))
        }
    }

    // Sources/RealmObjects/Results/RealmCollection.swift
    func RealmObjects_RealmCollection_3(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let dogs = realm.objects(Dog.self).filter("age > %@ AND name BEGINSWITH[c] 'r'", 3)
            print(dogs.count)
        }
    }

    // Sources/RealmObjects/Results/RealmCollection.swift
    func RealmObjects_RealmCollection_4(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let dogs = realm.objects(Dog.self).where { $0.age > 3 && $0.name.starts(with: "R") }
            print(dogs.count)
        }
    }

    // Sources/RealmObjects/Results/RealmPredicate.swift
    func RealmObjects_RealmPredicate_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let isOld = RealmPredicate(format: "age > %d", 9)
            let isMeant = RealmPredicate(orPredicateWithSubpredicates: [isOld, RealmPredicate(format: "name BEGINSWITH[c] %@", "r")])
            print(realm.objects(Dog.self).filter(isMeant).count)
        }
    }

    // Sources/RealmObjects/Results/Results.swift
    func RealmObjects_Results_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let puppies = realm.objects(Dog.self).where { $0.age < 2 }.sorted(by: \.name)
            print(puppies.count, puppies.first?.name ?? "none")
        }
    }

    // Sources/RealmObjects/Results/SectionedResults.swift
    func RealmObjects_SectionedResults_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func sizes<S: RealmSectionedResult>(_ sections: S) -> [Int] where S.Element: RealmSectionedResult { sections.map(\.count) }
            print(sizes(realm.objects(Dog.self).sectioned(by: \.breed)))
        }
    }

    // Sources/RealmObjects/Results/SectionedResults.swift
    func RealmObjects_SectionedResults_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let byLetter = realm.objects(Dog.self).sectioned(by: \.firstLetter)
            for section in byLetter { print(section.key, section.map(\.name)) }
        }
    }

    // Sources/RealmObjects/Results/SectionedResults.swift
    func RealmObjects_SectionedResults_3(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            for section in realm.objects(Dog.self).sectioned(by: \.age) {
                print(section.key, section.count, section.first?.name ?? "none")
            }
        }
    }

    // Sources/RealmObjects/Results/SortDescriptor.swift
    func RealmObjects_SortDescriptor_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let dogs = realm.objects(Dog.self).sorted(by: [SortDescriptor(keyPath: \Dog.age, ascending: false), "name"])
            print(dogs.count)
        }
    }

    // Sources/RealmObjects/Results/SortDescriptor.swift
    func RealmObjects_SortDescriptor_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func least<T: KeypathSortable & Object>(_ objects: Results<T>, by path: KeyPath<T, Int>) -> T? {
                objects.sorted(by: path).first
            }
            print(least(realm.objects(Dog.self), by: \.age)?.name ?? "none")
        }
    }

    // Sources/RealmObjects/Schema/ObjectSchema.swift
    func RealmObjects_ObjectSchema_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let schema = dog.objectSchema
            print(schema.className, schema.primaryKeyProperty?.name ?? "none", schema.properties.map(\.name))
        }
    }

    // Sources/RealmObjects/Schema/ObjectSchema.swift
    func RealmObjects_ObjectSchema_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            if let age = realm.schema["Dog"]?["age"] { print(age.type, age.isOptional, age.isIndexed) }
        }
    }

    // Sources/RealmObjects/Schema/ObjectSchema.swift
    func RealmObjects_ObjectSchema_3(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            for objects in realm.schema.objectSchema where !objects.isEmbedded { print(objects.className) }
        }
    }

    // Sources/RealmObjects/Schema/PropertyType.swift
    func RealmObjects_PropertyType_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let texts = dog.objectSchema.properties.filter { $0.type == .string }.map(\.name)
            print(texts)
        }
    }

    // Sources/RealmObjects/Values/AnyRealmValue.swift
    func RealmObjects_AnyRealmValue_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Note: Object {
                @Persisted var content: AnyRealmValue
            }
            let note = Note()
            note.content = .string("walk the dog")
            if case .string(let text) = note.content { print(text) }
            note.content = AnyRealmValue.fromArray([.int(1), .object(dog), .none])
        }
    }

    // Sources/RealmObjects/Values/CustomPersistable.swift
    func RealmObjects_CustomPersistable_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            struct Weight: CustomPersistable {
                var grams: Int
                var persistableValue: Int { grams }
                init(persistedValue: Int) { grams = persistedValue }
            }
            class Parcel: Object {
                @Persisted var weight: Weight
            }
        }
    }

    // Sources/RealmObjects/Values/CustomPersistable.swift
    func RealmObjects_CustomPersistable_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            struct Letter: FailableCustomPersistable {
                var character: Character
                var persistableValue: String { String(character) }
                init?(persistedValue: String) {
                    guard persistedValue.count == 1, let first = persistedValue.first else { return nil }
                    character = first
                }
            }
            class Key: Object {
                @Persisted var label: Letter?
            }
        }
    }

    // Sources/RealmObjects/Values/Decimal128.swift
    func RealmObjects_Decimal128_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let price: Decimal128 = 19.99
            print(price * 3 + Decimal128(1))
        }
    }

    // Sources/RealmObjects/Values/Geospatial.swift
    func RealmObjects_Geospatial_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let shapes: [any RLMGeospatial] = [GeoBox(bottomLeft: (42.3, -4.8), topRight: (51.1, 8.2))].compactMap { $0 }
            print(shapes.count)
        }
    }

    // Sources/RealmObjects/Values/Geospatial.swift
    func RealmObjects_Geospatial_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let paris = GeoPoint(latitude: 48.86, longitude: 2.35)
            print(paris?.latitude ?? 0)
        }
    }

    // Sources/RealmObjects/Values/Geospatial.swift
    func RealmObjects_Geospatial_3(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let far = Distance.kilometers(5000)
            print(far?.radians ?? 0)
        }
    }

    // Sources/RealmObjects/Values/Geospatial.swift
    func RealmObjects_Geospatial_4(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let france = GeoBox(bottomLeft: (42.3, -4.8), topRight: (51.1, 8.2))
            print(france as Any)
        }
    }

    // Sources/RealmObjects/Values/Geospatial.swift
    func RealmObjects_Geospatial_5(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let near = GeoCircle(center: (48.86, 2.35), radiusInRadians: 0.01)
            print(near as Any)
        }
    }

    // Sources/RealmObjects/Values/Geospatial.swift
    func RealmObjects_Geospatial_6(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let triangle = GeoPolygon(outerRing: [(0, 0), (0, 10), (10, 5), (0, 0)])
            print(triangle as Any)
        }
    }

    // Sources/RealmObjects/Values/ObjectId.swift
    func RealmObjects_ObjectId_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let id = ObjectId.generate()
            print(id.stringValue, id.timestamp, try ObjectId(string: "507f1f77bcf86cd799439011") < id)
        }
    }

    // Sources/RealmObjects/Values/Persistable.swift
    func RealmObjects_Persistable_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func list<T: RealmCollectionValue>(_ values: T...) -> List<T> {
                let list = List<T>()
                list.append(objectsIn: values)
                return list
            }
            print(list(1, 2, 3).count, list("a", nil).count)
        }
    }

    // Sources/RealmObjects/Values/Persistable.swift
    func RealmObjects_Persistable_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func spread<C: RealmCollection>(_ values: C) -> (C.Element, C.Element)? where C.Element.PersistedType: MinMaxType {
                values.min().flatMap { low in values.max().map { (low, $0) } }
            }
        }
    }

    // Sources/RealmObjects/Values/Persistable.swift
    func RealmObjects_Persistable_3(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func total<C: RealmCollection>(_ values: C) -> C.Element where C.Element.PersistedType: AddableType { values.sum() }
        }
    }

    // Sources/RealmObjects/Values/Persistable.swift
    func RealmObjects_Persistable_4(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            func ordered<C: RealmCollection>(_ values: C) -> Results<C.Element> where C.Element.PersistedType: SortableType {
                values.sorted()
            }
            print(ordered(club.tags).first ?? "none")
        }
    }

    // Sources/RealmObjects/Values/PersistableEnum.swift
    func RealmObjects_PersistableEnum_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            enum Size: String, PersistableEnum { case small, large }
        }
    }

    // docs/realmobjects.md
    func realmobjects_1(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            class Dog: Object {
                @Persisted(primaryKey: true) var _id: ObjectId
                @Persisted(indexed: true) var name = ""
                @Persisted var age = 0
                @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
            }
            class Person: Object {
                @Persisted var name = ""
                @Persisted var dogs: List<Dog>
                @Persisted var address: Address?  // a class below EmbeddedObject
            }
        }
    }

    // docs/realmobjects.md
    func realmobjects_2(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let realm = try Realm()
            try realm.write { realm.add(Dog(value: ["name": "Rex", "age": 3])) }
            let puppies = realm.objects(Dog.self).where { $0.age < 2 }.sorted(by: \.name)
            let named = realm.objects(Dog.self).filter("age > %@ AND name BEGINSWITH[c] 'r'", 2)
            print(puppies.count, named.first?.name ?? "none")
        }
    }

    // docs/realmobjects.md
    func realmobjects_3(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let token = realm.objects(Dog.self).observe { change in
                switch change {
                case .initial(let dogs): print(dogs.count, "dogs")
                case .update(_, let deletions, let insertions, let modifications): print(deletions, insertions, modifications)
                case .error(let error): print(error)
                }
            }
            token.invalidate()
        }
    }

    // docs/realmobjects.md
    func realmobjects_4(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            actor Kennel {
                private var realm: Realm!
                func open(_ configuration: Realm.Configuration) async throws {
                    realm = try await Realm.open(configuration: configuration)
                }
                func add(_ name: String) async throws { try await realm.asyncWrite { realm.add(Dog(value: ["name": name])) } }
            }
        }
    }

    // docs/realmobjects.md
    func realmobjects_5(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let reference = ThreadSafeReference(to: dog)
            queue.async {
                let realm = try! Realm(configuration: configuration, queue: queue)
                if let dog = realm.resolve(reference) { print(dog.name) }
            }
        }
    }

    // docs/realmobjects.md
    func realmobjects_6(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            var configuration = Realm.Configuration(schemaVersion: 2)
            configuration.migrationBlock = { migration, oldVersion in
                if oldVersion < 2 {
                    migration.enumerateObjects(ofType: "Person") { old, new in
                        new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
                    }
                }
            }
        }
    }

    // docs/realmobjects.md
    func realmobjects_7(
        _ realm: Realm, _ dog: Dog, _ person: Person, _ club: DogClub, _ configuration: Realm.Configuration,
        _ queue: DispatchQueue
    ) async throws {
        do {
            let key = Data((0..<64).map { _ in UInt8.random(in: 0...255) })  // keep it in the keychain
            let secret = try Realm(configuration: Realm.Configuration(encryptionKey: key))
            let test = Realm.Configuration(inMemoryIdentifier: "dogs", objectTypes: [Dog.self, Person.self, Address.self])
            print(secret.isEmpty, try Realm(configuration: test).isEmpty)
        }
    }
}
