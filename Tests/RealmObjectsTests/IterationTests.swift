import Expectations
import Foundation
import RealmObjects
import Synchronization
import Testing

/// Iteration over many objects, and while the realm changes.
@Suite struct IterationTests {
    /// Returns dogs with the ages 0, 1, 2, ….
    private func kennel(_ count: Int) throws -> (TestRealm, Realm) {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        try realm.write { for age in 0..<count { realm.add(Dog(name: "dog \(age)", age: age)) } }
        return (file, realm)
    }

    @Test func `objects show the version of the realm`() throws {
        let (_, realm) = try kennel(700)
        let dogs = realm.objects(Dog.self)
        for some in [dogs, dogs.where { $0.age >= 0 }, dogs.sorted(byKeyPath: "age")] {
            var ages: [Int] = []
            for dog in some {
                ages.append(dog.age)
                // Every hundredth iteration commits: later objects have other values, or are deleted.
                guard dog.age % 100 == 0 else { continue }
                try realm.write {
                    for later in dogs.where({ $0.age > dog.age && $0.age < dog.age + 3 }) { later.name += "!" }
                }
                let next = try #require(dogs.where { $0.age == dog.age + 1 }.first)
                expect(next.name.hasSuffix("!"))
            }
            expectEqual(ages, Array(0..<700))
        }
        expectEqual(dogs.where { $0.name == "dog 301!!!" }.count, 1)
        var names: [String] = []
        for dog in dogs {
            names.append(dog.name)
            if dog.age == 600 { try realm.write { realm.delete(dogs.where { $0.age > 650 }) } }
        }
        expect(names.count == 651 && names[301] == "dog 301!!!")
    }

    @Test func `count and first match the version`() throws {
        let (_, realm) = try kennel(700)
        let grown = realm.objects(Dog.self).where { $0.age >= 400 }
        let oldest = grown.sorted(byKeyPath: "age", ascending: false)
        // Before a list of matches exists, and after it.
        expect(grown.first?.age == 400 && grown.count == 300 && grown[299].age == 699 && grown.count == 300)
        expect(grown.first?.age == 400 && oldest.count == 300 && oldest.count == 300 && oldest.first?.age == 699)
        try realm.write {
            realm.delete(realm.objects(Dog.self).where { $0.age == 400 || $0.age == 699 })
            expect(grown.count == 298 && grown.first?.age == 401 && oldest.first?.age == 698 && oldest.count == 298)
            realm.add(Dog(name: "old", age: 1000))
            expect(oldest.first?.age == 1000 && grown.count == 299 && grown.last?.age == 1000)
        }
        expect(grown.freeze().count == 299 && grown.freeze().first?.age == 401)
        let none = realm.objects(Dog.self).filter("age > 5000")
        expect(none.first == nil && none.isEmpty && none.isEmpty && none.first == nil)
        let some = realm.objects(Dog.self).filter("age < 100 SORT(age DESC) LIMIT(5)")
        expect(some.count == 5 && some.first?.age == 99 && some.map(\.age) == [99, 98, 97, 96, 95])
        expect(grown.filter("age < %@", 500).count == 99 && grown.filter("age < %@", 500).first?.age == 401)
    }

    @Test func `reads in a transaction return its writes`() throws {
        let (_, realm) = try kennel(300)
        try realm.write {
            for dog in realm.objects(Dog.self) { dog.age += 1 }
            for (index, dog) in realm.objects(Dog.self).enumerated() {
                expectEqual(dog.age, index + 1)
                dog.age += 1
                expect(dog.age == index + 2 && dog.name == "dog \(index)")
            }
        }
        expectEqual(realm.objects(Dog.self).map(\.age), Array(2..<302))
    }

    @Test func `dynamic objects are iterated`() throws {
        let (_, realm) = try kennel(300)
        expectEqual(realm.dynamicObjects("Dog").map { $0["age"] as? Int }, Array(0..<300))
        expect(realm.objects(Dog.self).first?.age == 0 && realm.objects(Dog.self).last?.age == 299)
        expectEqual(realm.objects(Dog.self)[150].age, 150)
    }

    /// Realms are looked up while others are deallocated; none of the latter is returned.
    @Test func `realms end while others commit`() throws {
        let (file, realm) = try kennel(3)
        let configuration = file.configuration
        let seen = Seen()
        let threads = (0..<3).map { number in
            Thread {
                for round in 0..<(number == 0 ? 60 : 150) {
                    guard let realm = try? Realm(configuration: configuration) else { continue }
                    if number == 0 { try? realm.write { realm.objects(Dog.self).first?.age = round } }
                    if realm.objects(Dog.self).count == 3 { seen.count.add(1, ordering: .relaxed) }
                }
                seen.done.signal()
            }
        }
        for thread in threads { thread.start() }
        for _ in threads { seen.done.wait() }
        expectEqual(seen.count.load(ordering: .relaxed), 360)
        realm.refresh()
        expectEqual(realm.objects(Dog.self).first?.age, 59)
    }
}

/// A counter shared by threads.
private final class Seen: Sendable {
    let count = Atomic<Int>(0)
    let done = DispatchSemaphore(value: 0)
}

/// Notifications about all objects of a class, about those that match a query, and about sorted ones are the same.
@Suite struct ChangeIndexTests {
    private final class Told {
        var elements: [ObjectId] = []
        var modified: Set<ObjectId> = []
    }

    @Test(arguments: 1...3)
    func `changes turn the old state into the new one`(seed: Int) throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        try realm.write { for age in 0..<600 { realm.add(Dog(name: "\(age % 7)", age: age)) } }
        let dogs = realm.objects(Dog.self)
        let collections = [dogs, dogs.where { $0.age < 500 }, dogs.sorted(byKeyPath: "name")]
        var told: [Told] = []
        var tokens: [NotificationToken] = []
        for collection in collections {
            let state = Told()
            told.append(state)
            tokens.append(
                collection.observe { change in
                    switch change {
                    case .initial(let dogs): state.elements = dogs.map(\._id)
                    case .update(let dogs, let deletions, let insertions, let modifications):
                        expect(deletions == deletions.sorted() && insertions == insertions.sorted())
                        state.modified.formUnion(modifications.map { state.elements[$0] })
                        for index in deletions.reversed() { state.elements.remove(at: index) }
                        for index in insertions { state.elements.insert(dogs[index]._id, at: index) }
                        expectEqual(state.elements, dogs.map(\._id))
                    case .error: Issue.record("an error")
                    }
                })
        }
        _ = dogs[3]
        let configuration = file.configuration
        var random = SystemRandomNumberGenerator()
        for round in 0..<6 {
            let count = round % 3 == 2 ? 100 : 4
            let changed = Shared((0..<count).map { _ in Int.random(in: 0..<600, using: &random) })
            try onAnotherThread {
                let realm = try Realm(configuration: configuration)
                let dogs = realm.objects(Dog.self)
                try realm.write {
                    for (place, number) in changed.value.enumerated() where number < dogs.count {
                        switch (place + seed) % 4 {
                        case 0: realm.delete(dogs[number])
                        case 1: realm.add(Dog(name: "new", age: number))
                        default: dogs[number].age += 1
                        }
                    }
                }
            }
            realm.refresh()
            for (state, collection) in zip(told, collections) {
                expectEqual(state.elements, collection.map(\._id))
            }
        }
        expect(told.allSatisfy { $0.modified.count > 10 })
        withExtendedLifetime(tokens) {}
    }
}
