import Expectations
import RealmObjects
import Testing

/// Notifications about collections of several leaves with few changes.
@Suite struct ToldLongTests {
    final class Crate: Object {
        @Persisted var numbers: List<Int>
        @Persisted var crates: List<Crate>
        @Persisted var set: MutableSet<Int>
        @Persisted var map: Map<String, AnyRealmValue>
        @Persisted var weight = 0
        @Persisted var lid: Crate?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private let count = 2500

    /// - Returns: the notifications of the first crate's collections after each of the transactions.
    private func told(_ changes: [(Crate) -> Void]) throws -> [[String]] {
        let crates = try QueueRealm([Crate.self])
        var first: Crate?
        try crates { realm in
            let crate = Crate()
            first = crate
            try realm.write {
                realm.add(crate)
                let others = (0..<count).map { _ in realm.create(Crate.self) }
                crate.numbers.append(objectsIn: 0..<count)
                // Not in the order of their keys.
                crate.crates.append(objectsIn: others.reversed())
                crate.set.insert(objectsIn: 0..<count)
                for number in 0..<count { crate.map["\(number)"] = number == 7 ? .object(others[3]) : .int(number) }
            }
            func keep<Collection>(_ name: String, _ change: RealmCollectionChange<Collection>) {
                guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
                crates.told.append("\(name) \(deletions) \(insertions) \(modifications)")
            }
            crates.keep(crate.numbers.observe { keep("numbers", $0) })
            crates.keep(crate.crates.observe { keep("crates", $0) })
            crates.keep(crate.set.observe { keep("set", $0) })
            crates.keep(
                crate.map.observe { change in
                    guard case .update(_, let deletions, let insertions, let modifications) = change else { return }
                    crates.told.append("map \(deletions) \(insertions) \(modifications)")
                })
        }
        expectEqual(crates.heard(), [])
        return try changes.map { change in
            try crates { realm in try realm.write { change(try #require(first)) } }
            return crates.heard().sorted()
        }
    }

    @Test func `single changed elements are reported`() throws {
        let last = count - 1
        let told = try told([
            { $0.numbers[1200] = -1 }, { $0.numbers.append(-2) }, { $0.numbers.insert(-3, at: 0) },
            { $0.numbers.remove(at: 1500) }, { $0.numbers.move(from: 10, to: 2000) },
            { $0.crates.remove(at: 1200) }, { $0.crates.append(Crate()) }, { $0.crates.move(from: 5, to: 2100) },
            { $0.set.remove(1300) }, { $0.set.insert(-1) },
            { $0.map["1000"] = nil }, { $0.map["x"] = .int(1) }, { $0.map["500"] = .string("a") },
        ])
        expectEqual(
            told,
            [
                ["numbers [] [] [1200]"], ["numbers [] [\(count)] []"], ["numbers [] [0] []"],
                ["numbers [1500] [] []"], ["numbers [10] [2000] []"],
                ["crates [1200] [] []"], ["crates [] [\(last)] []"], ["crates [5] [2100] []"],
                ["set [1300] [] []"], ["set [] [0] []"],
                ["map [\"1000\"] [] []"], ["map [] [\"x\"] []"], ["map [] [] [\"500\"]"],
            ])
    }

    @Test func `changed objects in collections, and several distant elements, are reported`() throws {
        let told = try told([
            { crate in crate.crates[1].weight = 1 },
            // The map contains the object as well, as a Mixed value, whose content is not observed.
            { crate in crate.crates[2496].weight = 1 },
            { crate in
                for index in [2400, 1100, 3] { crate.numbers.remove(at: index) }
                crate.numbers.append(-5)
            },
            { crate in for key in ["0", "1500", "999"] { crate.map[key] = nil } },
            { crate in
                crate.crates[1000].weight = 4
                crate.crates.remove(at: 0)
            },
        ])
        expectEqual(
            told,
            [
                ["crates [] [] [1]"], ["crates [] [] [2496]"],
                ["numbers [3, 1100, 2400] [2497] []"],
                ["map [\"0\", \"1500\", \"999\"] [] []"], ["crates [0] [] [1000]"],
            ])
    }

    /// Checks the notification of a list when its elements are replaced, together with the previous list.
    private func told(_ lists: [[Int]], _ check: @escaping ([Int], [Int], [Int], [Int], [Int]) -> Void) throws {
        let crates = try QueueRealm([Crate.self])
        try crates { realm in
            let crate = Crate()
            crate.numbers.append(objectsIn: lists[0])
            try realm.write { realm.add(crate) }
            var before = lists[0]
            crates.keep(
                crate.numbers.observe { change in
                    guard case .update(let list, let deletions, let insertions, let modifications) = change else {
                        return
                    }
                    check(before, Array(list), deletions, insertions, modifications)
                    before = Array(list)
                    crates.told.append("\(before.count)")
                })
        }
        for list in lists.dropFirst() {
            try crates.elsewhere { realm in
                let numbers = realm.objects(Crate.self)[0].numbers
                try realm.write {
                    numbers.removeAll()
                    numbers.append(objectsIn: list)
                }
            }
        }
        expectEqual(crates.heard().count, lists.count - 1)
    }

    /// Returns the list after applying deletions, insertions and modifications.
    private func replayed(_ old: [Int], _ new: [Int], _ deletions: [Int], _ insertions: [Int], _ set: [Int]) -> [Int] {
        var list: [Int?] = old
        for index in set { list[index] = nil }
        for index in deletions.reversed() { list.remove(at: index) }
        for index in insertions { list.insert(new[index], at: index) }
        return list.enumerated().map { $1 ?? new[$0] }
    }

    @Test func `repeated values are reported with the fewest changes`() throws {
        var random = SystemRandomNumberGenerator()
        let lists = (0..<60).map { round in
            (0..<Int.random(in: 1...40, using: &random)).map { _ in Int.random(in: 0...(round % 8 + 1), using: &random)
            } + [100 + round]
        }
        try told(lists) { old, new, deletions, insertions, modifications in
            expectEqual(self.replayed(old, new, deletions, insertions, modifications), new)
            let fewest = new.difference(from: old).count
            expectEqual(deletions.count + insertions.count + 2 * modifications.count, fewest, "\(old) \(new)")
        }
    }

    @Test func `a long list of repeated values is replaced by another one`() throws {
        let lists = [17, 23, 2].map { step in (0..<6000).map { $0 * step % 101 } }
        try told(lists + [lists[2].sorted(), Array(lists[2].reversed())]) {
            old, new, deletions, insertions, modifications in
            expectEqual(self.replayed(old, new, deletions, insertions, modifications), new)
        }
    }

    /// Changed objects are looked up by some bits of their keys, which other objects share.
    @Test func `changed objects are reported among very many objects found through a link`() throws {
        let crates = try QueueRealm([Crate.self])
        try crates { realm in
            try realm.write {
                let lid = realm.create(Crate.self)
                for weight in 1..<10_000 { realm.create(Crate.self, value: ["weight": weight, "lid": lid]) }
            }
            let found = realm.objects(Crate.self).where { $0.lid.weight == 0 }
            let backwards = found.sorted(by: [.init(keyPath: "lid.weight"), .init(keyPath: "weight", ascending: false)])
            for (name, results) in [("found", found), ("backwards", backwards)] {
                crates.keep(
                    results.observe { change in
                        guard case .update(let all, let deletions, let insertions, let modifications) = change else {
                            return
                        }
                        crates.told.append("\(name) \(all.count) \(deletions) \(insertions) \(modifications)")
                    })
            }
        }
        for weights in [[5], [4101, 9000], [1, 9999]] {
            try crates { realm in
                try realm.write {
                    for crate in realm.objects(Crate.self).where({ $0.weight.in(weights) }) { crate.numbers.append(1) }
                }
            }
            let last = weights.map { 9_999 - $0 }.reversed()
            expectEqual(
                crates.heard().sorted(),
                [
                    "backwards 9999 [] [] \(Array(last))", "found 9999 [] [] \(weights.map { $0 - 1 })",
                ])
        }
    }
}
