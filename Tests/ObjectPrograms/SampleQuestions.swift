import RealmObjects

/// Queries on all objects, answered by the realm and by the model in memory.
enum SampleQuestions {
    private static func found(_ world: World, _ name: String, _ ids: [Int], _ expected: (Record) -> Bool) {
        let wanted = world.records.filter { expected($0.value) }.keys.sorted()
        world.tally.values += world.records.count
        world.expect(ids.sorted() == wanted, "\(name) are \(ids.sorted()) instead of \(wanted)")
    }

    private static func distinct<V: SampleValue>(
        _ world: World, _ all: Results<Sample>, _ name: String, _ path: KeyPath<Sample, V>
    ) {
        let values = Array(all.distinct(by: [name]).map { $0[keyPath: path].plain })
        let known = Set(world.records.values.map { $0[name] ?? .null })
        world.expect(
            values.count == known.count && Set(values) == known, "values of \(name) are \(values), not \(known)")
    }

    static func ask(_ world: World) {
        let all = world.realm.objects(Sample.self)
        let number = world.dice.roll(9)
        let id = world.dice.one(of: world.ids)
        switch world.dice.roll(16) {
        case 0:
            found(world, "age > \(number)", all.where { $0.age > number }.map(\.id)) {
                $0["age"]?.int.map { $0 > number } ?? false
            }
        case 1: found(world, "age == nil", all.where { $0.age == nil }.map(\.id)) { $0["age"] == .null }
        case 2:
            found(world, "name t", all.filter("name == %@", "t\(number)").map(\.id)) {
                $0["name"] == .text("t\(number)")
            }
        case 3:
            found(world, "numbers with \(number)", all.filter("ANY numbers == %@", number).map(\.id)) {
                $0["numbers"]?.list.contains(.int(number)) ?? false
            }
        case 4:
            found(world, "friends of \(id)", all.filter("ANY friends.id == %@", id).map(\.id)) {
                $0["friends"]?.list.contains(.object(id)) ?? false
            }
        case 5: found(world, "next \(id)", all.where { $0.next.id == id }.map(\.id)) { $0["next"] == .object(id) }
        case 6:
            found(world, "friends.@count", all.filter("friends.@count > %@", number % 3).map(\.id)) {
                ($0["friends"]?.list.count ?? 0) > number % 3
            }
        case 7:
            found(world, "striped", all.where { $0.kind == .striped }.map(\.id)) { $0["kind"] == .text("striped") }
        case 8:
            let ages = world.records.values.compactMap { $0["age"]?.int }
            let sum: Int = all.sum(ofProperty: "age")
            let (low, high): (Int?, Int?) = (all.min(ofProperty: "age"), all.max(ofProperty: "age"))
            world.expect(
                sum == ages.reduce(0, +) && low == ages.min() && high == ages.max(),
                "\(sum) \(low ?? -1) \(high ?? -1) of \(ages)")
        case 9:
            let sorted = all.sorted(by: [
                SortDescriptor(keyPath: "name", ascending: false), SortDescriptor(keyPath: "id"),
            ]).map(\.id)
            let expected = world.ids.sorted { left, right in
                guard let first = world.records[left]?["name"]?.utf8, let second = world.records[right]?["name"]?.utf8
                else { return false }
                return first == second ? left < right : second.lexicographicallyPrecedes(first)
            }
            world.expect(Array(sorted) == expected, "sorted are \(sorted) instead of \(expected)")
        case 10: distinct(world, all, "age", \.age)
        case 11:
            let limit = Double.random(world)
            found(world, "double > \(limit)", all.where { $0.double > limit }.map(\.id)) {
                $0["double"]?.double.map { $0 > limit } ?? false
            }
        case 12:
            let text = String.random(world)
            found(world, "comment \(text)", all.where { $0.comment == text }.map(\.id)) { $0["comment"] == .text(text) }
            found(world, "texts with \(text)", all.where { $0.texts.contains(text) }.map(\.id)) {
                $0["texts"]?.list.contains(.text(text)) ?? false
            }
        case 13: distinct(world, all, "comment", \.comment)
        case 14: distinct(world, all, "double", \.double)
        default:
            found(world, "pieces", all.filter("ANY pieces.weight == %@", number).map(\.id)) {
                $0["pieces"]?.list.contains { $0.piece["weight"] == .int(number) } ?? false
            }
        }
    }
}
