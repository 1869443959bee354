import Foundation
internal import RealmFile
internal import RealmQuery

/// Runs queries on everything in `bytes`. For any bytes, each ends within its budget with objects or an error.
///
/// - Returns: violations: objects for which both a condition and its negation hold, or neither does; a count that
///   differs from the number of objects; a query whose text is not parsed as the same query.
public func queryEverything(_ bytes: [UInt8]) -> [String] {
    var questions = Questions(seed: bytes.count, work: 20_000 + 16 * bytes.count)
    guard let database = try? RealmDatabase(bytes: bytes) else { return [] }
    for selection in [SnapshotSelection.current, .otherSlot] {
        guard let snapshot = try? database.snapshot(selection, toleratingDamage: true) else { continue }
        for table in snapshot.tables.prefix(Questions.mostTables) { questions.ask(all: table) }
    }
    return questions.violations
}

/// Parses `bytes` as a query, and runs it on a file of all types. Returns for any bytes.
///
/// - Returns: violations, as in `queryEverything`.
public func queryText(_ bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    var questions = Questions(seed: 0, work: 200_000)
    for table in QuestionedFile.tables { questions.ask(text, table) }
    return questions.violations
}

private struct Questions {
    static let mostTables = 20
    private static let mostProperties = 12

    /// Selects the queries.
    private var seed: Int
    private let options: QueryOptions
    private(set) var violations: [String] = []

    init(seed: Int, work: Int) {
        self.seed = seed
        options = QueryOptions(usesIndexes: false, budget: QueryBudget(work: work, results: 100_000))
    }

    /// Queries on a property; `?` is its name.
    private static let forms = [
        "? == NULL", "? != NULL SORT(? ASC)", "? > 0", "? <= 1.5 LIMIT(3)", "? BEGINSWITH 'a'", "? CONTAINS[c] 'E'",
        "? LIKE '*a?*'", "? IN {1, 'a', NULL}", "? == true DISTINCT(?)", "ANY ? > 1", "ALL ? == 'a'", "NONE ? != NULL",
        "?.@count > 0", "?.@type == 'string'", "?.@sum > 1", "?.@max <= 2", "?[0] == 1", "?['a'] != 'b'",
        "?.@keys == 'a'",
        "?[*][FIRST].@type == 'int'", "? > T0:0", "? == uuid(00000000-0000-0000-0000-000000000000)",
        "? TEXT 'word wo*'",
        "? GEOWITHIN geoCircle([1, 2], 0.5)", "SUBQUERY(?, $x, TRUEPREDICATE).@count > 1", "? != binary('a')",
        "TRUEPREDICATE SORT(? DESC) DISTINCT(?)", "? + 1 > ? * 2", "@links.@count > 0",
    ]

    /// Runs some queries on each property.
    mutating func ask(all table: Table) {
        for property in table.schema.properties.prefix(Self.mostProperties) {
            let name = property.name.replacingOccurrences(of: " ", with: "\\ ")
            for _ in 0..<2 {
                seed = (seed &* 5 &+ 3) % (1 << 20)
                ask(Self.forms[seed % Self.forms.count].replacingOccurrences(of: "?", with: name), table)
            }
            guard let target = property.target.flatMap({ table.snapshot.schema[tableNamed: $0] }) else { continue }
            for other in target.properties.prefix(2) {
                ask("\(name).\(other.name.replacingOccurrences(of: " ", with: "\\ ")) != NULL SORT(\(name) ASC)", table)
            }
        }
    }

    mutating func ask(_ text: String, _ table: Table) {
        guard let query = try? ObjectQuery(text) else { return }
        let written = query.description
        if (try? ObjectQuery(written)) != query {
            violations.append("'\(text)' prints '\(written)', which is read as another query")
        }
        guard let found = try? table.objects(matching: ObjectQuery(query.predicate), options: options).keys,
            let others = try? table.objects(matching: ObjectQuery(.not(query.predicate)), options: options).keys,
            let count = try? table.count
        else { return }
        if Set(found).intersection(others).count > 0 || found.count + others.count != count {
            violations.append("'\(text)' holds for \(found.count) of \(count), its opposite for \(others.count)")
        }
        if let counted = try? table.count(matching: ObjectQuery(query.predicate), options: options),
            counted != found.count
        {
            violations.append("'\(text)': \(found.count) objects are counted as \(counted)")
        }
        if let keys = try? table.objects(matching: query, options: options).keys,
            let walked = try? keysOneByOne(query, table), walked != keys
        {
            violations.append("'\(text)' finds \(keys.count) objects, one after the other \(walked.count)")
        }
        _ = try? table.explain(query, options: QueryOptions(budget: options.budget))
    }
}

extension Questions {
    private func keysOneByOne(_ query: ObjectQuery, _ table: Table) throws -> [ObjectKey] {
        var cursor = try table.cursor(matching: query, options: options)
        var keys: [ObjectKey] = []
        while let object = try cursor.next() { keys.append(object.key) }
        return keys
    }
}

extension StoredSchema {
    fileprivate subscript(tableNamed name: String) -> TableSchema? { tables.first { $0.tableName == name } }
}

/// A small file of all types, for texts that are queries.
private enum QuestionedFile {
    static let tables: [Table] = (try? make()) ?? []

    private static func make() throws -> [Table] {
        let path = FileManager.default.temporaryDirectory.appending(path: "queried-\(UUID().uuidString).realm").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let place = TableDefinition(
            class: "Point", kind: .embedded,
            [PropertyDefinition("type", .string), PropertyDefinition("coordinates", .double, collection: .list)])
        var properties = [PropertyDefinition("_id", .int)]
        for (name, type) in [
            ("i", StoredPropertyType.int), ("b", .bool), ("s", .string), ("d", .binary), ("t", .timestamp),
            ("f", .float),
            ("g", .double),
            ("n", .decimal128), ("o", .objectId), ("u", .uuid), ("m", .mixed),
        ] {
            properties.append(PropertyDefinition(name, type, isNullable: true, index: name == "s" ? .fullText : .none))
            properties.append(PropertyDefinition("l\(name)", type, isNullable: true, collection: .list))
            properties.append(PropertyDefinition("k\(name)", type, isNullable: true, collection: .dictionary(.string)))
        }
        properties += [
            PropertyDefinition("p", .link, target: "Thing"),
            PropertyDefinition("q", .link, collection: .list, target: "Thing"),
            PropertyDefinition("r", .link, collection: .dictionary(.string), target: "Thing"),
            PropertyDefinition("place", .link, target: "Point"),
        ]
        let schema = SchemaDefinition([place, TableDefinition(class: "Thing", primaryKey: "_id", properties)])
        let builder = try RealmBuilder(schema, at: NewFile(path))
        for number in 0..<20 {
            let texts = ["", "a", "Abc", "word and words", "ärger"]
            var values: [String: NewValue] = ["_id": .int(Int64(number))]
            if number % 4 > 0 {
                let link = NewValue.link(primaryKey: .int(Int64(number * 7 % 20)))
                values["i"] = .int(Int64(number) - 5)
                values["b"] = .bool(number % 3 == 0)
                values["s"] = .string(texts[number % 5])
                values["d"] = .binary([UInt8](texts[number % 5].utf8))
                values["f"] = .float(Float(number) / 2)
                values["g"] = .double(number == 7 ? .nan : Double(number) / 4)
                values["m"] = .dictionary(["a": .list([.int(1), .string("a"), .null]), "b": .double(2)])
                values["li"] = .list([.int(1), .null, .int(Int64(number))])
                values["ls"] = .list(texts.map { .string($0) })
                values["ks"] = .dictionary(["a": .string("x"), "b": .null])
                values["lm"] = .list([.int(1), .string("x"), .dictionary(["a": .int(Int64(number))])])
                values["p"] = link
                values["q"] = .list([link, link])
                values["r"] = .dictionary(["a": link])
                values["place"] = .embedded([
                    "type": .string("Point"), "coordinates": .list([.double(Double(number)), .double(1)]),
                ])
            }
            try builder.add("Thing", values)
        }
        try builder.finish()
        return try RealmDatabase(bytes: [UInt8](Data(contentsOf: URL(filePath: path)))).snapshot().tables
    }
}
