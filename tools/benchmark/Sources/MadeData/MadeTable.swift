public import RealmCore
internal import RealmLayout
public import RealmStore

/// The table for measuring queries and live objects: its values are derived from numbers.
public enum MadeTable {
    /// Its classes: items, each with an owner.
    public static let schema = SchemaDefinition([
        TableDefinition(
            class: "Item", primaryKey: "_id",
            [
                PropertyDefinition("_id", .int), PropertyDefinition("name", .string), PropertyDefinition("age", .int),
                PropertyDefinition("score", .double), PropertyDefinition("active", .bool),
                PropertyDefinition("time", .timestamp), PropertyDefinition("city", .string, index: .general),
                PropertyDefinition("owner", .link, target: "Owner"),
            ]),
        TableDefinition(class: "Owner", [PropertyDefinition("name", .string), PropertyDefinition("age", .int)]),
    ])

    /// The number of different values of `city`.
    public static let cities = 1000

    /// Returns numbers below the number of objects, each once, in mixed order.
    public static func primaryKey(_ number: Int, of count: Int) -> Int64 {
        Int64((number &* 7_368_787) % count)
    }

    /// Returns one of twelve names followed by a number.
    public static func name(_ random: UInt64, _ number: Int) -> String {
        let names = [
            "anna", "bela", "carl", "dora", "emil", "frida", "gustav", "hanna", "ivan", "jana", "karla", "lena",
        ]
        return "\(names[Int(random % UInt64(names.count))]) \((number &* 7919) % 1_000_003)"
    }

    /// Creates a file with `count` items.
    public static func write(_ count: Int, to path: String) throws {
        let builder = try RealmBuilder(schema, at: NewFile(path))
        var owners: [ObjectReference] = []
        for number in 0..<1000 {
            let age = Int64((number &* 389) % 1000)
            owners.append(try builder.add("Owner", ["name": .string("owner \(number)"), "age": .int(age)]))
        }
        var state: UInt64 = 1
        for number in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            try builder.add("Item", values(number, of: count, state >> 24, owners))
        }
        try builder.finish()
    }

    private static func values(
        _ number: Int, of count: Int, _ random: UInt64, _ owners: [ObjectReference]
    ) -> [String: NewValue] {
        let time = Timestamp(seconds: 1_600_000_000 + Int64(random % 100_000_000), nanoseconds: 0)
        var values: [String: NewValue] = [:]
        values["_id"] = .int(primaryKey(number, of: count))
        values["name"] = .string(name(random, number))
        values["age"] = .int(Int64(random % 97))
        values["score"] = .double(Double((random >> 7) % 1_000_000) / 1000)
        values["active"] = .bool(random & 1 == 1)
        values["time"] = time.map { .timestamp($0) }
        values["city"] = .string("city\(random % UInt64(cities))")
        values["owner"] = .link(owners[Int((random >> 5) % 1000)])
        return values
    }
}
