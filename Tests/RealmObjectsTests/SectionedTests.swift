import Expectations
import Foundation
import RealmObjects
import Testing

/// A realm on a serial queue, where notifications arrive as soon as the queue is idle.
final class QueueRealm: @unchecked Sendable {
    let file: TestRealm
    let queue = DispatchQueue(label: "realm of a test")
    private(set) var realm: Realm!
    private var tokens: [NotificationToken] = []
    var told: [String] = []

    convenience init(_ types: [ObjectBase.Type]) throws { try self.init(of: TestRealm(types)) }

    init(of file: TestRealm) throws {
        self.file = file
        try queue.sync { realm = try Realm(configuration: file.configuration, queue: queue) }
    }

    /// Runs a block on the realm's queue, and waits for its notifications.
    @discardableResult
    func callAsFunction<R>(_ body: (Realm) throws -> R) rethrows -> R {
        let result = try queue.sync { try body(realm) }
        queue.sync {}
        return result
    }

    /// Runs a block in a realm of another thread, and waits for its notifications.
    func elsewhere(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
        let configuration = file.configuration
        try onAnotherThread { try body(try Realm(configuration: configuration)) }
        queue.sync {}
    }

    func keep(_ token: NotificationToken) { tokens.append(token) }

    /// Waits until the number of notifications suffices.
    func wait(_ isEnough: (Int) -> Bool) {
        for _ in 0..<6000 where !isEnough(queue.sync { told.count }) { Thread.sleep(forTimeInterval: 0.01) }
    }

    /// Returns the notifications since the last call.
    func heard() -> [String] {
        queue.sync {
            defer { told = [] }
            return told
        }
    }

    /// Releases the realm.
    func close() {
        queue.sync {
            tokens = []
            realm = nil
        }
    }

    deinit { close() }
}

extension Dog {
    fileprivate var letter: String { String(name.prefix(1)) }
}

/// Sectioned results.
@Suite struct SectionedTests {
    private func kennel() throws -> QueueRealm {
        let kennel = try QueueRealm(kennelTypes)
        try kennel { realm in
            try realm.write { for name in ["Bo", "Ada", "Cy", "Ben"] { realm.add(Dog(name: name, age: name.count)) } }
        }
        return kennel
    }

    @Test func `sections are in the order of the results`() throws {
        let kennel = try kennel()
        try kennel { realm in
            let dogs = realm.objects(Dog.self)
            let byLetter = dogs.sectioned(by: \.letter)
            expectEqual(byLetter.allKeys, ["A", "B", "C"])
            expectEqual(byLetter.map { $0.map(\.name) }, [["Ada"], ["Ben", "Bo"], ["Cy"]])
            expectEqual(byLetter[IndexPath(indexes: [1, 0])].name, "Ben")
            expectEqual(dogs.sectioned(by: \.letter, ascending: false).allKeys, ["C", "B", "A"])
            let byAge = dogs.sectioned(by: \.age, sortDescriptors: ["name"])
            expectEqual(byAge.map { [$0.key] + [$0.count] }, [[3, 2], [2, 2]])
            let byBlock = dogs.sectioned(by: { $0.age > 2 }, sortDescriptors: ["age", "name"])
            expectEqual(byBlock.allKeys, [false, true])
            expectEqual(byLetter, byLetter)
            expect(byLetter != dogs.sectioned(by: \.letter))
            let frozen = byLetter.freeze()
            try realm.write { realm.add(Dog(name: "Dot", age: 1)) }
            expect(byLetter.count == 4 && frozen.count == 3 && frozen.isFrozen && frozen.thaw()?.count == 4)
        }
    }

    @Test func `values are divided into sections`() throws {
        let kennel = try QueueRealm(kennelTypes)
        try kennel { realm in
            try realm.write { realm.add(DogClub(value: ["tags": ["ab", "b", "ac"]])) }
            let tags = realm.objects(DogClub.self)[0].tags
            let sections = tags.sectioned(by: { String($0.prefix(1)) }, ascending: false)
            expectEqual(sections.map { Array($0) }, [["b"], ["ac", "ab"]])
        }
    }

    @Test func `changes are reported by section and index`() throws {
        let kennel = try kennel()
        kennel { realm in
            let sections = realm.objects(Dog.self).sectioned(by: \.letter)
            kennel.keep(
                sections.observe { change in
                    switch change {
                    case .initial(let sections): kennel.told.append("initial \(sections.count)")
                    case .update(_, let deletions, let insertions, let modifications, let added, let removed):
                        kennel.told.append(
                            "-\(deletions.map { Array($0) }) +\(insertions.map { Array($0) }) ~\(modifications.map { Array($0) }) +\(Array(added)) -\(Array(removed))"
                        )
                    }
                })
            kennel.keep(
                sections[1].observe { change in
                    if case .update(let section, _, let insertions, _, _, _) = change {
                        kennel.told.append("\(section.key) \(section.count) +\(insertions.map { Array($0) })")
                    }
                })
        }
        expectEqual(kennel.heard(), ["initial 3"])
        try kennel { realm in
            let dogs = realm.objects(Dog.self).sorted(by: \.name)
            // Ada is deleted, Bo is renamed Dan, Ben's age changes: A is removed, D is new.
            try realm.write {
                realm.delete(dogs[0])
                dogs[0].age = 9
                dogs.first { $0.name == "Bo" }?.name = "Dan"
            }
        }
        expectEqual(
            kennel.heard(), ["-[[1, 1]] +[[2, 0]] ~[[1, 0]] +[2] -[0]", "B 1 +[]"])
    }

    @Test func `sections are rebuilt when linked objects change`() throws {
        let kennel = try QueueRealm(kennelTypes + [Ghost.self])
        var asked = 0
        try kennel { realm in
            try realm.write {
                let ann = realm.create(Person.self, value: ["id": 1, "name": "Ann"])
                for name in ["Bo", "Cy"] { ann.dogs.append(Dog(name: name, age: 2)) }
            }
            let sections = realm.objects(Dog.self).where { $0.age < 5 }.sectioned(
                by: { dog in
                    asked += 1
                    return dog.keepers.first?.name ?? "none"
                }, sortDescriptors: ["name"])
            kennel.keep(
                sections.observe { change in
                    guard case .update(let sections, _, let insertions, let modifications, _, _) = change else {
                        return
                    }
                    kennel.told.append(
                        "\(sections.map { "\($0.key) \($0.count)" }) +\(insertions.count) ~\(modifications.count)")
                })
        }
        /// Returns how many times section keys were computed.
        func asks(_ change: (Realm) -> Void) throws -> Int {
            try kennel { realm in
                asked = 0
                try realm.write { change(realm) }
            }
            return kennel { _ in asked }
        }
        try expectEqual(asks { $0.create(Ghost.self) }, 0)
        try expectEqual(asks { $0.objects(Ghost.self)[0].number = 7 }, 0)
        expectEqual(kennel.heard(), [])
        try expect(asks { $0.objects(Dog.self)[0].age = 3 } > 0)
        expectEqual(kennel.heard(), ["[\"Ann 2\"] +0 ~1"])
        try expect(asks { $0.objects(Person.self)[0].name = "Eve" } > 0)
        expectEqual(kennel.heard(), ["[\"Eve 2\"] +2 ~0"])
        try expect(asks { $0.objects(Dog.self)[1].age = 9 } > 0)
        expectEqual(kennel.heard(), ["[\"Eve 1\"] +0 ~0"])
        try expectEqual(asks { $0.delete($0.objects(Ghost.self)) }, 0)
    }
}

/// Projections of some properties.
@Suite struct ProjectionTests {
    final class OwnerView: Projection<Person> {
        @Projected(\Person.name) var owner
        @Projected(\Person.address?.city) var city
        @Projected(\Person.dogs.projectTo.name) var dogs: ProjectedCollection<String>
    }

    private func people() throws -> QueueRealm {
        let people = try QueueRealm(kennelTypes)
        try people { realm in
            let ann = Person(id: 1, name: "Ann", address: Address(value: ["city": "Rome"]))
            ann.dogs.append(objectsIn: [Dog(name: "Rex", age: 1), Dog(name: "Bo", age: 2)])
            try realm.write { realm.add([ann, Person(id: 2, name: "Bob")]) }
        }
        return people
    }

    @Test func `values of a projection equal those of the object`() throws {
        let people = try people()
        try people { realm in
            let views = realm.objects(OwnerView.self)
            expectEqual(views.count, 2)
            let ann = try #require(views.where { $0.owner == "Ann" }.first)
            expect(ann.city == "Rome" && Array(ann.dogs) == ["Rex", "Bo"])
            expectEqual(views.where { $0.city == "Rome" }.count, 1)
            try realm.write {
                ann.owner = "Eve"
                ann.dogs[1] = "Bea"
            }
            expectEqual(realm.object(ofType: Person.self, forPrimaryKey: 1)?.name, "Eve")
            expectEqual(realm.objects(Dog.self).where { $0.name == "Bea" }.count, 1)
            expectEqual(ann.dogs.description, "ProjectedCollection<String> {\n\t[0] Rex\n\t[1] Bea\n}")
            let frozen = ann.freeze()
            try realm.write { ann.owner = "Zoe" }
            expect(frozen.owner == "Eve" && frozen.isFrozen && ann.rootObject.name == "Zoe")
            expectEqual(ann, OwnerView(projecting: ann.rootObject))
        }
    }

    @Test func `projections of one object are equal`() throws {
        final class ClubView: Projection<DogClub> { @Projected(\DogClub.name) var title }
        let realm = try TestRealm(kennelTypes).open()
        try realm.write { realm.add([DogClub(value: ["name": "a"]), DogClub(value: ["name": "b"])]) }
        let (views, club) = (realm.objects(ClubView.self), realm.objects(DogClub.self)[0])
        expect(views[0] == ClubView(projecting: club) && views[0] != views[1])
        expectEqual(Set([views[0], views[1], ClubView(projecting: club)]).count, 2)
    }

    @Test func `changes have the names of the projection`() throws {
        let people = try people()
        people { realm in
            let ann = realm.objects(OwnerView.self)[0]
            people.keep(
                ann.observe { change in
                    if case .change(_, let properties) = change { people.told.append("\(properties.map(\.name))") }
                    if case .deleted = change { people.told.append("deleted") }
                })
            people.keep(
                ann.observe(keyPaths: [\.owner]) { change in
                    if case .change = change { people.told.append("owner") }
                })
            people.keep(
                ann.dogs.observe { change in
                    if case .update(_, _, _, let modifications) = change { people.told.append("\(modifications)") }
                })
        }
        let ann = { (realm: Realm) in realm.objects(Person.self)[0] }
        try people { realm in try realm.write { ann(realm).address?.city = "Bern" } }
        expectEqual(people.heard(), ["[\"city\"]"])
        try people { realm in try realm.write { ann(realm).name = "Eve" } }
        expectEqual(people.heard(), ["[\"owner\"]", "owner"])
        try people { realm in try realm.write { ann(realm).dogs[1].name = "Bea" } }
        expect(people.heard().contains("[1]"))
        try people { realm in try realm.write { realm.delete(ann(realm)) } }
        expect(people.heard().contains("deleted"))
    }

    @Test func `old and new values are those of the projection`() throws {
        let people = try people()
        people { realm in
            func tell(_ change: ObjectChange<OwnerView>) {
                guard case .change(_, let properties) = change else { return }
                people.told.append(
                    properties.map { "\($0.name): \($0.oldValue ?? "none") -> \($0.newValue ?? "none")" }.joined(
                        separator: ", "))
            }
            let ann = realm.objects(OwnerView.self)[0]
            // Also by the path in the object.
            people.keep(ann.observe(keyPaths: ["name", "address"], tell))
        }
        let ann = { @Sendable (realm: Realm) in realm.objects(Person.self)[0] }
        try people.elsewhere { realm in
            try realm.write {
                ann(realm).name = "Eve"
                ann(realm).dogs.removeAll()
            }
        }
        expectEqual(people.heard(), ["owner: Ann -> Eve"])
        try people.elsewhere { realm in try realm.write { ann(realm).address = Address(value: ["city": "Bern"]) } }
        expectEqual(people.heard(), ["city: Rome -> Bern"])
        try people.elsewhere { realm in try realm.write { ann(realm).address = nil } }
        expectEqual(people.heard(), ["city: Bern -> none"])
        // The thread that made a change receives no old value.
        try people { realm in try realm.write { ann(realm).name = "Zoe" } }
        expectEqual(people.heard(), ["owner: none -> Zoe"])
    }
}

/// Maps as collections of values, and their notifications.
@Suite struct KeyedTests {
    @Test func `linking objects are observed`() throws {
        let kennel = try QueueRealm(kennelTypes)
        try kennel { realm in
            let (ann, rex) = (Person(id: 1, name: "Ann"), Dog(name: "Rex", age: 3))
            ann.dogs.append(rex)
            try realm.write {
                realm.add(ann)
                realm.add(Person(id: 2, name: "Bob"))
            }
            kennel.keep(
                rex.observe(keyPaths: ["keepers.name"]) { (change: ObjectChange<Dog>) in
                    if case .change(_, let properties) = change { kennel.told.append("\(properties.map(\.name))") }
                })
            kennel.keep(
                realm.objects(Dog.self).observe(keyPaths: ["keepers"]) { change in
                    if case .update(_, _, _, let modifications) = change { kennel.told.append("\(modifications)") }
                })
        }
        let people = { (realm: Realm) in realm.objects(Person.self).sorted(by: \.id) }
        try kennel { realm in try realm.write { people(realm)[0].name = "Anna" } }
        expectEqual(kennel.heard(), ["[\"keepers\"]"])
        try kennel { realm in try realm.write { people(realm)[1].dogs.append(realm.objects(Dog.self)[0]) } }
        expectEqual(kennel.heard(), ["[\"keepers\"]", "[0]"])
        try kennel { realm in try realm.write { people(realm)[1].visits += 1 } }
        try kennel { realm in try realm.write { realm.delete(people(realm)[1]) } }
        expectEqual(kennel.heard(), ["[\"keepers\"]", "[0]"])
    }

    @Test func `values of maps behave like results`() throws {
        let clubs = try QueueRealm(kennelTypes)
        try clubs { realm in
            try realm.write { realm.add(DogClub(value: ["prices": ["a": 2.5, "b": 1, "c": 4]])) }
            let prices = realm.objects(DogClub.self)[0].prices
            expectEqual(Array(prices.sorted()), [1, 2.5, 4])
            expect(prices.min() == 1 && prices.max() == 4 && prices.sum() == 7.5 && prices.average() == 2.5)
            expectEqual(prices.value(forKey: "b") as? Double, 1)
            let erased = AnyRealmCollection(realm.objects(DogClub.self))
            expect(erased.count == 1 && erased[0].name == "" && erased == erased)
            // Two queries are not equal.
            expect(erased != AnyRealmCollection(realm.objects(DogClub.self)))
        }
    }

    @Test func `observers of maps receive keys`() throws {
        let clubs = try QueueRealm(kennelTypes)
        try clubs { realm in
            try realm.write { realm.add(DogClub(value: ["prices": ["a": 2.5, "b": 1]])) }
            clubs.keep(
                realm.objects(DogClub.self)[0].prices.observe { change in
                    switch change {
                    case .initial(let map): clubs.told.append("initial \(map.count)")
                    case .update(_, let deletions, let insertions, let modifications):
                        clubs.told.append("\(deletions) \(insertions) \(modifications)")
                    case .error: break
                    }
                })
        }
        expectEqual(clubs.heard(), ["initial 2"])
        try clubs { realm in
            let prices = realm.objects(DogClub.self)[0].prices
            try realm.write {
                prices["a"] = nil
                prices["b"] = 7
                prices["c"] = 8
            }
        }
        expectEqual(clubs.heard(), ["[\"a\"] [\"c\"] [\"b\"]"])
    }

    @Test func `observers may be skipped`() throws {
        let kennel = try QueueRealm(kennelTypes)
        let token: NotificationToken = kennel { realm in
            realm.objects(Dog.self).observe { _ in kennel.told.append("first") }
        }
        kennel { realm in kennel.keep(realm.objects(Dog.self).observe { _ in kennel.told.append("second") }) }
        expectEqual(kennel.heard(), ["first", "second"])
        try kennel { realm in try realm.write(withoutNotifying: [token]) { realm.add(Dog(name: "Rex", age: 1)) } }
        expectEqual(kennel.heard(), ["second"])
        kennel { _ in token.invalidate() }
    }

    @Test func `key paths through links are observed`() throws {
        let people = try QueueRealm(kennelTypes)
        try people { realm in
            let ann = Person(id: 1, name: "Ann")
            ann.dogs.append(Dog(name: "Rex", age: 1))
            try realm.write { realm.add(ann) }
            people.keep(
                realm.objects(Person.self).observe(keyPaths: ["dogs.age"]) { change in
                    if case .update(_, _, _, let modifications) = change { people.told.append("\(modifications)") }
                })
        }
        try people { realm in try realm.write { realm.objects(Dog.self)[0].name = "other" } }
        expectEqual(people.heard(), [])
        try people { realm in try realm.write { realm.objects(Dog.self)[0].age = 2 } }
        expectEqual(people.heard(), ["[0]"])
    }

    @Test func `objects are accessed by the name of their class`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        try realm.write {
            let ann = realm.dynamicCreate("Person", value: ["id": 3, "name": "Ann"])
            ann.name = "Eve"
            realm.dynamicCreate("Person", value: ["id": 3, "name": "Zoe"], update: .modified)
            ann.dynamicList("dogs").append(realm.dynamicCreate("Dog", value: ["_id": ObjectId(), "name": "Rex"]))
        }
        let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 3))
        expect(person.name == "Zoe" && person.dogs.map(\.name) == ["Rex"])
        expectEqual(person.dynamicList("dogs")[0]["name"] as? String, "Rex")
    }

    @Test func `lists are moved and removed by offsets`() {
        let list = List<Int>()
        list.append(objectsIn: 0..<6)
        list.move(fromOffsets: [0, 4], toOffset: 3)
        expectEqual(Array(list), [1, 2, 0, 4, 3, 5])
        list.remove(atOffsets: [0, 5])
        expectEqual(Array(list), [2, 0, 4, 3])
    }

    @Test func `observers are notified on their actors`() async throws {
        let file = TestRealm(kennelTypes)
        let (stream, told) = AsyncStream.makeStream(of: Int.self)
        let watcher = Watcher()
        let token = try await watcher.watch(file.configuration, told)
        var iterator = stream.makeAsyncIterator()
        await expectEqual(iterator.next(), 0)
        try await watcher.add(file.configuration)
        await expectEqual(iterator.next(), 1)
        token.invalidate()
    }

    private actor Watcher {
        func watch(
            _ configuration: Realm.Configuration, _ told: AsyncStream<Int>.Continuation
        ) async throws -> NotificationToken {
            let realm = try await Realm.open(configuration: configuration)
            return await realm.objects(Dog.self).observe(on: self) { _, change in
                switch change {
                case .initial(let dogs): told.yield(dogs.count)
                case .update(_, _, let insertions, _): told.yield(insertions.count)
                case .error: break
                }
            }
        }

        func add(_ configuration: Realm.Configuration) async throws {
            let realm = try await Realm.open(configuration: configuration)
            try realm.write { realm.add(Dog(name: "Rex", age: 1)) }
        }
    }
}
