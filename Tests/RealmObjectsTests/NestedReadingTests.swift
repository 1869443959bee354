import Expectations
import Foundation
import RealmObjects
import TestSupport
import Testing

class Shelf: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var content: AnyRealmValue
    @Persisted var list: List<AnyRealmValue>
    @Persisted var map: Map<String, AnyRealmValue>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Collections inside mixed values, read in part and at any depth.
@Suite struct NestedReadingTests {
    /// An expected value.
    private indirect enum Tree: Equatable {
        case int(Int)
        case text(String)
        case list([Tree])
        case map([String: Tree])

        /// Some collections are long; their elements are read one by one.
        static func random(_ dice: inout Seeded, depth: Int) -> Tree {
            let count = depth == 0 ? 300 : Int.random(in: 0..<(depth == 1 ? 90 : 5), using: &dice)
            switch depth > 3
                ? 0 : depth == 0 ? Int.random(in: 2...3, using: &dice) : Int.random(in: 0...3, using: &dice)
            {
            case 0: return .int(Int.random(in: 0..<1000, using: &dice))
            case 1: return .text(String(repeating: "text", count: Int.random(in: 0..<40, using: &dice)))
            case 2: return .list((0..<count).map { _ in random(&dice, depth: depth + 1) })
            default:
                var entries: [String: Tree] = [:]
                for number in 0..<count { entries["key \(number)"] = random(&dice, depth: depth + 1) }
                return .map(entries)
            }
        }

        var value: AnyRealmValue {
            switch self {
            case .int(let number): .int(number)
            case .text(let text): .string(text)
            case .list(let elements): .fromArray(elements.map(\.value))
            case .map(let entries): .fromDictionary(entries.mapValues(\.value))
            }
        }

        init(_ value: AnyRealmValue) {
            switch value {
            case .int(let number): self = .int(number)
            case .string(let text): self = .text(text)
            case .list(let list): self = .list(list.map { Tree($0) })
            case .dictionary(let map):
                self = .map(Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0, Tree($1)) }))
            default: self = .text("another value")
            }
        }

        /// Whether a value equals this one along a random path, with one element at each level.
        func isWay(_ value: AnyRealmValue, _ dice: inout Seeded) -> Bool {
            switch (self, value) {
            case (.int(let number), .int(let other)): return number == other
            case (.text(let text), .string(let other)): return text == other
            case (.list(let elements), .list(let list)):
                guard list.count == elements.count else { return false }
                guard let index = elements.indices.randomElement(using: &dice) else { return list.first == nil }
                return elements[index].isWay(list[index], &dice)
            case (.map(let entries), .dictionary(let map)):
                guard map.count == entries.count, map["no key"] == nil else { return false }
                guard let key = entries.keys.sorted().randomElement(using: &dice) else { return map.keys.isEmpty }
                guard let found = map[key], let entry = entries[key] else { return false }
                return entry.isWay(found, &dice)
            default: return false
            }
        }
    }

    /// Checks a shelf along random paths, and then all of it.
    private func check(_ shelf: Shelf, _ tree: Tree, _ dice: inout Seeded, _ state: String) {
        guard case .list(let elements) = tree else { return }
        let entries = Dictionary(uniqueKeysWithValues: elements.enumerated().map { ("\($0)", $1) })
        for _ in 0..<20 {
            let index = Int.random(in: 0..<elements.count, using: &dice)
            expect(tree.isWay(shelf.content, &dice), "\(state)")
            expect(elements[index].isWay(shelf.list[index], &dice), "\(state)")
            expectEqual(
                entries["\(index)"].flatMap { tree in shelf.map["\(index)"].map { tree.isWay($0, &dice) } }, true)
        }
        expectEqual(Tree(shelf.content), tree, "\(state)")
        expectEqual(Tree(.list(shelf.list)), tree, "\(state)")
        expectEqual(Tree(.dictionary(shelf.map)), .map(entries), "\(state)")
    }

    private static func tree(_ dice: inout Seeded) -> Tree {
        .list((0..<70).map { _ in Tree.random(&dice, depth: 1) } + [.list([]), .map([:])])
    }

    @Test(arguments: [nil, Data(0..<64)]) func `values read along a path equal the written ones`(key: Data?) throws {
        let file = TestRealm([Shelf.self])
        file.configuration.encryptionKey = key
        let realm = try file.open()
        var dice = Seeded(7)
        let shelf = Shelf()
        try realm.write { realm.add(shelf) }
        for round in 0..<2 {
            let tree = Self.tree(&dice)
            guard case .list(let elements) = tree else { continue }
            try realm.write {
                shelf.content = tree.value
                shelf.list.removeAll()
                shelf.map.removeAll()
                for (index, element) in elements.enumerated() {
                    shelf.list.append(element.value)
                    shelf.map["\(index)"] = element.value
                }
                check(shelf, tree, &dice, "\(round) in the transaction")
            }
            check(shelf, tree, &dice, "\(round) after it")
            check(shelf.freeze(), tree, &dice, "\(round) frozen")
            try realm.write {
                check(shelf, tree, &dice, "\(round) where nothing has changed")
                realm.create(Shelf.self, value: ["id": 10 + round])
                check(shelf, tree, &dice, "\(round) where something else has changed")
            }
        }
        _ = try file.verified()
    }

    @Test func `only the value at the path changes`() throws {
        let file = TestRealm([Shelf.self])
        let realm = try file.open()
        let shelf = Shelf(value: ["content": ["list": [Int](0..<3000), "map": [String: Int]()] as [String: Any]])
        try realm.write { realm.add(shelf) }
        try realm.write {
            for number in 0..<2000 {
                shelf.content.dictionaryValue?["key \(number)"] = .int(number)
                shelf.content.dictionaryValue?["map"]?.dictionaryValue?["k\(number % 7)"] = .int(number)
                if number % 100 == 0 { shelf.content.dictionaryValue?["list"]?.listValue?[number] = .string("new") }
            }
            expectEqual(shelf.content.dictionaryValue?["key 1999"], .int(1999))
        }
        let content = try #require(shelf.content.dictionaryValue)
        expectEqual(content.count, 2002)
        expect((0..<2000).allSatisfy { content["key \($0)"] == .int($0) })
        let map = try #require(content["map"]?.dictionaryValue)
        expectEqual(map.keys, (0..<7).map { "k\($0)" })
        expect((0..<7).allSatisfy { map["k\($0)"] == .int(1999 - (1999 - $0) % 7) })
        let list = try #require(content["list"]?.listValue)
        let expected = (0..<3000).map { $0 % 100 == 0 && $0 < 2000 ? AnyRealmValue.string("new") : .int($0) }
        expectEqual(Array(list), expected)
        _ = try file.verified()
    }

    @Test func `a collection is invalidated when another value replaces it`() throws {
        let realm = try TestRealm([Shelf.self]).open()
        let shelf = Shelf(value: ["content": ["inner": [1, 2, 3], "other": 1] as [String: Any]])
        try realm.write { realm.add(shelf) }
        let outer = try #require(shelf.content.dictionaryValue)
        let inner = try #require(outer["inner"]?.listValue)
        expect(inner.count == 3 && inner[2] == .int(3) && !inner.isInvalidated)
        // Through another instance.
        let same = try #require(realm.object(ofType: Shelf.self, forPrimaryKey: 0))
        try realm.write {
            same.content.dictionaryValue?["inner"] = .fromDictionary(["a": .int(1)])
            expect(inner.isInvalidated && inner.isEmpty && !outer.isInvalidated)
            expect(outer["inner"]?.listValue == nil && outer["inner"]?.dictionaryValue?["a"] == .int(1))
        }
        expect(inner.isInvalidated && inner.isEmpty && outer.count == 2)
        try realm.write { same.content = .fromArray([.int(7)]) }
        expect(outer.isInvalidated && outer.isEmpty && outer["other"] == nil)
        try realm.write { same.content = .none }
        expect(outer.isInvalidated && shelf.content == .none)
    }
}
