import Expectations
import Foundation
import RealmObjects
import Testing

/// Results of a class given at run time, where the static type is a base class, as in code that iterates over a list of
/// models.
@Suite struct BaseTypeTests {
    class Entity: Object {
        @Persisted(primaryKey: true) var id = ""
        @Persisted var rank = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Human: Entity {
        @Persisted var age = 0
    }

    final class Town: Entity {
        @Persisted var citizens: List<Human>
    }

    /// Returns a realm with two humans and two towns; the base class is in the file, or not.
    private func realm(hasBase: Bool) throws -> Realm {
        let types: [ObjectBase.Type] = [Human.self, Town.self]
        let realm = try TestRealm(hasBase ? types + [Entity.self] : types).open()
        try realm.write {
            for (id, rank) in [("a", 2), ("b", 1)] {
                let human = realm.create(Human.self, value: ["id": id, "rank": rank, "age": 30 + rank])
                realm.create(Town.self, value: ["id": "t\(id)", "rank": 10 + rank, "citizens": [human]])
            }
            if hasBase { realm.create(Entity.self, value: ["id": "base"]) }
        }
        return realm
    }

    private func fetched<T: Entity>(_ type: T.Type, _ realm: Realm) -> [T] {
        Array(realm.objects(type).sorted(by: \.rank))
    }

    @Test(arguments: [true, false])
    func `elements have the class of the variable`(hasBase: Bool) throws {
        let realm = try realm(hasBase: hasBase)
        for (type, ids) in [(Human.self as Entity.Type, ["b", "a"]), (Town.self, ["tb", "ta"])] {
            let results = realm.objects(type)
            expect(results.count == 2 && results.allSatisfy { Swift.type(of: $0) == type })
            expect(fetched(type, realm).map(\.id) == ids && results.sorted(byKeyPath: "id").first?.id == ids[1])
            expectEqual(results.where { $0.rank > 1 && $0.rank != 11 }.first?.id, ids[1])
            expect(results.filter("rank IN {1, 11}").last?.id == ids[0] && results[0].isSameObject(as: results.first))
            let last = try #require(results.sorted(by: \.rank).last)
            expect(
                results.sorted(by: \.rank).index(of: last) == 1 && results.index(matching: "id == %@", ids[1]) != nil)
            expect(
                AnyRealmCollection(results).map(\.id).sorted() == ids.sorted()
                    && results.freeze().contains { $0.id == ids[0] })
            expectEqual(results.sectioned(by: \.id).map { $0.first?.id }, ids.sorted())
            expectEqual(realm.object(ofType: type, forPrimaryKey: ids[0])?.id, ids[0])
        }
        expect(
            (
                realm.objects(Human.self as Entity.Type).max(of: \.rank),
                realm.objects(Town.self as Entity.Type).sum(of: \.rank)
            ) == (2, 23))
    }

    @Test(arguments: [true, false]) func `observers and threads receive elements of that class`(hasBase: Bool) throws {
        let realm = try realm(hasBase: hasBase)
        let results = realm.objects(Human.self as Entity.Type).sorted(by: \.rank)
        nonisolated(unsafe) var told: [[String]] = []
        let token = results.observe { change in
            switch change {
            case .initial(let results), .update(let results, _, _, _): told.append(results.map(\.id))
            case .error: break
            }
        }
        realm.refresh()
        try realm.write { realm.create(Human.self, value: ["id": "c", "rank": 0]) }
        realm.refresh()
        expectEqual(told, [["b", "a"], ["c", "b", "a"]])
        token.invalidate()
        let reference = ThreadSafeReference(to: results)
        let other = try Realm(configuration: realm.configuration)
        expectEqual(other.resolve(reference)?.map(\.id), ["c", "b", "a"])
    }

    @Test func `an object of another class is nil`() throws {
        let realm = try realm(hasBase: true)
        let value = AnyRealmValue.object(try #require(realm.objects(Town.self).first))
        expect(value.object(Human.self) == nil && value.object(Town.self)?.rank == 12)
        expectEqual(realm.objects(Entity.self).map(\.id), ["base"])
    }
}
