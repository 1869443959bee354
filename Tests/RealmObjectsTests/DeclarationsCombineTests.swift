#if canImport(Combine)
    import Combine
    import Foundation
    import RealmObjects
    import Testing

    /// Declarations of publishers without other calls in the tests, in RealmSwift's spelling. Found by
    /// `tools/peer/spellings.py --apple`.
    @Suite struct DeclarationsCombineTests {
        private final class Heard: @unchecked Sendable {
            private let lock = NSLock()
            private var lines: [String] = []
            var token: NotificationToken?
            var all: Set<AnyCancellable> = []

            func add(_ line: String) { lock.withLock { lines.append(line) } }
            func take() -> [String] {
                lock.withLock {
                    defer { lines = [] }
                    return lines.sorted()
                }
            }
        }

        /// A subscriber that keeps its subscription.
        private final class Holder<Input>: Subscriber, @unchecked Sendable {
            typealias Failure = Never
            let heard: Heard
            var subscription: (any Subscription)?
            init(_ heard: Heard) { self.heard = heard }
            func receive(subscription: any Subscription) {
                self.subscription = subscription
                subscription.request(.unlimited)
            }
            func receive(_ input: Input) -> Subscribers.Demand {
                heard.add("input")
                return .none
            }
            func receive(completion: Subscribers.Completion<Never>) { heard.add("end") }
        }

        private func watch<C: RealmCollection & RealmSubscribable>(_ name: String, _ collection: C, _ heard: Heard) {
            collection.collectionPublisher(keyPaths: nil).sink { _ in
            } receiveValue: {
                heard.add("\(name) value \($0.count)")
            }.store(in: &heard.all)
            collection.changesetPublisher(keyPaths: nil).sink { change in
                if case .update(_, let deletions, let insertions, _) = change {
                    heard.add("\(name) -\(deletions) +\(insertions)")
                }
            }.store(in: &heard.all)
            collection.objectWillChange.sink { heard.add("\(name) change") }.store(in: &heard.all)
        }

        private func watchMap<M: RealmKeyedCollection & RealmSubscribable>(_ map: M, _ heard: Heard)
        where M.Key == String {
            map.collectionPublisher.sink { _ in
            } receiveValue: {
                heard.add("map \($0.count)")
            }.store(in: &heard.all)
            map.collectionPublisher(keyPaths: nil).sink { _ in
            } receiveValue: {
                heard.add("again \($0.count)")
            }
            .store(in: &heard.all)
            map.changesetPublisher.sink { change in
                if case .update(_, _, let insertions, _) = change { heard.add("map +\(insertions)") }
            }.store(in: &heard.all)
            map.changesetPublisher(keyPaths: nil).sink { change in
                if case .update(_, _, let insertions, _) = change { heard.add("again +\(insertions)") }
            }.store(in: &heard.all)
            map.objectWillChange.sink { heard.add("map change") }.store(in: &heard.all)
        }

        @Test func `collections are published by generic code`() throws {
            let (kennel, heard) = (try QueueRealm(kennelTypes), Heard())
            try kennel { realm in
                let (ann, rex) = (Person(id: 1, name: "Ann"), Dog(name: "Rex", age: 1))
                ann.dogs.append(rex)
                try realm.write { realm.add(ann) }
                watch("results", realm.objects(Dog.self), heard)
                watch("list", ann.dogs, heard)
                watch("links", rex.keepers, heard)
                watch("any", AnyRealmCollection(ann.dogs), heard)
            }
            let names = ["any", "links", "list", "results"]
            expectEqual(heard.take(), names.flatMap { ["\($0) change", "\($0) value 1"] })
            try kennel { realm in
                try realm.write { realm.objects(Person.self)[0].dogs.append(Dog(name: "Bea", age: 2)) }
            }
            // The source of backlinks is still the same object, but has changed.
            let told = names.flatMap { name in
                name == "links"
                    ? ["links -[] +[]", "links change", "links value 1"]
                    : ["\(name) -[] +[1]", "\(name) change", "\(name) value 2"]
            }
            expectEqual(heard.take(), told)
            kennel { _ in heard.all = [] }
        }

        @Test func `maps are published by generic code`() throws {
            let (kennel, heard) = (try QueueRealm(kennelTypes), Heard())
            try kennel { realm in
                let club = DogClub(value: ["name": "North"])
                try realm.write { realm.add(club) }
                watchMap(club.prices, heard)
                club.prices.objectWillChange.sink { heard.add("own change") }.store(in: &heard.all)
            }
            expectEqual(heard.take(), ["again 0", "map 0", "map change", "own change"])
            try kennel { realm in try realm.write { realm.objects(DogClub.self)[0].prices["a"] = 1 } }
            expectEqual(
                heard.take(), [#"again +["a"]"#, "again 1", #"map +["a"]"#, "map 1", "map change", "own change"])
            kennel { _ in heard.all = [] }
        }

        @Test func `sections and embedded objects are published`() throws {
            let (kennel, heard) = (try QueueRealm(kennelTypes), Heard())
            try kennel { realm in
                let ann = Person(id: 1, name: "Ann", address: Address(value: ["city": "Busan"]))
                ann.dogs.append(Dog(name: "Rex", age: 1))
                try realm.write { realm.add(ann) }
                let sections = realm.objects(Dog.self).sectioned(by: \.age)
                let section = sections[0]
                sections.objectWillChange.sink { heard.add("sections change") }.store(in: &heard.all)
                sections.collectionPublisher.sink { _ in
                } receiveValue: {
                    heard.add("sections \($0.count)")
                }
                .store(in: &heard.all)
                sections.collectionPublisher(keyPaths: ["age"]).sink { _ in
                } receiveValue: {
                    heard.add("by age \($0.count)")
                }
                .store(in: &heard.all)
                sections.changesetPublisher(keyPaths: ["age"]).sink { change in
                    if case .update(_, _, _, _, let inserted, _) = change { heard.add("inserted \(Array(inserted))") }
                }.store(in: &heard.all)
                section.objectWillChange.sink { heard.add("section change") }.store(in: &heard.all)
                section.collectionPublisher.sink { _ in
                } receiveValue: {
                    heard.add("section \($0.count)")
                }.store(in: &heard.all)
                section.collectionPublisher(keyPaths: ["age"]).sink { _ in
                } receiveValue: {
                    heard.add("of age \($0.count)")
                }
                .store(in: &heard.all)
                section.changesetPublisher(keyPaths: ["age"]).sink { change in
                    if case .update(let section, _, _, _, _, _) = change { heard.add("section now \(section.count)") }
                }.store(in: &heard.all)
                ann.address?.objectWillChange.sink { heard.add("address") }.store(in: &heard.all)
            }
            expectEqual(
                heard.take(),
                [
                    "by age 1", "of age 1", "section 1", "section change", "sections 1", "sections change",
                ])
            try kennel { realm in try realm.write { realm.add(Dog(name: "Bea", age: 2)) } }
            expectEqual(heard.take(), ["by age 2", "inserted [1]", "sections 2", "sections change"])
            try kennel { realm in try realm.write { realm.add(Dog(name: "Old", age: 1)) } }
            expectEqual(
                heard.take(),
                [
                    "by age 2", "inserted []", "of age 2", "section 2", "section change", "section now 2", "sections 2",
                    "sections change",
                ])
            try kennel { realm in try realm.write { realm.objects(Person.self)[0].address?.city = "Seoul" } }
            expectEqual(heard.take(), ["address"])
            kennel { _ in heard.all = [] }
        }

        final class DogCard: Projection<Dog> { @Projected(\Dog.name) var title }

        @Test func `functions publish projections and collections, limited by key paths`() throws {
            let (kennel, heard) = (try QueueRealm(kennelTypes), Heard())
            try kennel { realm in
                let dog = Dog(name: "Rex", age: 1)
                try realm.write { realm.add(dog) }
                let (dogs, card) = (realm.objects(Dog.self), DogCard(projecting: dog))
                valuePublisher(card).sink { _ in
                } receiveValue: {
                    heard.add("card \($0.title)")
                }.store(in: &heard.all)
                valuePublisher(dogs, keyPaths: ["name"]).sink { _ in
                } receiveValue: {
                    heard.add("dogs \($0.count)")
                }.store(in: &heard.all)
                changesetPublisher(card).sink { change in
                    if case .change(_, let properties) = change { heard.add("\(properties.map(\.name))") }
                }.store(in: &heard.all)
                changesetPublisher(dogs).sink { change in
                    if case .update(_, _, _, let modifications) = change { heard.add("any \(modifications)") }
                }.store(in: &heard.all)
                dogs.changesetPublisher(keyPaths: [\.name]).sink { change in
                    if case .update(_, _, _, let modifications) = change { heard.add("name \(modifications)") }
                }.store(in: &heard.all)
                dogs.collectionPublisher(keyPaths: [\.age]).sink { _ in
                } receiveValue: {
                    heard.add("age \($0.count)")
                }
                .store(in: &heard.all)
            }
            expectEqual(heard.take(), ["age 1", "dogs 1"])
            try kennel { realm in try realm.write { realm.objects(Dog.self)[0].age = 5 } }
            expectEqual(heard.take(), ["age 1", "any [0]"])
            try kennel { realm in try realm.write { realm.objects(Dog.self)[0].name = "Max" } }
            expectEqual(heard.take(), [#"["title"]"#, "any [0]", "card Max", "dogs 1", "name [0]"])
            kennel { _ in heard.all = [] }
        }

        @Test func `a subscription ends its notifications`() throws {
            let (kennel, heard) = (try QueueRealm(kennelTypes), Heard())
            let holder = Holder<RealmCollectionChange<Results<Dog>>>(heard)
            kennel { realm in realm.objects(Dog.self).changesetPublisher.receive(subscriber: holder) }
            let subscription = try #require(holder.subscription as? ObservationSubscription)
            expectEqual(
                subscription.combineIdentifier, (holder.subscription as? ObservationSubscription)?.combineIdentifier)
            subscription.request(.none)
            expectEqual(heard.take(), ["input"])
            kennel { _ in subscription.cancel() }
            try kennel { realm in try realm.write { realm.add(Dog(name: "Rex", age: 1)) } }
            expectEqual(heard.take(), [])
            let empty = Holder<Void>(heard)
            kennel { realm in realm.objectWillChange.receive(subscriber: empty) }
            try kennel { realm in try realm.write { realm.add(Dog(name: "Bea", age: 1)) } }
            expectEqual(heard.take(), ["input"])
            kennel { _ in empty.subscription?.cancel() }
        }

        @Test func `publishers have the same names as in RealmSwift`() throws {
            let (kennel, heard, queue) = (try QueueRealm(kennelTypes), Heard(), DispatchQueue(label: "other queue"))
            try kennel { realm in
                let (dog, club) = (Dog(name: "Rex", age: 1), DogClub(value: ["name": "North"]))
                try realm.write { realm.add([dog, club]) }
                let (dogs, sections) = (realm.objects(Dog.self), realm.objects(Dog.self).sectioned(by: \.age))
                let told: RealmPublishers.RealmWillChange = realm.objectWillChange
                let toldWithToken: RealmPublishers.RealmWillChangeWithToken<Heard> = told.saveToken(
                    on: heard, for: \.token)
                let will: RealmPublishers.WillChange<Results<Dog>> = dogs.objectWillChange
                let willWithToken: RealmPublishers.WillChangeWithToken<Results<Dog>, Heard> = will.saveToken(
                    on: heard, at: \.token)
                let values: RealmPublishers.Value<Results<Dog>> = dogs.collectionPublisher
                let valuesWithToken: RealmPublishers.ValueWithToken<Results<Dog>, Heard> = values.saveToken(
                    on: heard, at: \.token)
                let changes: RealmPublishers.CollectionChangeset<Results<Dog>> = dogs.changesetPublisher
                let changesWithToken: RealmPublishers.CollectionChangesetWithToken<Results<Dog>, Heard> =
                    changes.saveToken(on: heard, at: \.token)
                let object: RealmPublishers.ObjectChangeset<Dog> = changesetPublisher(dog)
                let objectWithToken: RealmPublishers.ObjectChangesetWithToken<Dog, Heard> =
                    object.saveToken(on: heard, at: \.token)
                let map: RealmPublishers.MapChangeset<Map<String, Double>> = club.prices.changesetPublisher
                let mapWithToken: RealmPublishers.MapChangesetWithToken<Map<String, Double>, Heard> =
                    map.saveToken(on: heard, at: \.token)
                let byAge: RealmPublishers.SectionedResultsChangeset<SectionedResults<Int, Dog>> = sections
                    .changesetPublisher
                let byAgeWithToken:
                    RealmPublishers.SectionedResultsChangesetWithToken<SectionedResults<Int, Dog>, Heard> =
                        byAge.saveToken(on: heard, at: \.token)
                let section: RealmPublishers.SectionChangeset<ResultsSection<Int, Dog>> = sections[0].changesetPublisher
                let sectionWithToken: RealmPublishers.SectionChangesetWithToken<ResultsSection<Int, Dog>, Heard> =
                    section.saveToken(on: heard, at: \.token)
                let handover: RealmPublishers.Handover<RealmPublishers.Value<Results<Dog>>, DispatchQueue> =
                    values.receive(on: queue)
                let safe: RealmPublishers.MakeThreadSafe<RealmPublishers.Value<Results<Dog>>> =
                    values.threadSafeReference()
                let deferred: RealmPublishers.DeferredHandover<RealmPublishers.Value<Results<Dog>>, DispatchQueue> =
                    safe.receive(on: queue)
                keepsToken(toldWithToken, heard)
                keepsToken(willWithToken, heard)
                keepsToken(valuesWithToken, heard)
                keepsToken(changesWithToken, heard)
                keepsToken(objectWithToken, heard)
                keepsToken(mapWithToken, heard)
                keepsToken(byAgeWithToken, heard)
                keepsToken(sectionWithToken, heard)
                handover.sink { _ in
                } receiveValue: {
                    heard.add("handed \($0.count)")
                }.store(in: &heard.all)
                deferred.sink { _ in
                } receiveValue: {
                    heard.add("deferred \($0.count)")
                }.store(in: &heard.all)
            }
            kennel { _ in }
            queue.sync {}
            expectEqual(heard.take(), ["deferred 1", "handed 1"])
            kennel { _ in heard.all = [] }
        }

        /// Checks whether subscribing passes the token on.
        private func keepsToken(_ publisher: some Publisher, _ heard: Heard) {
            heard.token = nil
            let subscription = publisher.sink { _ in
            } receiveValue: { _ in
            }
            expect(heard.token != nil, "\(publisher)")
            subscription.cancel()
        }

        @Test func `publishers declare their output and failure types`() {
            typealias Dogs = Results<Dog>
            expectEqual(RealmPublishers.RealmWillChange.Output.self, Void.self)
            expectEqual(RealmPublishers.RealmWillChange.Failure.self, Never.self)
            expectEqual(RealmPublishers.WillChange<Dogs>.Output.self, Void.self)
            expectEqual(RealmPublishers.WillChange<Dogs>.Failure.self, Never.self)
            expectEqual(RealmPublishers.Value<Dogs>.Output.self, Dogs.self)
            expectEqual(RealmPublishers.Value<Dogs>.Failure.self, (any Error).self)
            expectEqual(RealmPublishers.CollectionChangeset<Dogs>.Output.self, RealmCollectionChange<Dogs>.self)
            expectEqual(RealmPublishers.CollectionChangeset<Dogs>.Failure.self, Never.self)
            typealias Deferred = RealmPublishers.DeferredHandover<RealmPublishers.Value<Dogs>, DispatchQueue>
            typealias Handed = RealmPublishers.Handover<RealmPublishers.Value<Dogs>, DispatchQueue>
            typealias Safe = RealmPublishers.MakeThreadSafe<RealmPublishers.Value<Dogs>>
            expect(Deferred.Output.self == Dogs.self && Deferred.Failure.self == (any Error).self)
            expect(Handed.Output.self == Dogs.self && Handed.Failure.self == (any Error).self)
            expect(Safe.Output.self == Dogs.self && Safe.Failure.self == (any Error).self)
        }
    }
#endif
