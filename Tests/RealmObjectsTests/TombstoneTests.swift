import Expectations
import Foundation
import RealmCore
import RealmObjects
import Testing

// The classes of `Fixtures/tombstones.realm`, whose content is in `tombstones.jsonl`.
class TombTarget: Object {
    @Persisted(primaryKey: true) var _id = ""
    @Persisted var n = 0
    @Persisted(originProperty: "many") var lists: LinkingObjects<TombOrigin>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class TombTargetNoPk: Object {
    @Persisted var n = 0
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class TombOrigin: Object {
    @Persisted var one: TombTarget?
    @Persisted var many: List<TombTarget>
    @Persisted var set: MutableSet<TombTarget>
    @Persisted var dict: Map<String, TombTarget?>
    @Persisted var any: AnyRealmValue
    @Persisted var anyList: List<AnyRealmValue>
    @Persisted var nopk: TombTargetNoPk?
    @Persisted var nopks: List<TombTargetNoPk>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Links to missing objects, as in synchronised files: RealmSwift hides them (Realm Core's `LnkLst`), and keeps them in
/// place.
struct TombstoneTests {
    private let file = TestRealm([TombTarget.self, TombTargetNoPk.self, TombOrigin.self])

    init() throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/tombstones.realm").standardizedFileURL
        try FileManager.default.copyItem(atPath: fixture.path, toPath: file.path)
    }

    private static let shown = ["id0", "id2", "id3", "id4", "id5"]

    /// Returns the primary keys of the targets in the stored list of the first object, with those of tombstones in
    /// brackets.
    private func stored() throws -> [String] {
        var objects = try file.verified().table(named: "TombOrigin").objects
        guard let object = try objects.next(), case .list(let elements) = try object["many"] else { return [] }
        return try elements.map { element in
            guard case .link(let link) = element, case .string(let id)? = try link.primaryKey() else { return "?" }
            return link.isUnresolved ? "(\(id))" : id
        }
    }

    private func check(_ origin: TombOrigin) {
        let (many, set) = (origin.many, origin.set)
        expect(many.count == 5 && many.map(\._id) == Self.shown && many.first?._id == "id0" && many.last?._id == "id5")
        expect((0..<5).map { many[$0]._id } == Self.shown && many.sum(of: \.n) == 44 && many.max(of: \.n) == 33)
        expect(many.index(of: many[3]) == 3 && many.index(matching: { $0.n == 33 }) == 2)
        expectEqual(Array(many.sorted(by: \.n, ascending: false)).map(\.n), [33, 5, 4, 2, 0])
        expectEqual(Array(many.where { $0.n > 3 }).map(\._id), ["id3", "id4", "id5"])
        expectEqual(many.value(forKey: "n") as? [Int], [0, 2, 33, 4, 5])
        expect(Set(set.map(\._id)) == Set(Self.shown) && set.count == 5 && Set((0..<5).map { set[$0]._id }).count == 5)
        expect(set.contains(many[2]) && set.sum(of: \.n) == 44)
        expect(origin.nopks.map(\.n) == [0, 1, 3, 4, 5] && origin.nopks.count == 5 && origin.nopks[2].n == 3)
        expect(origin.dict.count == 6 && origin.dict["k1"] == .some(nil) && origin.dict["k3"]??._id == "id3")
        expect(origin.anyList.count == 6 && origin.anyList[1] == .none)
        expectEqual(origin.anyList[2].object(TombTarget.self)?._id, "id2")
    }

    @Test func `collections show only existing objects`() throws {
        let realm = try file.open()
        let origins = realm.objects(TombOrigin.self)
        check(origins[0])
        check(origins[0].freeze())
        expectEqual(origins.map { $0.one?._id }, ["id0", nil, "id2", "id3", nil])
        expect(origins[1].any == .none && origins[2].nopk == nil)
        expect(origins[4].many.isEmpty && origins[4].many.first == nil && origins[4].many.map(\._id) == [])
        expectEqual(realm.objects(TombTarget.self).map { $0.lists.count }, [4, 4, 4, 4, 4])
        expect(origins.where { $0.many.count == 5 }.count == 4 && origins.where { $0.many.count == 0 }.count == 1)
        try realm.write {
            origins[1].one = nil
            origins[0].many[0].n = 0
            check(origins[0])
        }
        check(origins[0])
    }

    @Test func `read-only files show the same objects`() throws {
        file.configuration.readOnly = true
        check(try file.open().objects(TombOrigin.self)[0])
    }

    @Test func `lists are changed around hidden elements`() throws {
        try {
            let realm = try file.open()
            let many = realm.objects(TombOrigin.self)[0].many
            let others = realm.objects(TombTarget.self)
            try expectEqual(stored(), ["id0", "(id1)", "id2", "id3", "id4", "id5"])
            try realm.write { many.insert(others[4], at: 1) }
            try expectEqual(stored(), ["id0", "(id1)", "id3", "id2", "id3", "id4", "id5"])
            try realm.write { many.remove(at: 1) }
            try expectEqual(stored(), ["id0", "(id1)", "id2", "id3", "id4", "id5"])
            try realm.write { many[1] = others[2] }
            try expectEqual(stored(), ["id0", "(id1)", "id4", "id3", "id4", "id5"])
            try realm.write {
                many.move(from: 0, to: 2)
                expectEqual(many.map(\._id), ["id4", "id3", "id0", "id4", "id5"])
            }
            try expectEqual(stored(), ["(id1)", "id4", "id3", "id0", "id4", "id5"])
            try realm.write { many.append(others[0]) }
            try expectEqual(stored(), ["(id1)", "id4", "id3", "id0", "id4", "id5", "id0"])
            try realm.write { many.swapAt(0, 5) }
            expectEqual(many.map(\._id), ["id0", "id3", "id0", "id4", "id5", "id4"])
            try realm.write { many.removeLast() }
            try realm.write { realm.delete(others[0]) }
            try expectEqual(stored(), ["(id1)", "id3", "id4", "id5"])
            try realm.write { many.removeAll() }
            try expect(stored() == [] && many.isEmpty)
        }()
        try expectEqual(file.verified().table(named: "TombTarget").tombstoneCount, 2)
    }

    @Test func `an object that replaces a tombstone is shown in its place`() throws {
        let realm = try file.open()
        let many = realm.objects(TombOrigin.self)[0].many
        var told: [RealmCollectionChange<List<TombTarget>>] = []
        let token = many.observe { told.append($0) }
        realm.refresh()
        try realm.write {
            realm.create(TombTarget.self, value: ["_id": "id1", "n": 11])
            expect(many.map(\.n) == [0, 11, 2, 33, 4, 5] && many.count == 6 && many[1]._id == "id1")
        }
        realm.refresh()
        expect(many.map(\.n) == [0, 11, 2, 33, 4, 5] && many[1]._id == "id1")
        guard case .update(_, deletions: [], insertions: [1], modifications: [])? = told.last else {
            Issue.record("\(told)")
            return
        }
        try expectEqual(stored(), ["id0", "id1", "id2", "id3", "id4", "id5"])
        token.invalidate()
    }
}
