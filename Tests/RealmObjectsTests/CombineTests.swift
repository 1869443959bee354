#if canImport(Combine)
    import Combine
    import Foundation
    import RealmObjects
    import Testing

    /// Publishers emit the same changes that observers receive.
    @Suite struct CombineTests {
        private final class Heard: @unchecked Sendable {
            private let lock = NSLock()
            private var lines: [String] = []
            var tokens: [NotificationToken?] = []
            var token: NotificationToken? { didSet { tokens.append(token) } }

            func add(_ line: String) { lock.withLock { lines.append(line) } }
            func take() -> [String] {
                lock.withLock {
                    defer { lines = [] }
                    return lines
                }
            }
        }

        /// Subscriptions on a queue.
        private final class Subscriptions: @unchecked Sendable {
            var all: Set<AnyCancellable> = []
        }

        @Test func `collections are published at first and after changes`() throws {
            let (kennel, heard, subscriptions) = (try QueueRealm(kennelTypes), Heard(), Subscriptions())
            kennel { realm in
                realm.objects(Dog.self).sorted(by: \.name).collectionPublisher.sink { _ in
                } receiveValue: {
                    heard.add("value " + $0.map(\.name).joined(separator: " "))
                }
                .store(in: &subscriptions.all)
                realm.objects(Dog.self).sorted(by: \.name).changesetPublisher.sink { change in
                    switch change {
                    case .initial(let dogs): heard.add("initial \(dogs.count)")
                    case .update(_, let deletions, let insertions, let modifications):
                        heard.add("update \(deletions) \(insertions) \(modifications)")
                    case .error: heard.add("error")
                    }
                }.store(in: &subscriptions.all)
            }
            expectEqual(heard.take(), ["value ", "initial 0"])
            try kennel { realm in try realm.write { realm.add([Dog(name: "B", age: 1), Dog(name: "A", age: 2)]) } }
            expectEqual(heard.take(), ["value A B", "update [] [0, 1] []"])
            try kennel { realm in
                try realm.write { realm.objects(Dog.self).where { $0.name == "A" }.first?.age = 3 }
            }
            expectEqual(heard.take(), ["value A B", "update [] [] [0]"])
            kennel { _ in subscriptions.all = [] }
            try kennel { realm in try realm.write { realm.deleteAll() } }
            expectEqual(heard.take(), [], "who has cancelled is told of nothing")
        }

        @Test func `objects are published until they are deleted`() throws {
            let (kennel, heard, subscriptions) = (try QueueRealm(kennelTypes), Heard(), Subscriptions())
            try kennel { realm in
                let dog = Dog(name: "Rex", age: 1)
                try realm.write { realm.add(dog) }
                valuePublisher(dog).sink { _ in
                    heard.add("end")
                } receiveValue: {
                    heard.add("value \($0.age)")
                }
                .store(in: &subscriptions.all)
                changesetPublisher(dog, keyPaths: ["name"]).sink { _ in
                    heard.add("end of changes")
                } receiveValue: { change in
                    if case .change(let dog, let properties) = change {
                        heard.add("change \(dog.name) \(properties.map(\.name))")
                    }
                }.store(in: &subscriptions.all)
                dog.objectWillChange.sink { heard.add("will change") }.store(in: &subscriptions.all)
            }
            func change(_ body: @escaping (Dog) -> Void) throws -> [String] {
                try kennel { realm in try realm.write { realm.objects(Dog.self).first.map(body) } }
                return heard.take().sorted()
            }
            try expectEqual(change { $0.age = 2 }, ["value 2", "will change"])
            try expectEqual(change { $0.name = "Max" }, ["change Max [\"name\"]", "value 2", "will change"])
            try kennel { realm in try realm.write { realm.deleteAll() } }
            expectEqual(heard.take().sorted(), ["end", "end of changes", "will change"])
            kennel { _ in subscriptions.all = [] }
        }

        @Test func `maps, sections and realms are published`() throws {
            let (kennel, heard, subscriptions) = (try QueueRealm(kennelTypes), Heard(), Subscriptions())
            try kennel { realm in
                let club = DogClub(value: ["name": "North"])
                try realm.write { realm.add(club) }
                club.prices.changesetPublisher.sink { change in
                    if case .update(_, let deletions, let insertions, let modifications) = change {
                        heard.add("map \(deletions) \(insertions) \(modifications)")
                    }
                }.store(in: &subscriptions.all)
                realm.objects(Dog.self).sectioned(by: \.breed).changesetPublisher.sink { change in
                    if case .update(let sections, _, _, _, _, _) = change {
                        heard.add("sections \(sections.allKeys.map { $0 ?? "none" })")
                    }
                }.store(in: &subscriptions.all)
                realm.objectWillChange.sink { heard.add("realm") }.store(in: &subscriptions.all)
                club.tags.objectWillChange.sink { heard.add("set") }.store(in: &subscriptions.all)
            }
            _ = heard.take()
            try kennel { realm in
                try realm.write {
                    realm.objects(DogClub.self).first?.prices["year"] = 20
                    realm.add(Dog(value: ["breed": "Jindo"]))
                }
            }
            expectEqual(heard.take().sorted(), ["map [] [\"year\"] []", "realm", "sections [\"Jindo\"]"])
            try kennel { realm in try realm.write { realm.objects(DogClub.self).first?.tags.insert("old") } }
            expectEqual(heard.take().sorted(), ["realm", "set"])
            kennel { _ in subscriptions.all = [] }
        }

        @Test func `tokens are kept for writes that do not notify`() throws {
            let (kennel, heard, subscriptions) = (try QueueRealm(kennelTypes), Heard(), Subscriptions())
            kennel { realm in
                realm.objects(Dog.self).changesetPublisher.saveToken(on: heard, at: \.token).sink { change in
                    if case .update(_, _, let insertions, _) = change { heard.add("\(insertions)") }
                }.store(in: &subscriptions.all)
                realm.objectWillChange.saveToken(on: heard, for: \.token).sink { heard.add("realm") }
                    .store(in: &subscriptions.all)
            }
            let tokens = heard.tokens.compactMap { $0 }
            expectEqual(tokens.count, 2)
            try kennel { realm in try realm.write(withoutNotifying: tokens) { realm.add(Dog(name: "A", age: 1)) } }
            expectEqual(heard.take(), [])
            try kennel { realm in try realm.write { realm.add(Dog(name: "B", age: 1)) } }
            expectEqual(heard.take().sorted(), ["[1]", "realm"])
            kennel { _ in subscriptions.all = [] }
        }

        @Test func `frozen values and references are passed to other queues`() throws {
            let (kennel, heard, subscriptions) = (try QueueRealm(kennelTypes), Heard(), Subscriptions())
            let other = DispatchQueue(label: "other queue")
            kennel { realm in
                let dogs = realm.objects(Dog.self)
                dogs.collectionPublisher.freeze().receive(on: other.asScheduler).sink { _ in
                } receiveValue: {
                    heard.add("frozen \($0.isFrozen) \($0.count)")
                }.store(in: &subscriptions.all)
                dogs.changesetPublisher.threadSafeReference().receive(on: other.asScheduler).sink { change in
                    if case .update(let dogs, _, let insertions, _) = change {
                        dispatchPrecondition(condition: .onQueue(other))
                        heard.add("there \(dogs.isFrozen) \(dogs.map(\.name)) \(insertions)")
                    }
                }.store(in: &subscriptions.all)
                dogs.changesetPublisher.freeze().sink { change in
                    if case .update(let dogs, _, _, _) = change { heard.add("change \(dogs.isFrozen)") }
                }.store(in: &subscriptions.all)
                dogs.collectionPublisher.receive(on: other.asScheduler).sink { _ in
                } receiveValue: { dogs in
                    dispatchPrecondition(condition: .onQueue(other))
                    heard.add("live \(dogs.isFrozen) \(dogs.count)")
                }.store(in: &subscriptions.all)
            }
            other.sync {}
            expectEqual(heard.take().sorted(), ["frozen true 0", "live false 0"])
            try kennel { realm in try realm.write { realm.add(Dog(name: "A", age: 1)) } }
            other.sync {}
            expectEqual(
                heard.take().sorted(),
                [
                    "change true", "frozen true 1", "live false 1", "there false [\"A\"] [0]",
                ])
            kennel { _ in subscriptions.all = [] }
        }

        @Test func `subscribing on another queue observes there`() throws {
            let (kennel, heard, subscriptions) = (try QueueRealm(kennelTypes), Heard(), Subscriptions())
            let other = DispatchQueue(label: "other queue")
            kennel { realm in
                realm.objects(Dog.self).changesetPublisher.subscribe(on: other.asScheduler).sink { change in
                    dispatchPrecondition(condition: .onQueue(other))
                    if case .update(let dogs, _, let insertions, _) = change {
                        heard.add("\(dogs.count) \(insertions)")
                    }
                }.store(in: &subscriptions.all)
            }
            other.sync {}
            other.sync {}
            try kennel { realm in try realm.write { realm.add(Dog(name: "A", age: 1)) } }
            other.sync {}
            other.sync {}
            expectEqual(heard.take(), ["1 [0]"])
            kennel { _ in subscriptions.all = [] }
        }
    }

    extension DispatchQueue {
        fileprivate var asScheduler: DispatchQueue { self }
    }
#endif
