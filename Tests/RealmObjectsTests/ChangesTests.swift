import Dispatch
import Expectations
import RealmObjects
import Testing

/// Changes as asynchronous sequences.
@Suite struct ChangesTests {
    /// A realm on an actor, with another realm that writes.
    private actor Kennel {
        let file = TestRealm(kennelTypes)
        private var told: [String] = []

        func open() async throws -> Realm { try await Realm(configuration: file.configuration, actor: self) }

        private func indexes(_ change: RealmCollectionChange<some RealmCollection>) -> String {
            switch change {
            case .initial(let all): "\(all.count)"
            case .update(let all, let deletions, let insertions, let modifications):
                "\(all.count) -\(deletions) +\(insertions) ~\(modifications)"
            case .error: "error"
            }
        }

        func collectionsTellWhatHappenedSinceTheLastTime() async throws -> [String] {
            let realm = try await open()
            try realm.write { realm.add(Dog(name: "Rex", age: 3)) }
            var told: [String] = []
            for await change in realm.objects(Dog.self).sorted(by: \.name).changes() {
                told.append(indexes(change))
                switch told.count {
                case 1: try realm.write { realm.add(Dog(name: "Ada", age: 1)) }
                case 2:
                    // Two commits between two iterations are one change.
                    try realm.write { realm.add(Dog(name: "Bea", age: 1)) }
                    try realm.write { realm.objects(Dog.self).first?.age = 9 }
                default: return told
                }
            }
            return told
        }

        func everythingCanBeWaitedFor() async throws -> [String] {
            let realm = try await open()
            let (dog, person, club) = (Dog(name: "Rex", age: 3), Person(id: 1, name: "Ann"), DogClub())
            try realm.write { for object in [dog, person, club] { realm.add(object) } }
            var told: [String] = []
            var list = person.dogs.changes().makeAsyncIterator()
            var set = club.tags.changes().makeAsyncIterator()
            var map = club.prices.changes().makeAsyncIterator()
            var object = dog.changes(keyPaths: ["age"]).makeAsyncIterator()
            var versions = realm.changes().makeAsyncIterator()
            if let change = await list.next(isolation: self) { told.append(indexes(change)) }
            if let change = await set.next(isolation: self) { told.append(indexes(change)) }
            if case .initial(let all)? = await map.next(isolation: self) { told.append("\(all.count)") }
            try realm.write {
                person.dogs.append(dog)
                club.tags.insert("small")
                club.prices["puppy"] = 2.5
                (dog.age, dog.name) = (4, "Rex II")
            }
            if let change = await list.next(isolation: self) { told.append(indexes(change)) }
            if let change = await set.next(isolation: self) { told.append(indexes(change)) }
            if case .update(_, _, let insertions, _)? = await map.next(isolation: self) { told += insertions }
            if case .change(let dog, let properties)? = await object.next(isolation: self) {
                told.append("\(dog.name) \(properties.map(\.name))")
            }
            if let version = await versions.next(isolation: self) { told.append("\(version)") }
            try realm.write { realm.delete(dog) }
            if case .deleted? = await object.next(isolation: self) { told.append("deleted") }
            return told
        }

        func note(_ text: String) { told.append(text) }

        func listen(_ started: @Sendable () -> Void) async throws -> [String] {
            let realm = try await open()
            var told: [String] = []
            for await change in realm.objects(Dog.self).changes() {
                told.append(indexes(change))
                started()
            }
            return told
        }
    }

    @Test func `collections report the changes since the last time`() async throws {
        let told = try await Kennel().collectionsTellWhatHappenedSinceTheLastTime()
        expectEqual(told, ["1", "2 -[] +[0] ~[]", "3 -[] +[1] ~[1]"])
    }

    @Test func `every kind of change can be awaited`() async throws {
        let told = try await Kennel().everythingCanBeWaitedFor()
        expectEqual(
            told,
            [
                "0", "0", "0", "1 -[] +[0] ~[]", "1 -[] +[0] ~[]", "puppy", "Rex II [\"age\"]", "didChange", "deleted",
            ])
    }

    @Test func `cancelling a task ends its sequence`() async throws {
        let kennel = Kennel()
        let (stream, started) = AsyncStream.makeStream(of: Void.self)
        let task = Task { try await kennel.listen { started.yield() } }
        for await _ in stream { break }
        task.cancel()
        try await expectEqual(task.value, ["0"])
    }
}
