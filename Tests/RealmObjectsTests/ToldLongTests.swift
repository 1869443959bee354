import RealmObjects
import Testing

/// What observers are told of collections of several leaves, of which little changes.
@Suite struct ToldLongTests {
    final class Crate: Object {
        @Persisted var numbers: List<Int>
        @Persisted var crates: List<Crate>
        @Persisted var set: MutableSet<Int>
        @Persisted var map: Map<String, AnyRealmValue>
        @Persisted var weight = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private let count = 2500

    /// - Returns: what is told of the first crate's collections after each of some transactions.
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
        #expect(crates.heard() == [])
        return try changes.map { change in
            try crates { realm in try realm.write { change(try #require(first)) } }
            return crates.heard().sorted()
        }
    }

    @Test func `single elements`() throws {
        let last = count - 1
        let told = try told([
            { $0.numbers[1200] = -1 }, { $0.numbers.append(-2) }, { $0.numbers.insert(-3, at: 0) },
            { $0.numbers.remove(at: 1500) }, { $0.numbers.move(from: 10, to: 2000) },
            { $0.crates.remove(at: 1200) }, { $0.crates.append(Crate()) }, { $0.crates.move(from: 5, to: 2100) },
            { $0.set.remove(1300) }, { $0.set.insert(-1) },
            { $0.map["1000"] = nil }, { $0.map["x"] = .int(1) }, { $0.map["500"] = .string("a") },
        ])
        #expect(
            told == [
                ["numbers [] [] [1200]"], ["numbers [] [\(count)] []"], ["numbers [] [0] []"],
                ["numbers [1500] [] []"], ["numbers [10] [2000] []"],
                ["crates [1200] [] []"], ["crates [] [\(last)] []"], ["crates [5] [2100] []"],
                ["set [1300] [] []"], ["set [] [0] []"],
                ["map [\"1000\"] [] []"], ["map [] [\"x\"] []"], ["map [] [] [\"500\"]"],
            ])
    }

    @Test func `objects in them, and several elements far from each other`() throws {
        let told = try told([
            { crate in crate.crates[1].weight = 1 },
            // The map has the object as well, as one of any values, whose content does not count.
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
        #expect(
            told == [
                ["crates [] [] [1]"], ["crates [] [] [2496]"],
                ["numbers [3, 1100, 2400] [2497] []"],
                ["map [\"0\", \"1500\", \"999\"] [] []"], ["crates [0] [] [1000]"],
            ])
    }
}
