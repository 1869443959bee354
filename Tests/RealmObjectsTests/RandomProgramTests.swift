import Foundation
import RealmObjects
import Testing

class Cell: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var age: Int?
    @Persisted var next: Cell?
    @Persisted var numbers: List<Int>
    @Persisted var friends: List<Cell>
    @Persisted var tags: MutableSet<String>
    @Persisted var prices: Map<String, Double>
}

/// A cell in memory.
private struct Plain: Equatable {
    var id: Int
    var name = ""
    var age: Int?
    var next: Int?
    var numbers: [Int] = []
    var friends: [Int] = []
    var tags: Set<String> = []
    var prices: [String: Double] = [:]

    init(id: Int) { self.id = id }

    init(_ cell: Cell) {
        id = cell.id
        (name, age, next) = (cell.name, cell.age, cell.next?.id)
        (numbers, friends) = (Array(cell.numbers), cell.friends.map(\.id))
        (tags, prices) = (
            Set(cell.tags),
            Dictionary(uniqueKeysWithValues: cell.prices.asKeyValueSequence().map { ($0.key, $0.value) })
        )
    }
}

private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
    mutating func roll(_ sides: Int) -> Int { Int(next() % UInt64(sides)) }
}

/// What an observer knows of a collection: what it was told, carried out on what was there before.
private final class Replayed<Element: Equatable> {
    var known: [Element]?
    /// What is wrong.
    var wrong: [String] = []
    /// How many elements moved, went or came that might have stayed.
    var excess = 0

    func take(
        _ now: [Element], _ deletions: [Int], _ insertions: [Int], _ modifications: [Int], id: (Element) -> Int
    ) {
        guard let before = known else { return wrong.append("told before the beginning") }
        let deleted = Set(deletions)
        var copy = before.indices.filter { !deleted.contains($0) }.map { (old: Int?.some($0), value: before[$0]) }
        for index in insertions {
            guard index <= copy.count, index < now.count else { return wrong.append("insertion at \(index)") }
            copy.insert((nil, now[index]), at: index)
        }
        guard copy.count == now.count else { return wrong.append("\(copy.count) elements instead of \(now.count)") }
        let modified = Set(modifications)
        for (index, element) in copy.enumerated() where element.old.map({ modified.contains($0) }) ?? false {
            copy[index].value = now[index]
        }
        if copy.map(\.value) != now {
            wrong.append("\(before) became \(now), told was \(deletions) \(insertions) \(modifications)")
        }
        if !deleted.isDisjoint(with: modified) { wrong.append("deleted and modified") }
        // Another value in the place of one is as good as one that went and one that came.
        let replaced = copy.enumerated().count { index, element in
            element.old.map { modified.contains($0) && id(before[$0]) != id(now[index]) } ?? false
        }
        excess += deletions.count + insertions.count + 2 * replaced - Self.steps(before.map(id), now.map(id))
        known = now
    }

    /// The fewest deletions and insertions that lead from one to the other.
    private static func steps(_ old: [Int], _ new: [Int]) -> Int {
        var row = [Int](repeating: 0, count: new.count + 1)
        for element in old {
            var diagonal = 0
            for (index, other) in new.enumerated() {
                let above = row[index + 1]
                row[index + 1] = element == other ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return old.count + new.count - 2 * (row.last ?? 0)
    }
}

/// Random changes of live objects, beside the same changes of values in memory; observers carry out what they are told.
@Suite struct RandomProgramTests {
    /// More with REALMFILE_OBJECT_SEEDS=1000 in the environment.
    private static let seeds = 0..<(Int(ProcessInfo.processInfo.environment["REALMFILE_OBJECT_SEEDS"] ?? "") ?? 6)

    @Test(arguments: seeds) func `live objects show what was done`(seed: Int) throws {
        let cells = try QueueRealm([Cell.self])
        var dice = Dice(state: UInt64(seed))
        var plain: [Int: Plain] = [:]
        var live: [Int: Cell] = [:]
        let sorted = Replayed<Plain>()
        let friends = Replayed<Int>()
        let numbers = Replayed<Int>()
        var prices: [String: Double] = [:]
        // Who gets the number of one that was deleted would be another one.
        var last = 0
        try cells { realm in
            try realm.write { realm.add(Cell(value: ["id": 0])) }
            let first = try #require(realm.object(ofType: Cell.self, forPrimaryKey: 0))
            (plain[0], live[0]) = (Plain(first), first)
            let old = realm.objects(Cell.self).where { $0.age > 3 || $0.age == nil }.sorted(by: ["age", "id"])
            cells.keep(
                old.observe(keyPaths: ["name", "age", "next", "numbers", "friends", "tags", "prices"]) { change in
                    switch change {
                    case .initial(let old): sorted.known = old.map { Plain($0) }
                    case .update(let old, let deletions, let insertions, let modifications):
                        sorted.take(old.map { Plain($0) }, deletions, insertions, modifications, id: \.id)
                    case .error: break
                    }
                })
            cells.keep(
                first.friends.observe(keyPaths: []) { change in
                    switch change {
                    case .initial(let list): friends.known = list.map(\.id)
                    case .update(let list, let deletions, let insertions, let modifications):
                        friends.take(list.map(\.id), deletions, insertions, modifications, id: { $0 })
                    case .error: break
                    }
                })
            cells.keep(
                first.numbers.observe { change in
                    switch change {
                    case .initial(let list): numbers.known = Array(list)
                    case .update(let list, let deletions, let insertions, let modifications):
                        numbers.take(Array(list), deletions, insertions, modifications, id: { $0 })
                    case .error: break
                    }
                })
            cells.keep(
                first.prices.observe { change in
                    if case .update(let map, let deletions, let insertions, let modifications) = change {
                        for key in deletions { prices[key] = nil }
                        for key in insertions + modifications { prices[key] = map[key] }
                    }
                })
        }
        for _ in 0..<40 {
            let before = plain
            try cells { realm in
                realm.beginWrite()
                for _ in 0...dice.roll(6) { change(realm, &plain, &live, &last, &dice) }
                // Inside of the transaction its changes are there.
                if dice.roll(3) == 0 { compare(realm, plain, live) }
                if dice.roll(5) == 0 {
                    realm.cancelWrite()
                    plain = before
                    live = Dictionary(uniqueKeysWithValues: realm.objects(Cell.self).map { ($0.id, $0) })
                } else {
                    try realm.commitWrite()
                }
            }
            cells { realm in
                compare(realm, plain, live)
                #expect(sorted.wrong == [] && friends.wrong == [] && numbers.wrong == [])
                #expect(
                    sorted.known
                        == realm.objects(Cell.self).map { Plain($0) }.filter { $0.age.map { $0 > 3 } ?? true }
                        .sorted { ($0.age ?? -1, $0.id) < ($1.age ?? -1, $1.id) })
                #expect(friends.known == plain[0]?.friends && numbers.known == plain[0]?.numbers)
                #expect(prices == plain[0]?.prices)
            }
        }
        // As little is told to have moved as there was.
        #expect(sorted.excess == 0)
        #expect(friends.excess == 0)
        #expect(numbers.excess == 0)
        _ = try cells.file.verified()
    }

    private func compare(_ realm: Realm, _ plain: [Int: Plain], _ live: [Int: Cell]) {
        #expect(realm.objects(Cell.self).count == plain.count)
        for (id, expected) in plain {
            guard let cell = live[id], let found = realm.object(ofType: Cell.self, forPrimaryKey: id) else {
                Issue.record("\(id) is gone")
                continue
            }
            #expect(Plain(cell) == expected && Plain(found) == expected)
        }
    }

    private func change(
        _ realm: Realm, _ plain: inout [Int: Plain], _ live: inout [Int: Cell], _ last: inout Int, _ dice: inout Dice
    ) {
        let ids = plain.keys.sorted()
        let id = ids[dice.roll(ids.count)]
        let other = ids[dice.roll(ids.count)]
        guard let cell = live[id], let otherCell = live[other], var model = plain[id] else { return }
        switch dice.roll(14) {
        case 0, 1, 2:
            last += 1
            let new = last
            let made = realm.create(Cell.self, value: ["id": new, "age": new % 7])
            live[new] = made
            plain[new] = Plain(id: new)
            plain[new]?.age = new % 7
            return
        case 3 where id != 0:
            realm.delete(cell)
            (plain[id], live[id]) = (nil, nil)
            for key in plain.keys {
                plain[key]?.friends.removeAll { $0 == id }
                if plain[key]?.next == id { plain[key]?.next = nil }
            }
            return
        case 4: (cell.name, model.name) = ("n\(other)", "n\(other)")
        case 5:
            let age = dice.roll(4) == 0 ? nil : dice.roll(9)
            (cell.age, model.age) = (age, age)
        case 6: (cell.next, model.next) = (otherCell, other)
        case 7: (cell.next, model.next) = (nil, nil)
        case 8:
            let (index, value) = (dice.roll(model.numbers.count + 1), dice.roll(1_000_000))
            cell.numbers.insert(value, at: index)
            model.numbers.insert(value, at: index)
        case 9 where model.numbers.count > 1:
            let (from, to) = (dice.roll(model.numbers.count), dice.roll(model.numbers.count))
            cell.numbers.move(from: from, to: to)
            model.numbers.insert(model.numbers.remove(at: from), at: to)
        case 10 where !model.numbers.isEmpty:
            let index = dice.roll(model.numbers.count)
            cell.numbers.remove(at: index)
            model.numbers.remove(at: index)
        case 11:
            if let index = model.friends.firstIndex(of: other) {
                cell.friends.remove(at: index)
                model.friends.remove(at: index)
            } else {
                cell.friends.append(otherCell)
                model.friends.append(other)
            }
        case 12:
            let tag = "t\(dice.roll(5))"
            if model.tags.contains(tag) { cell.tags.remove(tag) } else { cell.tags.insert(tag) }
            model.tags.formSymmetricDifference([tag])
        default:
            let key = "k\(dice.roll(5))"
            let price = dice.roll(3) == 0 ? nil : Double(dice.roll(100))
            cell.prices[key] = price
            model.prices[key] = price
        }
        plain[id] = model
    }
}
