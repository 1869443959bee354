import Dispatch
import Expectations
import RealmObjects
import Synchronization
import Testing

class LaterBead: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var share = 0.0

    override class func _realmObjectName() -> String? { "Bead" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Class information of realms that are opened and frozen repeatedly.
@Suite struct SharedClassesTests {
    @Test func `threads look up classes of a file in one frozen realm`() throws {
        let file = TestRealm([Bead.self, Ghost.self, Dog.self, Person.self, Address.self, DogClub.self])
        let realm = try file.open()
        try realm.write { for id in 0..<20 { realm.create(Bead.self, value: ["id": id, "number": id]) } }
        let frozen = Shared(realm.freeze())
        let sums = Mutex<[Int]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { turn in
            let names = ["Dog", "Person", "DogClub", "Bead"]
            let counts = (0..<4).map { frozen.value.dynamicObjects(names[($0 + turn) % 4]).count }
            let sum = frozen.value.dynamicObjects("Bead").reduce(0) { $0 + ($1["number"] as? Int ?? 0) }
            sums.withLock { $0.append(sum + counts.reduce(0, +) + frozen.value.objects(Bead.self).count) }
        }
        expectEqual(sums.withLock { $0 }, [Int](repeating: 190 + 20 + 20, count: 8))
    }

    @Test func `a file that matched is checked again after its classes changed`() throws {
        let file = TestRealm([Bead.self, Ghost.self])
        let first = file.configuration
        var (more, other) = (first, first)
        more.objectTypes = [Bead.self, Ghost.self] + kennelTypes
        other.objectTypes = [LaterBead.self]
        let (second, third) = (more, other)
        // The database stays open.
        let realm = try file.open()
        try onAnotherThread {
            var counts: [Int] = []
            for _ in 0..<2 { counts.append(try Realm(configuration: first).objects(Bead.self).count) }
            for _ in 0..<2 { counts.append(try Realm(configuration: second).objects(Dog.self).count) }
            expectEqual(counts, [0, 0, 0, 0])
        }
        try expectEqual(
            file.verified().classes.map(\.name).sorted(),
            [
                "Address", "Bead", "Dog", "DogClub", "Ghost", "Person",
            ])
        for _ in 0..<2 {
            #expect {
                try onAnotherThread { _ = try Realm(configuration: third) }
            } throws: {
                "\($0)".contains("- Property 'Bead.share' has been added.")
            }
        }
        _ = realm
    }
}
