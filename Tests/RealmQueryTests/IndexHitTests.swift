import Expectations
import RealmCore
import RealmLayout
import RealmQuery
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Few objects found by an index, each in another cluster, have the value.
@Suite struct IndexHitTests {
    private static let count = 6000
    /// Each is the value of six objects, whose clusters contain many more.
    private static let values = 1000

    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Item",
            [
                PropertyDefinition("code", .int, index: .general),
                PropertyDefinition("rank", .int, isNullable: true, index: .general),
                PropertyDefinition("tiny", .string, index: .general),
                PropertyDefinition("short", .string, isNullable: true, index: .general),
                PropertyDefinition("name", .string, index: .general),
                PropertyDefinition("long", .string, index: .general),
                PropertyDefinition("time", .timestamp, index: .general),
                PropertyDefinition("id", .objectId, index: .general),
            ])
    ])

    /// Returns the value of each property of item `number`; nil for null.
    private static func value(_ number: Int) -> Int? {
        number % 997 == 5 ? nil : number &* 7919 % values
    }

    private static func texts(_ value: Int) -> [(property: String, text: String)] {
        [
            ("tiny", "\(value)"), ("short", "s\(value)"), ("name", "name \(value)"),
            ("long", "a name too long for others, \(value)"),
        ]
    }

    private static func build(_ key: EncryptionKey? = nil) throws -> (bytes: [UInt8], keys: [ObjectKey]) {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("items.realm"), key: key))
        var keys: [ObjectKey] = []
        for number in 0..<count {
            let value = value(number)
            var values: [String: NewValue] = [:]
            values["code"] = .int(Int64(value ?? -1) * 3 - 500)
            values["rank"] = value.map { .int(Int64($0)) } ?? .null
            for (property, text) in texts(value ?? Self.values) { values[property] = .string(text) }
            if value == nil { values["short"] = .null }
            values["time"] = Timestamp(seconds: Int64(value ?? -7), nanoseconds: 0).map { .timestamp($0) }
            let bytes = (0..<12).map { UInt8(truncatingIfNeeded: (value ?? -1) >> ($0 % 2 * 8)) }
            values["id"] = ObjectID(bytes).map { .objectId($0) }
            keys.append(try builder.add("Item", values).key)
        }
        try builder.finish()
        return (try #require(folder.bytes("items.realm")), keys)
    }

    /// Returns queries for a value, nil for null, that can each use an index.
    private static func queries(_ value: Int?) -> [(text: String, arguments: [QueryArgument])] {
        guard let value else { return [("rank == null", []), ("short == null", [])] }
        var queries: [(String, [QueryArgument])] = [
            ("code == \(value * 3 - 500)", []), ("rank == \(value)", []), ("time == T\(value):0", []),
            ("rank IN {\(value), \((value + 1) % values)}", []),
        ]
        queries += texts(value).map { ("\($0.property) == '\($0.text)'", []) }
        let bytes = (0..<12).map { UInt8(truncatingIfNeeded: value >> ($0 % 2 * 8)) }
        if let id = ObjectID(bytes) { queries.append(("id == $0", [.value(.objectId(id))])) }
        return queries
    }

    /// - Parameter keys: the keys of the items, nil for deleted ones.
    private func check(_ table: Table, _ keys: [ObjectKey?], _ name: String) throws {
        for wanted in Array(stride(from: 0, to: Self.values, by: 37)).map({ Int?($0) }) + [nil] {
            for (text, arguments) in Self.queries(wanted) {
                let isPair = text.contains("IN")
                let numbers = keys.indices.filter {
                    let value = Self.value($0)
                    return value == wanted || isPair && value == wanted.map { ($0 + 1) % Self.values }
                }
                let expected = numbers.compactMap { keys[$0] }
                let query = try ObjectQuery(text)
                let explanation = try table.explain(query, arguments: arguments)
                expect(explanation.index != nil, "\(name): \(text)")
                expectEqual(explanation.results.keys, expected, "\(name): \(text)")
                try expectEqual(table.objects(matching: query, arguments: arguments).keys, expected, "\(name): \(text)")
                try expectEqual(table.count(matching: query, arguments: arguments), expected.count, "\(name): \(text)")
            }
        }
    }

    @Test func `they are found in clusters of objects that were added in order`() throws {
        let (bytes, keys) = try Self.build()
        try check(try RealmDatabase(bytes: bytes).snapshot().table(named: "Item"), keys, "built")
    }

    @Test func `they are found after objects were removed, in a transaction and after it`() throws {
        let (bytes, built) = try Self.build()
        var keys: [ObjectKey?] = built
        let store = try RealmStore(bytes: bytes)
        try store.write { transaction in
            for number in keys.indices where number % 3 == 1 || (1000..<1300).contains(number) {
                if let key = keys[number] { try transaction.delete(ObjectReference("Item", key)) }
                keys[number] = nil
            }
            try check(try transaction.snapshot().table(named: "Item"), keys, "in the transaction")
        }
        try check(try store.snapshot().table(named: "Item"), keys, "behind the transaction")
    }

    @Test func `they are found in an encrypted file`() throws {
        let key = try EncryptionKey(bytes: [UInt8](repeating: 9, count: 64))
        let (bytes, keys) = try Self.build(key)
        let database = try RealmDatabase(source: ByteSource(bytes: bytes), key: key)
        try check(try database.snapshot().table(named: "Item"), keys, "encrypted")
    }

    /// For any damage to a file, an object has the value by which it is found; unreadable parts are an error, or found
    /// by a scan.
    @Test func `they have the requested value in damaged files`() throws {
        let (bytes, _) = try Self.build()
        var damaged = 0
        for (number, offset) in stride(from: 64, to: bytes.count - 8, by: 1208).enumerated() {
            var spoiled = bytes
            for index in 0..<8 {
                spoiled[offset + index] ^= number % 2 == 0 ? 0x55 : UInt8(index == number / 2 % 8 ? 1 : 0)
            }
            guard let table = try? RealmDatabase(bytes: spoiled).snapshot().table(named: "Item") else { continue }
            for (text, arguments) in Self.queries(number * 31 % Self.values) {
                guard let query = try? ObjectQuery(text),
                    let found = try? table.objects(matching: query, arguments: arguments).keys,
                    let same = try? table.objectsOneByOne(matching: query, arguments: arguments, among: found)
                else { continue }
                expectEqual(found, same, "\(offset): \(text)")
                damaged += 1
            }
        }
        expect(damaged > 1000)
    }
}
