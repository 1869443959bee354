import Dispatch
import Expectations
import Foundation
import RealmObjects
import Testing

/// Has no primary key: later objects get the keys of those created in a cancelled transaction.
class Bale: Object {
    @Persisted var text = ""
    @Persisted var bytes = Data()
}

/// The end of transactions, and the objects they created, while commits are written to disk and when they fail.
@Suite struct TransactionEndTests {
    /// Adds enough data that its commit takes a while.
    private static func addMuch(_ realm: Realm) {
        for _ in 0..<8 { realm.create(Bale.self, value: ["bytes": Data(repeating: 7, count: 1 << 20)]) }
    }

    private static let types: [ObjectBase.Type] = kennelTypes + [Bale.self]

    private func names(_ realm: Realm) -> [String] { realm.objects(Dog.self).map(\.name).sorted() }

    // MARK: Before the end

    @Test func `commits from elsewhere are visible at once, also after a refresh`() throws {
        try onAThread {
            let kennel = try QueueRealm(Self.types)
            let done = DispatchSemaphore(value: 0)
            for round in 1...5 {
                let dog = try kennel.queue.sync {
                    let realm = try #require(kennel.realm)
                    realm.beginWrite()
                    let dog = realm.create(Dog.self, value: ["name": "B\(round)"])
                    Self.addMuch(realm)
                    realm.commitAsyncWrite { _ in done.signal() }
                    expect(!realm.refresh())
                    expect(realm.objects(Dog.self).count == round && dog.name == "B\(round)")
                    expect(!dog.isInvalidated)
                    return Shared(dog)
                }
                // The realm advances by itself after commits of other realms and earlier commits.
                kennel { realm in
                    expect(realm.objects(Dog.self).count == round && dog.value.name == "B\(round)")
                    expect(!realm.isInWriteTransaction)
                }
                expectEqual(done.wait(timeout: .now() + 600), .success)
                kennel { realm in expect(realm.objects(Dog.self).count == round && dog.value.age == 0) }
            }
        }
    }

    @Test func `objects that were frozen before the commit is on the disk are committed`() throws {
        try onAThread {
            let kennel = try QueueRealm(Self.types)
            try kennel.queue.sync {
                let realm = try #require(kennel.realm)
                realm.beginWrite()
                let dog = realm.create(Dog.self, value: ["name": "Rex"])
                Self.addMuch(realm)
                realm.commitAsyncWrite()
                let frozen = Shared(dog.freeze())
                // It is the content of the file.
                try expectEqual(kennel.file.verified().table(named: "Dog").count, 1)
                try onAnotherThread { expectEqual(frozen.value.name, "Rex") }
            }
            kennel { expectEqual(names($0), ["Rex"]) }
        }
    }

    @Test func `a reference to a commit from elsewhere waits for it`() throws {
        try onAThread {
            let kennel = try QueueRealm(Self.types)
            let configuration = kennel.file.configuration
            try kennel.queue.sync {
                let realm = try #require(kennel.realm)
                realm.beginWrite()
                let dog = realm.create(Dog.self, value: ["name": "Rex"])
                Self.addMuch(realm)
                realm.commitAsyncWrite()
                let reference = Shared(ThreadSafeReference(to: dog))
                try onAnotherThread {
                    let realm = try Realm(configuration: configuration)
                    expectEqual(realm.resolve(reference.value)?.name, "Rex")
                    try expectEqual(kennel.file.verified().table(named: "Dog").count, 1)
                }
            }
        }
    }

    @Test func `observers are notified once of commits from elsewhere, when they are on the disk`() throws {
        try onAThread {
            let kennel = try QueueRealm(Self.types)
            let done = DispatchSemaphore(value: 0)
            kennel { realm in
                kennel.keep(
                    realm.objects(Dog.self).observe { change in
                        switch change {
                        case .initial(let dogs): kennel.told.append("initial \(dogs.count)")
                        case .update(let dogs, let deletions, let insertions, let modifications):
                            kennel.told.append("\(dogs.count): \(deletions) \(insertions) \(modifications)")
                        case .error(let error): kennel.told.append("\(error)")
                        }
                    })
            }
            kennel.wait { $0 == 1 }
            for round in 1...3 {
                kennel { realm in
                    realm.beginWrite()
                    realm.create(Dog.self, value: ["name": "\(round)"])
                    Self.addMuch(realm)
                    realm.commitAsyncWrite { _ in done.signal() }
                    realm.refresh()
                }
                expectEqual(done.wait(timeout: .now() + 600), .success)
                kennel.wait { $0 == round + 1 }
            }
            expectEqual(kennel.heard(), ["initial 0", "1: [] [0] []", "2: [] [1] []", "3: [] [2] []"])
        }
    }

    @Test func `observers that begin before a commit is on the disk are notified of it later`() throws {
        try onAThread {
            let kennel = try QueueRealm(Self.types)
            kennel { realm in
                realm.beginWrite()
                realm.create(Dog.self, value: ["name": "Rex"])
                Self.addMuch(realm)
                realm.commitAsyncWrite()
                kennel.keep(
                    realm.objects(Dog.self).observe { change in
                        if case .initial(let dogs) = change { kennel.told.append("\(dogs.freeze().map(\.name))") }
                    })
            }
            kennel.wait { $0 == 1 }
            expectEqual(kennel.heard(), [#"["Rex"]"#])
        }
    }

    @Test func `old values are not reported for a realm's own changes, even if saved to disk later`() throws {
        try onAThread {
            let kennel = try QueueRealm(Self.types)
            let dog = Shared(Dog(name: "Rex", age: 3))
            try kennel { realm in
                try realm.write { realm.add(dog.value) }
                kennel.keep(
                    dog.value.observe { (change: ObjectChange<Dog>) in
                        guard case .change(_, let properties) = change else { return }
                        for property in properties {
                            let (old, new) = (property.oldValue as? Int, property.newValue as? Int)
                            kennel.told.append("\(property.name) \(old ?? -1) \(new ?? -1)")
                        }
                    })
                realm.beginWrite()
                dog.value.age = 4
                realm.commitAsyncWrite()
            }
            kennel.wait { $0 == 1 }
            let id = kennel { _ in dog.value._id }
            try kennel.elsewhere { realm in
                let dog = realm.object(ofType: Dog.self, forPrimaryKey: id)
                try realm.write { dog?.age = 5 }
            }
            kennel.wait { $0 == 2 }
            expectEqual(kennel.heard(), ["age -1 4", "age 4 5"])
        }
    }

    @Test func `commits of others are reported to observers that skip a commit of the realm`() throws {
        let file = TestRealm(Self.types)
        let configuration = file.configuration
        let count = 300
        try onAThread {
            let realm = try Realm(configuration: configuration)
            var inserted = 0
            let token = realm.objects(Dog.self).observe { change in
                if case .update(_, _, let insertions, _) = change { inserted += insertions.count }
            }
            realm.refresh()
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                let realm = try? Realm(configuration: configuration)
                for number in 0..<count { _ = try? realm?.write { realm?.create(Dog.self, value: ["age": number]) } }
                done.signal()
            }
            for number in 0..<count {
                try realm.write(withoutNotifying: [token]) { realm.create(Person.self, value: ["id": number]) }
            }
            done.wait()
            realm.refresh()
            expectEqual(inserted, count)
            token.invalidate()
        }
    }

    // MARK: Without a commit

    @Test func `an object that was read in a cancelled transaction never becomes another one`() throws {
        let realm = try TestRealm(Self.types).open()
        let kept = Bale()
        try realm.write {
            realm.add(kept)
            kept.text = "kept"
        }
        realm.beginWrite()
        realm.create(Bale.self, value: ["text": "A"])
        let (view, here) = (try #require(realm.objects(Bale.self).last), try #require(realm.objects(Bale.self).first))
        let made = realm.dynamicCreate("Bale", value: ["text": "A"])
        expect(view.text == "A" && here.isSameObject(as: kept))
        realm.cancelWrite()
        expect(view.isInvalidated && made.isInvalidated && !here.isInvalidated)
        try realm.write { for name in ["B", "C"] { realm.create(Bale.self, value: ["text": name]) } }
        expect(view.isInvalidated && made.isInvalidated && here.text == "kept")
        try realm.write {
            here.text = "changed"
            expect(view.isInvalidated && made.isInvalidated && here.text == "changed")
        }
        expectEqual(kept.text, "changed")
    }

    @Test func `a collection that was read in a cancelled transaction never becomes another one`() throws {
        let realm = try TestRealm(kennelTypes).open()
        realm.beginWrite()
        realm.create(
            DogClub.self, value: ["members": [["id": 1, "name": "Ann"]], "tags": ["a"], "prices": ["a": 1.0]])
        let club = try #require(realm.objects(DogClub.self).first)
        let (members, tags, prices) = (club.members, club.tags, club.prices)
        expect(members.count == 1 && tags.count == 1 && prices.count == 1)
        realm.cancelWrite()
        try realm.write {
            realm.create(
                DogClub.self, value: ["members": [["id": 2], ["id": 3]], "tags": ["b"], "prices": ["b": 2.0]])
            expect(members.isInvalidated && members.isEmpty && tags.isEmpty && prices.isEmpty)
        }
        expect(members.isInvalidated && tags.isInvalidated && prices.isInvalidated && club.isInvalidated)
        expect(members.isEmpty && tags.isEmpty && prices.isEmpty)
    }

    @Test func `objects that were read in a committed transaction keep their identity`() throws {
        let realm = try TestRealm(Self.types).open()
        var bales: [Bale] = []
        try realm.write {
            for number in 0..<10 {
                realm.create(Bale.self, value: ["text": "\(number)"])
                bales.append(try #require(realm.objects(Bale.self).last))
            }
        }
        expectEqual(bales.map(\.text), (0..<10).map { "\($0)" })
        realm.beginWrite()
        realm.cancelWrite()
        expect(bales.allSatisfy { !$0.isInvalidated })
    }

    /// Runs a block in a separate process whose files cannot grow while the inner block runs.
    private static func inSmallFiles(_ bytes: Int, _ body: () throws -> Void) rethrows {
        signal(SIGXFSZ, SIG_IGN)
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let resource = RLIMIT_FSIZE
        #endif
        var before = rlimit()
        getrlimit(resource, &before)
        var bound = rlimit(rlim_cur: rlim_t(bytes), rlim_max: before.rlim_max)
        setrlimit(resource, &bound)
        defer { setrlimit(resource, &before) }
        try body()
    }

    @Test func `objects of a failed asynchronous commit do not exist, and never come to exist`() async {
        await #expect(processExitsWith: .success) {
            let kennel = try QueueRealm(Self.types)
            let done = DispatchSemaphore(value: 0)
            let codes = Shared(Codes())
            let (made, seen) = try kennel.queue.sync {
                let realm = try #require(kennel.realm)
                realm.beginWrite()
                let made = realm.create(Bale.self, value: ["text": "A"])
                let seen = try #require(realm.objects(Bale.self).last)
                Self.addMuch(realm)
                Self.inSmallFiles(1 << 20) {
                    realm.commitAsyncWrite { error in
                        codes.value.codes.append((error as? Realm.Error)?.code)
                        done.signal()
                    }
                    // Nothing else may write meanwhile.
                    _ = realm.freeze()
                }
                return (Shared(made), Shared(seen))
            }
            done.wait()
            try kennel { realm in
                try Self.check(codes.value.codes == [.fileOperationFailed])
                try realm.write { realm.create(Bale.self, value: ["text": "B"]) }
                try Self.check(realm.objects(Bale.self).count == 1)
                try Self.check(made.value.isInvalidated && seen.value.isInvalidated)
            }
        }
    }

    @Test func `objects of a failed commit do not exist, and never come to exist`() async {
        await #expect(processExitsWith: .success) {
            let file = TestRealm(Self.types)
            let realm = try file.open()
            let kept = Bale()
            try realm.write { realm.add(kept) }
            realm.beginWrite()
            let made = realm.create(Bale.self, value: ["text": "A"])
            let (seen, here) = (realm.objects(Bale.self).last, realm.objects(Bale.self).first)
            Self.addMuch(realm)
            try Self.inSmallFiles(1 << 20) {
                do {
                    try realm.commitWrite()
                    try Self.check(false)
                } catch let error as Realm.Error {
                    try Self.check(error.code == .fileOperationFailed)
                }
            }
            try Self.check(made.isInvalidated && seen?.isInvalidated == true && here?.isInvalidated == false)
            try realm.write { realm.create(Bale.self, value: ["text": "B"]) }
            try Self.check(made.isInvalidated && seen?.isInvalidated == true && here?.isInvalidated == false)
            try Self.check(here?.isSameObject(as: kept) == true && realm.objects(Bale.self).count == 2)
        }
    }

    private final class Codes {
        var codes: [Realm.Error.Code?] = []
    }

    private struct Wrong: Error {}

    /// Reports an expectation of another process through its exit code.
    private static func check(_ truth: Bool) throws { if !truth { throw Wrong() } }

    // MARK: By the block itself

    @Test func `the completion of an asynchronous transaction is called even if its block commits`() throws {
        try onAThread {
            let kennel = try QueueRealm(Self.types)
            let done = DispatchSemaphore(value: 0)
            kennel { realm in
                realm.writeAsync {
                    realm.create(Dog.self, value: ["name": "A"])
                    try? realm.commitWrite()
                } onComplete: { error in
                    kennel.told.append("A \(error == nil) \(realm.objects(Dog.self).count)")
                    done.signal()
                }
                realm.writeAsync {
                    realm.create(Dog.self, value: ["name": "B"])
                    realm.cancelWrite()
                } onComplete: { error in
                    kennel.told.append("B \(error == nil) \(realm.objects(Dog.self).count)")
                    done.signal()
                }
                realm.writeAsync {
                    realm.create(Dog.self, value: ["name": "C"])
                    realm.commitAsyncWrite { _ in kennel.told.append("C commit") }
                } onComplete: { error in
                    kennel.told.append("C \(error == nil) \(realm.objects(Dog.self).count)")
                    done.signal()
                }
                realm.beginAsyncWrite { try? realm.commitWrite() }
            }
            for _ in 0..<3 { expectEqual(done.wait(timeout: .now() + 600), .success) }
            expectEqual(kennel.heard(), ["A true 1", "B true 1", "C commit", "C true 2"])
        }
    }
}
