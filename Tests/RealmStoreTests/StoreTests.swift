import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import WriterTestSupport

/// A store on a file: its effect on other readers, its content, and its errors.
@Suite struct StoreTests {
    @Test func `a commit is visible to the next reader of the file`() throws {
        let folder = try TemporaryFolder()
        let path = try DogKennel.make(folder)
        do {
            let store = try RealmStore(path: path)
            try store.write { transaction in
                let rex = try transaction.add("Dog", ["_id": 1000, "name": "Rex", "age": 4])
                let first = try #require(try transaction.object("Dog", primaryKey: 0))
                try transaction.set(first, "friend", .link(rex))
                try transaction.delete(try #require(try transaction.object("Dog", primaryKey: 5)))
            }
        }
        let snapshot = try RealmDatabase(path: path).snapshot()
        let dogs = try snapshot.table(named: "Dog")
        try expectEqual(dogs.count, 100)
        try expectEqual(dogs.object(primaryKey: .int(5)), nil)
        let first = try #require(try dogs.object(primaryKey: .int(0)))
        guard case .link(let link) = try first["friend"] else {
            Issue.record("no link")
            return
        }
        try expectEqual(link.object()?["name"], .string("Rex"))
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).findings.isEmpty)
    }

    @Test func `a nested transaction is refused, and the outer one continues`() throws {
        let folder = try TemporaryFolder()
        let store = try RealmStore(path: DogKennel.make(folder))
        let file = try ByteSource(path: folder.file("kennel.realm"))
        let other = try withExtendedLifetime(file) { try RealmStore(bytes: file.view.bytes) }
        try store.write { transaction in
            #expect(throws: WriteError.self) {
                try store.write { inner in _ = try inner.add("Dog", ["_id": 2000, "name": "Lost", "age": 1]) }
            }
            // Another store has its own transaction.
            try other.write { transaction in _ = try transaction.add("Dog", ["_id": 2001, "name": "Far", "age": 1]) }
            _ = try transaction.add("Dog", ["_id": 2002, "name": "Rex", "age": 4])
        }
        let dogs = try store.snapshot().table(named: "Dog")
        try expectEqual(dogs.count, 101)
        try expectEqual(dogs.object(primaryKey: .int(2002))?["name"], .string("Rex"))
        try expectEqual(dogs.object(primaryKey: .int(2000)), nil)
        try expectEqual(other.snapshot().table(named: "Dog").count, 101)
    }

    @Test func `upsert sets the given values, or adds the object`() throws {
        let folder = try TemporaryFolder()
        let store = try RealmStore(path: DogKennel.make(folder))
        let before = store.snapshot()
        try store.write { transaction in
            let third = try #require(try transaction.object("Dog", primaryKey: 3))
            let fourth = try transaction.upsert("Dog", ["_id": 4, "name": "Rex", "friend": .link(third)])
            expectEqual(fourth, (try transaction.object("Dog", primaryKey: 4)))
            _ = try transaction.upsert("Dog", ["_id": 500, "name": "New", "age": 2])
            // An invalid change has no partial effect, and the transaction continues.
            #expect(throws: WriteError.self) {
                _ = try transaction.upsert("Dog", ["_id": 5, "age": 77, "name": .int(1)])
            }
            #expect(throws: WriteError.self) { _ = try transaction.upsert("Dog", ["_id": 5, "colour": "brown"]) }
            #expect(throws: WriteError.self) { _ = try transaction.upsert("Dog", ["_id": 501, "name": "No age"]) }
        }
        let dogs = try store.snapshot().table(named: "Dog")
        try expectEqual(dogs.count, 101)
        let fourth = try #require(try dogs.object(primaryKey: .int(4)))
        try expectEqual(fourth["name"], .string("Rex"))
        try expectEqual(fourth["age"], .int(1))
        guard case .link(let link) = try fourth["friend"] else {
            Issue.record("no link")
            return
        }
        try expectEqual(link.object()?["_id"], .int(3))
        try expectEqual(dogs.object(primaryKey: .int(500))?["name"], .string("New"))
        try expectEqual(dogs.object(primaryKey: .int(5))?["age"], .int(1))
        try expectEqual(dogs.object(primaryKey: .int(501)), nil)
        let changes = try store.snapshot().changes(since: before)
        let changed = try #require(changes.table(named: "Dog"))
        expect(changed.inserted.count == 1 && changed.deleted.isEmpty && changed.modified.count == 1)
        expect(Verification(level: .deep).run(on: try ByteSource(path: folder.file("kennel.realm"))).findings.isEmpty)
    }

    @Test func `a thrown error undoes everything`() throws {
        struct Stop: Error {}
        let folder = try TemporaryFolder()
        let path = try DogKennel.make(folder)
        let before = try #require(folder.bytes("kennel.realm"))
        let store = try RealmStore(path: path)
        #expect(throws: Stop.self) {
            try store.write { transaction in
                _ = try transaction.add("Dog", ["_id": 1000, "name": "Rex", "age": 4])
                try expectEqual(transaction.snapshot().table(named: "Dog").count, 101)
                throw Stop()
            }
        }
        try expectEqual(store.snapshot().table(named: "Dog").count, 100)
        expectEqual(folder.bytes("kennel.realm"), before)
    }

    @Test func `a transaction without changes makes no commit`() throws {
        let folder = try TemporaryFolder()
        let store = try RealmStore(path: DogKennel.make(folder))
        let before = try #require(folder.bytes("kennel.realm"))
        try store.write { transaction in
            let dog = try #require(try transaction.object("Dog", primaryKey: 3))
            try expectEqual(transaction.object("Dog", primaryKey: 1000), nil)
            try expectEqual(transaction.snapshot().table(named: "Dog").object(dog.key)?["name"], .string("dog 3"))
        }
        expectEqual(folder.bytes("kennel.realm"), before)
    }

    @Test func `a property is set by its position, and a position that no longer exists is refused`() throws {
        let folder = try TemporaryFolder()
        let store = try RealmStore(path: DogKennel.make(folder))
        try store.write { transaction in
            let dogs = try transaction.snapshot().table(named: "Dog")
            let name = try #require(dogs.schema.properties.propertyIndex(named: "name"))
            let key = try #require(try transaction.object(inTableAt: dogs.position, primaryKey: 3))
            try transaction.setValue("Max", of: key, inTableAt: dogs.position, property: name)
            func refusal(_ position: TablePosition, _ property: PropertyIndex) -> InvalidValue.Code? {
                do throws(WriteError) {
                    try transaction.setValue("Rex", of: key, inTableAt: position, property: property)
                } catch {
                    if case .misfit(let misfit) = error { return misfit.code }
                }
                return nil
            }
            expectEqual(refusal(.none, name), .noSuchTable)
            expectEqual(refusal(TablePosition(1000), name), .noSuchTable)
            expectEqual(refusal(dogs.position, .none), .noSuchProperty)
            expectEqual(refusal(dogs.position, PropertyIndex(1000)), .noSuchProperty)
            #expect(throws: WriteError.self) {
                try transaction.mutableList(of: key, inTableAt: dogs.position, property: .none, inside: []).append(1)
            }
        }
        try expectEqual(store.snapshot().table(named: "Dog").object(primaryKey: .int(3))?["name"], .string("Max"))
    }

    @Test func `unknown names are reported in a fixed order`() throws {
        let folder = try TemporaryFolder()
        let store = try RealmStore(path: DogKennel.make(folder))
        for _ in 0..<20 {
            #expect {
                try store.write { transaction in
                    _ = try transaction.add("Dog", ["_id": 200, "naem": "x", "zzz": 1, "colour": 2])
                }
            } throws: {
                "\($0)".hasPrefix("Dog.colour: the class Dog has no such property")
            }
        }
    }

    @Test func `a snapshot is unchanged after many commits`() throws {
        let folder = try TemporaryFolder()
        let store = try RealmStore(path: DogKennel.make(folder), durability: .none)
        var pinned: [(snapshot: Snapshot, hash: ContentHash)] = []
        for round in 0..<40 {
            let snapshot = store.snapshot()
            if round % 5 == 0 { pinned.append((snapshot, try snapshot.contentHash())) }
            try store.write { transaction in
                for number in 0..<20 {
                    let dog = try #require(
                        try transaction.object("Dog", primaryKey: .int(Int64((round * 7 + number) % 100))))
                    try transaction.set(dog, "age", .int(Int64(round)))
                    try transaction.set(dog, "name", .string("round \(round)"))
                }
            }
        }
        expectEqual(Set(pinned.map(\.snapshot.commitNumber)).count, 8)
        // Snapshots of a transaction remain valid, even if it is rolled back.
        struct Stop: Error {}
        try? store.write { transaction in
            _ = try transaction.add("Dog", ["_id": 1000, "name": "Rex", "age": 4])
            let snapshot = try transaction.snapshot()
            try expectEqual(snapshot.table(named: "Dog").count, 101)
            pinned.append((snapshot, try snapshot.contentHash()))
            throw Stop()
        }
        for round in 0..<20 {
            try store.write { transaction in
                for number in 0..<100 {
                    let dog = try #require(try transaction.object("Dog", primaryKey: .int(Int64(number))))
                    try transaction.set(dog, "name", .string("again \(round)"))
                }
            }
        }
        for (snapshot, hash) in pinned { try expectEqual(snapshot.contentHash(), hash) }
    }

    @Test func `a file under steady updates does not grow`() throws {
        let folder = try TemporaryFolder()
        let path = try DogKennel.make(folder, dogs: 1000)
        let store = try RealmStore(path: path, durability: .none)
        var sizes: [Int] = []
        for round in 0..<300 {
            try store.write { transaction in
                for number in 0..<10 {
                    let key = Int64((round * 37 + number * 91) % 1000)
                    let dog = try #require(try transaction.object("Dog", primaryKey: .int(key)))
                    try transaction.set(dog, "age", .int(Int64(round)))
                    try transaction.set(dog, "name", .string("dog \(round % 11)"))
                }
            }
            sizes.append(store.snapshot().logicalSize)
        }
        expectEqual(sizes[299], sizes[60], "\(Set(sizes).sorted())")
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).findings.isEmpty)
    }

    @Test func `readers on other threads always see one commit`() async throws {
        let folder = try TemporaryFolder()
        let store = try RealmStore(path: DogKennel.make(folder), durability: .none)
        // Each transaction moves years from one dog to another: the sum is constant.
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var random = Numbers(state: 7)
                for _ in 0..<200 {
                    let (from, to) = (
                        Int64.random(in: 0..<100, using: &random), Int64.random(in: 0..<100, using: &random)
                    )
                    guard from != to else { continue }
                    try await store.write { transaction in
                        let dogs = try transaction.snapshot().table(named: "Dog")
                        let left = try #require(try dogs.object(primaryKey: .int(from))).get("age", as: Int.self)
                        let right = try #require(try dogs.object(primaryKey: .int(to))).get("age", as: Int.self)
                        try transaction.set(
                            try #require(try transaction.object("Dog", primaryKey: .int(from))), "age",
                            .int(Int64(left - 1)))
                        try transaction.set(
                            try #require(try transaction.object("Dog", primaryKey: .int(to))), "age",
                            .int(Int64(right + 1)))
                    }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<100 {
                        var sum = 0
                        var dogs = try store.snapshot().table(named: "Dog").objects
                        while let dog = try dogs.next() { sum += try dog.get("age", as: Int.self) }
                        expectEqual(sum, 100)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `an open file cannot be opened again for writing`() throws {
        let folder = try TemporaryFolder()
        let path = try DogKennel.make(folder)
        let store = try RealmStore(path: path)
        #expect { try RealmStore(path: path) } throws: { ($0 as? StorageError)?.isInUse == true }
        _ = store.snapshot()
    }

    @Test(arguments: [("format-23-scalars-stream", FormatError.Code.unknownFormat)] as [(String, FormatError.Code)])
    func `a file that cannot be changed in place is refused`(name: String, code: FormatError.Code) throws {
        let file = try #require(KnownFile.fixtures.first { $0.name.hasSuffix(name) })
        #expect { try RealmStore(bytes: file.bytes()) } throws: { ($0 as? FormatError)?.code == code }
    }

    @Test func `a value that does not fit is reported with its place`() throws {
        let folder = try TemporaryFolder()
        let store = try RealmStore(path: DogKennel.make(folder))
        let misfits: [(String, [String: NewValue])] = [
            ("Dog._id: there is an object with the primary key 3", ["_id": 3, "name": "x", "age": 1]),
            ("Dog.name: has no value", ["_id": 200, "age": 1]),
            ("Dog.age: is of type int, not a string", ["_id": 201, "name": "x", "age": "old"]),
            ("Dog.friend: is a link, not an int", ["_id": 201, "name": "x", "age": 1, "friend": 7]),
            ("Dog.nam: the class Dog has no such property; did you mean name?", ["_id": 202, "nam": "x"]),
            (
                "Dog.friend: there is no Dog with the primary key 999",
                ["_id": 203, "name": "x", "age": 1, "friend": .link(primaryKey: 999)]
            ),
        ]
        for (message, values) in misfits {
            var found = ""
            #expect(throws: WriteError.self) {
                try store.write { transaction in
                    do { _ = try transaction.add("Dog", values) } catch {
                        found = "\(error)"
                        throw error
                    }
                }
            }
            expectEqual(found, message)
        }
        try expectEqual(store.snapshot().table(named: "Dog").count, 100)
    }

    @Test func `a link in place of an embedded object is reported as a link`() throws {
        let known = try #require(KnownFile.fixtures.first { $0.name.hasSuffix("kennel") })
        let store = try RealmStore(bytes: known.bytes())
        let people = try store.snapshot().table(named: "Person")
        var objects = people.objects
        let person = try #require(try objects.next())
        let link = NewValue.link(ObjectReference("Address", ObjectKey(0)))
        #expect {
            try store.write { transaction in
                try transaction.set(ObjectReference("Person", person.key), "address", link)
            }
        } throws: {
            "\($0)" == "Person.address: holds an embedded object, not a link"
        }
    }
}
