import Foundation
import RealmFile

/// The classes for measuring transactions: persons, whose values are derived from their numbers, and their thousand
/// owners.
enum PersonTable {
    static let owners = 1000
    private static let cities = (0..<500).map { "City \($0)" }

    static let schema = SchemaDefinition([
        TableDefinition(
            class: "Person", primaryKey: "_id",
            [
                PropertyDefinition("_id", .int), PropertyDefinition("name", .string), PropertyDefinition("age", .int),
                PropertyDefinition("score", .double), PropertyDefinition("flag", .bool),
                PropertyDefinition("time", .timestamp), PropertyDefinition("city", .string, index: .general),
                PropertyDefinition("owner", .link, target: "Owner"),
            ]),
        TableDefinition(
            class: "Owner", primaryKey: "_id",
            [PropertyDefinition("_id", .int), PropertyDefinition("name", .string)]),
    ])

    static func values(_ id: Int, _ owner: ObjectReference) -> [String: NewValue] {
        [
            "_id": .int(Int64(id)), "name": .string("Person \(id)"), "age": .int(Int64(id % 90)),
            "score": .double(Double(id) * 0.5), "flag": .bool(id % 3 == 0),
            "time": Timestamp(seconds: 1_600_000_000 + Int64(id), nanoseconds: 0).map { .timestamp($0) } ?? .null,
            "city": .string(cities[(id &* 7919) % cities.count]), "owner": .link(owner),
        ]
    }

    /// Adds a person with the same values, as a literal.
    static func add(_ id: Int, _ owner: ObjectReference, to transaction: WriteTransaction) throws {
        _ = try transaction.add(
            "Person",
            [
                "_id": .int(Int64(id)), "name": .string("Person \(id)"), "age": .int(Int64(id % 90)),
                "score": .double(Double(id) * 0.5), "flag": .bool(id % 3 == 0),
                "time": Timestamp(seconds: 1_600_000_000 + Int64(id), nanoseconds: 0).map { .timestamp($0) } ?? .null,
                "city": .string(cities[(id &* 7919) % cities.count]), "owner": .link(owner),
            ])
    }

    /// The properties of a person, in the order of `ordered(_:_:)`.
    static let names = ["_id", "name", "age", "score", "flag", "time", "city", "owner"]

    static func ordered(_ id: Int, _ owner: ObjectReference) -> [NewValue] {
        [
            .int(Int64(id)), .string("Person \(id)"), .int(Int64(id % 90)), .double(Double(id) * 0.5),
            .bool(id % 3 == 0),
            Timestamp(seconds: 1_600_000_000 + Int64(id), nanoseconds: 0).map { .timestamp($0) } ?? .null,
            .string(cities[(id &* 7919) % cities.count]), .link(owner),
        ]
    }

    /// Creates a file with the owners and without persons.
    static func make(at path: String) throws {
        var file = NewFile(path)
        file.overwrite = true
        let builder = try RealmBuilder(schema, at: file)
        for id in 0..<owners { try builder.add("Owner", ["_id": .int(Int64(id)), "name": .string("Owner \(id)")]) }
        try builder.finish()
    }

    /// Returns the owners, by number.
    static func owners(_ transaction: WriteTransaction) throws -> [ObjectReference] {
        try (0..<owners).map { try found(transaction.object("Owner", primaryKey: .int(Int64($0)))) }
    }

    /// Sets the score of a person.
    static func update(_ id: Int, _ score: Double, in transaction: WriteTransaction) throws {
        try transaction.set(found(transaction.object("Person", primaryKey: .int(Int64(id)))), "score", .double(score))
    }

    /// Removes a person.
    static func remove(_ id: Int, in transaction: WriteTransaction) throws {
        try transaction.delete(found(transaction.object("Person", primaryKey: .int(Int64(id)))))
    }

    private static func found(_ object: ObjectReference?) throws -> ObjectReference {
        guard let object else { throw CocoaError(.coderValueNotFound) }
        return object
    }
}

/// Reproducible random numbers (SplitMix64).
struct SameNumbers: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
