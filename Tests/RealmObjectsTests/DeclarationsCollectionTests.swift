import Expectations
import Foundation
import RealmObjects
import Testing

/// Declarations of collections without other calls in the tests, in RealmSwift's spelling, many of them in generic
/// code. Found by `tools/peer/spellings.py`.
@Suite struct DeclarationsCollectionTests {
    final class Stone: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
        @Persisted var weight = 0
        @Persisted(originProperty: "stones") var walls: LinkingObjects<Wall>
    }

    final class Wall: Object {
        @Persisted var name = ""
        @Persisted var stones: List<Stone>
        @Persisted var rare: MutableSet<Stone>
        @Persisted var corners: Map<String, Stone?>
        @Persisted var heights: Map<String, Int>
        @Persisted var widths: List<Int>
        @Persisted var lengths: MutableSet<Double>
        @Persisted var labels: Map<String, String>
        @Persisted var depths: Map<String, Double?>
    }

    final class WallView: Projection<Wall> {
        @Projected(\Wall.stones.projectTo.name) var names: ProjectedCollection<String>
        @Projected(\Wall.rare.projectTo.weight) var weights: ProjectedCollection<Int>
    }

    private let file = TestRealm([Stone.self, Wall.self])

    /// Returns a wall of three stones: 1 a 30, 2 b 10, 3 c 20.
    private func wall() throws -> (Realm, Wall) {
        let realm = try file.open()
        let wall = Wall()
        for (id, name, weight) in [(1, "a", 30), (2, "b", 10), (3, "c", 20)] {
            wall.stones.append(Stone(value: ["id": id, "name": name, "weight": weight] as [String: Any]))
        }
        wall.rare.insert(objectsIn: wall.stones)
        wall.corners["n"] = wall.stones[0]
        wall.corners["s"] = wall.stones[1]
        wall.corners["w"] = wall.stones[2]
        for (key, value) in ["x": 3, "y": 1, "z": 2] { wall.heights[key] = value }
        wall.widths.append(objectsIn: [5, 7])
        try realm.write { realm.add(wall) }
        return (realm, wall)
    }

    // MARK: RealmCollection

    private func backwards<C: RealmCollection>(_ collection: C) -> [C.Element] {
        var (index, found): (Int, [C.Element]) = (collection.endIndex, [])
        while index > collection.startIndex {
            index = collection.index(before: index)
            found.append(collection[index])
        }
        return found
    }

    private func forwards<C: RealmCollection>(_ collection: C) -> [C.Element] {
        var (index, found): (Int, [C.Element]) = (collection.startIndex, [])
        while index < collection.endIndex {
            found.append(collection[index])
            index = collection.index(after: index)
        }
        return found
    }

    private func stepped(_ iterator: RLMIterator<Stone>) -> [String] {
        var (iterator, names): (RLMIterator<Stone>, [String]) = (iterator, [])
        while let stone = iterator.next() { names.append(stone.name) }
        return names
    }

    @Test func `collections are iterated by their indexes`() throws {
        let (realm, wall) = try wall()
        let sorted = realm.objects(Stone.self).sorted(byKeyPath: "weight")
        expect(
            forwards(wall.stones).map(\.name) == ["a", "b", "c"]
                && backwards(wall.stones).map(\.name) == ["c", "b", "a"])
        expect(forwards(sorted).map(\.name) == ["b", "c", "a"] && backwards(sorted).map(\.name) == ["a", "c", "b"])
        expectEqual(forwards(AnyRealmCollection(sorted)).map(\.weight), [10, 20, 30])
        expect(backwards(wall.widths) == [7, 5] && forwards(wall.stones[0].walls).count == 1)
    }

    @Test func `iterators continue from the place of the collection`() throws {
        let (realm, wall) = try wall()
        expectEqual(stepped(wall.stones.makeIterator()), ["a", "b", "c"])
        expectEqual(
            stepped(AnyRealmCollection(realm.objects(Stone.self).sorted(byKeyPath: "weight")).makeIterator()),
            [
                "b", "c", "a",
            ])
        var owners = wall.stones[1].walls.makeIterator()
        expect(owners.next()?.isSameObject(as: wall) ?? false)
        expectEqual(owners.next(), nil)
        var entries = wall.heights.makeIterator()
        let first: SingleMapEntry<String, Int>? = entries.next()
        expect(first?.key == "x" && first?.value == 3)
    }

    private func origin<L: LinkingObjectsProtocol>(_ type: L.Type, _ property: String) -> (L, L.Element.Type) {
        (L(fromType: L.Element.self, property: property), L.Element.self)
    }

    @Test func `linking objects are created and compared`() throws {
        let (realm, wall) = try wall()
        let loose = LinkingObjects(fromType: Wall.self, property: "stones")
        expect(loose.isEmpty && loose.realm == nil)
        let (made, element) = origin(LinkingObjects<Wall>.self, "stones")
        expect(made == loose && element == Wall.self && made != LinkingObjects(fromType: Wall.self, property: "rare"))
        let owners = wall.stones[0].walls
        let same = owners
        expect(owners == same && owners != wall.stones[1].walls && owners.realm == realm)
        expectEqual(wall.stones[0].walls.index(matching: { $0.name == "" }), 0)
    }

    @Test func `results are equal to themselves`() throws {
        let (realm, _) = try wall()
        let stones = realm.objects(Stone.self)
        let same = stones
        expect(stones == same && stones != stones.filter("weight > 10"))
    }

    // MARK: Projected collections

    @Test func `projected collections have indexes`() throws {
        let (realm, wall) = try wall()
        let view = WallView(projecting: wall)
        expect(view.names.startIndex == 0 && view.names.endIndex == 3 && view.names.index(of: "c") == 2)
        expect(view.names.index(of: "nothing") == nil && Set(view.weights) == [10, 20, 30])
        let index: ProjectedCollection<String>.Index = view.names.index(after: 0)
        expectEqual(view.names[index], "b")
        let mapper: CollectionElementMapper<Stone> = wall.stones.projectTo
        expect(Array(mapper.name) == ["a", "b", "c"] && Array(mapper[dynamicMember: \.weight]) == [30, 10, 20])
        try realm.write { mapper.weight[1] = 11 }
        expectEqual(wall.stones[1].weight, 11)
    }

    @Test func `projected collections are observed on a queue`() throws {
        let realm = try QueueRealm([Stone.self, Wall.self])
        try realm { open in
            let wall = Wall(value: ["stones": [["id": 1, "name": "a"] as [String: Any]]])
            try open.write { open.add(wall) }
            realm.keep(
                WallView(projecting: wall).names.observe(on: realm.queue) { change in
                    switch change {
                    case .initial(let names): realm.told.append("\(Array(names))")
                    case .update(let names, _, _, let modifications):
                        realm.told.append("\(Array(names)) \(modifications)")
                    case .error(let error): realm.told.append("\(error)")
                    }
                })
        }
        realm.wait { $0 == 1 }
        try realm { open in try open.write { open.objects(Stone.self)[0].name = "b" } }
        realm.wait { $0 == 2 }
        expectEqual(realm.heard(), [#"["a"]"#, #"["b"] [0]"#])
    }

    private func rootName<P: ProjectionObservable>(_ projection: P) -> String where P.Root == Wall {
        let root: P.Root = projection.rootObject
        return P(projecting: root).rootObject.name
    }

    @Test func `projections are created by generic code`() {
        expectEqual(rootName(WallView(projecting: Wall(value: ["name": "north"]))), "north")
    }

    // MARK: Maps

    private func changed<M: RealmKeyedCollection>(_ map: inout M) where M.Key == String, M.Value == Int {
        map.updateValue(7, forKey: "u")
        map.removeObject(for: "x")
        map["v"] = 9
        map.setValue(4, forKey: "y")
    }

    @Test func `maps are read and changed by generic code`() throws {
        let (realm, wall) = try wall()
        func told<M: RealmKeyedCollection>(_ map: M) -> [String] where M.Key == String, M.Value == Int {
            expect(map.realm == realm && !map.isInvalidated && !map.isFrozen && map.freeze().isFrozen)
            expectEqual(map.freeze().thaw()?.count, map.count)
            expect(map.value(forKey: "z") as? Int == 2 && map.value(forKeyPath: "z") as? Int == 2)
            expect(map.contains { key, value in key == "z" && value == 2 } && !map.contains(where: { $1 > 100 }))
            expect(map.description.contains("[z]: 2") || map.description.contains("z"))
            return zip(map.keys, map.values).map { "\($0)\($1)" } + ["\(map.count)", "\(map["z"] ?? 0)"]
        }
        var heights = wall.heights
        expectEqual(told(heights), ["x3", "y1", "z2", "3", "2"])
        try realm.write { changed(&heights) }
        expectEqual(told(heights), ["u7", "v9", "y4", "z2", "4", "2"])
        func emptied<M: RealmKeyedCollection>(_ map: M) { map.removeAll() }
        try realm.write { emptied(heights) }
        expectEqual(wall.heights.count, 0)
    }

    @Test func `values of maps are sorted and totalled by generic code`() throws {
        let (_, wall) = try wall()
        func of<M: RealmKeyedCollection>(_ map: M) -> [Int] where M.Value == Int {
            expect(map.min() == 1 && map.max() == 3 && map.sum() == 6 && map.average() as Double? == 2)
            return Array(map.sorted()) + Array(map.sorted(ascending: false))
        }
        expectEqual(of(wall.heights), [1, 2, 3, 3, 2, 1])
        func ofObjects<M: RealmKeyedCollection>(_ map: M) -> [String] where M.Value == Stone? {
            expect(map.min(of: \.weight) == 10 && map.max(of: \.weight) == 30)
            expect(map.sum(of: \.weight) == 60 && map.average(of: \.weight) as Int? == 20)
            expect(map.min(ofProperty: "weight") as Int? == 10 && map.max(ofProperty: "weight") as Int? == 30)
            expect(map.sum(ofProperty: "weight") as Int == 60 && map.average(ofProperty: "weight") as Double? == 20)
            let orders = [
                map.sorted(by: \.weight, ascending: true), map.sorted(byKeyPath: "weight", ascending: false),
                map.sorted(by: [SortDescriptor(keyPath: "name", ascending: false)]),
            ]
            return orders.map { $0.compactMap { $0?.name }.joined() }
        }
        expectEqual(ofObjects(wall.corners), ["bca", "acb", "cba"])
        expectEqual(wall.corners.sorted(by: [SortDescriptor(keyPath: "weight")]).map { $0?.id }, [2, 3, 1])
        expect(wall.heights.object(forKey: "y") == 1 && wall.heights.object(forKey: "none") == nil)
    }

    @Test func `maps are observed by generic code`() throws {
        let realm = try QueueRealm([Stone.self, Wall.self])
        func watch<M: RealmKeyedCollection>(_ map: M) where M.Key == String, M.Value == Int {
            realm.keep(
                map.observe { (change: RealmMapChange<M>) in
                    switch change {
                    case .initial(let map): realm.told.append("\(map.count)")
                    case .update(let map, let deletions, let insertions, let modifications):
                        realm.told.append("\(map.count) -\(deletions) +\(insertions) ~\(modifications)")
                    case .error(let error): realm.told.append("\(error)")
                    }
                })
        }
        try realm { realm in
            let wall = Wall(value: ["heights": ["a": 1, "b": 2]])
            try realm.write { realm.add(wall) }
            watch(wall.heights)
        }
        try realm { realm in
            let heights = realm.objects(Wall.self)[0].heights
            try realm.write {
                heights["a"] = nil
                heights["b"] = 5
                heights["c"] = 6
            }
        }
        expectEqual(realm.told, ["2", #"2 -["a"] +["c"] ~["b"]"#])
    }

    @Test func `maps are merged with maps`() throws {
        let (realm, wall) = try wall()
        let other = Map<String, Int>()
        (other["x"], other["q"]) = (10, 4)
        try realm.write { wall.heights.merge(other) { $0 + $1 } }
        expect(wall.heights.keys == ["q", "x", "y", "z"] && wall.heights.values == [4, 13, 1, 2])
        try realm.write { wall.heights.merge(["y": 8].map { ($0.key, $0.value) }, uniquingKeysWith: { max($0, $1) }) }
        expectEqual(wall.heights["y"], 8)
    }

    @Test func `objects of a map are deleted`() throws {
        let (realm, wall) = try wall()
        try realm.write { realm.delete(wall.corners) }
        expect(
            realm.objects(Stone.self).isEmpty && wall.corners.keys == ["n", "s", "w"]
                && wall.corners.values == [nil, nil, nil])
    }

    // MARK: Queries

    @Test func `elements of collections are compared in queries`() throws {
        let (realm, wall) = try wall()
        try realm.write {
            wall.lengths.insert(objectsIn: [1.5, 2.5])
            realm.create(
                Wall.self,
                value: ["name": "low", "widths": [1], "lengths": [0.5], "heights": ["x": 0]] as [String: Any])
        }
        let walls = realm.objects(Wall.self)
        func names(_ condition: (Query<Wall>) -> Query<Bool>) -> [String] { walls.where(condition).map(\.name) }
        expect(names { $0.widths > 5 } == [""] && names { $0.widths >= 1 } == ["", "low"])
        expect(names { $0.widths < 5 } == ["low"] && names { $0.widths <= 5 } == ["", "low"])
        expect(names { $0.lengths > 2 } == [""] && names { $0.lengths <= 0.5 } == ["low"])
        expect(names { $0.lengths >= 2.5 } == [""] && names { $0.lengths < 1 } == ["low"])
    }

    // MARK: Sections

    private func sizes<S: RealmSectionedResult>(_ sections: S) -> [Int] where S.Element: RealmSectionedResult {
        (sections.startIndex..<sections.endIndex).map { sections[$0].count }
    }

    @Test func `sections are compared and identified`() throws {
        let (realm, _) = try wall()
        let stones = realm.objects(Stone.self)
        let sections = stones.sectioned(by: { $0.weight / 20 }, sortDescriptors: [SortDescriptor(keyPath: "weight")])
        expect(sections.allKeys == [0, 1] && sizes(sections) == [1, 2])
        let section: SectionedResults<Int, Stone>.Element = sections[1]
        let second: ResultsSection<Int, Stone> = sections[1]
        let element: ResultsSection<Int, Stone>.Element = section[0]
        expect(section == second && section != sections[0] && section.id == 1 && element.name == "c")
        var (all, one) = (sections.makeIterator(), section.makeIterator())
        expect(all.next()?.key == 0 && all.next()?.key == 1 && all.next() == nil)
        expect(one.next()?.name == "c" && one.next()?.name == "a" && one.next() == nil)
        expectEqual(SortDescriptor(keyPath: "a"), SortDescriptor(keyPath: "a", ascending: true))
        expect(SortDescriptor(keyPath: "a") != SortDescriptor(keyPath: "a").reversed())
    }

    @Test func `sections are observed by their older name`() throws {
        let realm = try QueueRealm([Stone.self, Wall.self])
        realm { open in
            let sections = open.objects(Stone.self).sectioned(by: \.name, ascending: true)
            realm.keep(
                sections.observe { (change: RealmSectionedResultsChange<SectionedResults<String, Stone>>) in
                    switch change {
                    case .initial(let sections): realm.told.append("\(sections.count)")
                    case .update(let sections, _, _, _, let inserted, let deleted):
                        realm.told.append("\(sections.count) +\(Array(inserted)) -\(Array(deleted))")
                    }
                })
        }
        try realm { open in try open.write { open.create(Stone.self, value: ["id": 1, "name": "q"] as [String: Any]) } }
        expectEqual(realm.told, ["0", "1 +[0] -[]"])
    }

    private final class Told { var lines: [String] = [] }

    @MainActor @Test func `sections are observed on an actor`() async throws {
        let realm = try await Realm.open(configuration: file.configuration)
        let told = Shared(Told())
        let sections = realm.objects(Stone.self).sectioned(by: \.name, ascending: true)
        let token = await sections.observe(keyPaths: ["name"], on: MainActor.shared) { _, change in
            switch change {
            case .initial(let sections): told.value.lines.append("\(sections.count)")
            case .update(let sections, _, _, _, let inserted, _):
                told.value.lines.append("\(sections.count) +\(Array(inserted))")
            }
        }
        try await realm.asyncWrite { realm.create(Stone.self, value: ["id": 1, "name": "q"] as [String: Any]) }
        for _ in 0..<6000 where told.value.lines.count < 2 { try await Task.sleep(for: .milliseconds(10)) }
        expectEqual(told.value.lines, ["0", "1 +[0]"])
        token.invalidate()
    }
}
