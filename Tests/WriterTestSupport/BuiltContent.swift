package import RealmCore
internal import RealmLayout
internal import RealmStore
internal import TestSupport

/// The input of a `RealmBuilder` and the content read from its file, in one form: a line for each value with all of its
/// bits, with the elements of sets and the entries of dictionaries in a fixed order.
package struct BuiltContent {
    /// By table and object key.
    private(set) var objects: [String: [Int64: [String]]] = [:]
    /// Primary keys as text, by table and object key; including tombstones.
    private var keys: [String: [String: Int64]] = [:]
    private var tables: [String: TableDefinition]

    /// Removes all objects, and continues with another schema.
    package mutating func restart(_ schema: SchemaDefinition) {
        tables = Dictionary(uniqueKeysWithValues: schema.tables.map { ($0.name, $0) })
        objects = Dictionary(uniqueKeysWithValues: schema.tables.map { ($0.name, [:]) })
    }

    /// Records that a class was renamed or removed.
    package mutating func rename(_ className: String, to newName: String?) {
        let known = keys.removeValue(forKey: className)
        if let newName { keys[newName] = known }
    }

    /// Removes tombstones without links.
    package mutating func forget(_ tombstones: Set<ObjectReference>) {
        for tombstone in tombstones {
            keys[tombstone.className] = keys[tombstone.className]?.filter { $0.value != tombstone.key.value }
        }
    }

    package init(_ schema: SchemaDefinition) {
        tables = Dictionary(uniqueKeysWithValues: schema.tables.map { ($0.name, $0) })
        for table in schema.tables { objects[table.name] = [:] }
    }

    // MARK: Input

    /// Records the object with a primary key: links are resolved only when all objects are known.
    package mutating func note(_ reference: ObjectReference, primaryKey: NewValue) {
        keys[reference.className, default: [:]][scalar(primaryKey)] = reference.key.value
    }

    package mutating func add(_ reference: ObjectReference, _ values: [String: NewValue]) {
        objects[reference.className, default: [:]][reference.key.value] = lines(values, tables[reference.className])
    }

    /// Returns the value with links by object key in place of links by primary key.
    package func resolved(_ value: NewValue, _ property: PropertyDefinition?) -> NewValue {
        switch value {
        case .primaryKeyLink(let name, let primaryKey):
            let target = name ?? property?.target.map { TableName.className(of: $0) } ?? ""
            return keys[target]?[scalar(primaryKey)].map { .link(ObjectReference(target, ObjectKey($0))) } ?? .null
        case .embedded(let values):
            let target = property?.target.flatMap { name in tables.values.first { $0.tableName == name } }
            return .embedded(resolved(values, target))
        case .list(let elements): return .list(elements.map { resolved($0, property) })
        case .dictionary(let entries):
            return .dictionary(entries.map { NewEntry($0.key, resolved($0.value, property)) })
        default: return value
        }
    }

    /// Returns the values of an object with links by object key.
    package func resolved(_ values: [String: NewValue], _ table: TableDefinition?) -> [String: NewValue] {
        var resolved: [String: NewValue] = [:]
        for (name, value) in values {
            resolved[name] = self.resolved(value, table?.properties.first { $0.name == name })
        }
        return resolved
    }

    /// Replaces the objects of the input.
    package mutating func replaceObjects(_ values: [ObjectReference: [String: NewValue]]) {
        for name in objects.keys { objects[name] = [:] }
        for (reference, values) in values { add(reference, values) }
    }

    private func lines(_ values: [String: NewValue], _ table: TableDefinition?) -> [String] {
        guard let table else { return ["no such table"] }
        return table.properties.map { property in
            let value = values[property.name]
            return "\(property.name) = \(text(value ?? empty(property), property))"
        }.sorted(by: <)
    }

    private func empty(_ property: PropertyDefinition) -> NewValue {
        switch property.collection {
        case nil: .null
        case .list, .set: .list([])
        case .dictionary: .dictionary([NewEntry]())
        }
    }

    private func text(_ value: NewValue, _ property: PropertyDefinition?) -> String {
        switch value {
        case .embedded(let values):
            let target = property?.target.flatMap { name in tables.values.first { $0.tableName == name } }
            return "{\(lines(values, target).joined(separator: "; "))}"
        case .link(let reference): return "\(reference.className)#\(reference.key)"
        case .primaryKeyLink(let name, let primaryKey):
            let target = name ?? property?.target.map { TableName.className(of: $0) } ?? ""
            return "\(target)#\(keys[target]?[scalar(primaryKey)].map { "\($0)" } ?? "nothing")"
        case .list(let elements):
            let texts = elements.map { text($0, property) }
            guard property?.collection == .set else { return "[\(texts.joined(separator: ", "))]" }
            return Self.unordered("set", Set(texts))
        case .dictionary(let entries):
            return Self.unordered("dictionary", entries.map { "\(scalar($0.key)): \(text($0.value, property))" })
        default: return scalar(value)
        }
    }

    private func scalar(_ value: NewValue) -> String {
        switch value {
        case .int(let number): "int \(number)"
        case .bool(let value): "bool \(value)"
        case .string(let text): "string \(Self.digits(Array(text.utf8)))"
        case .malformedString(let bytes): "string \(Self.digits(bytes))"
        case .binary(let bytes): "binary \(Self.digits(bytes))"
        case .timestamp(let time): "timestamp \(time.seconds) \(time.nanoseconds)"
        case .float(let number): "float \(number.bitPattern)"
        case .double(let number): "double \(number.bitPattern)"
        case .decimal128(let number): "decimal \(number.high) \(number.low)"
        case .objectId(let id): "objectId \(id)"
        case .uuid(let id): "uuid \(id)"
        default: "null"
        }
    }

    // MARK: Reading

    /// Reads the classes of a file, and tombstones.
    package init(_ snapshot: Snapshot, _ schema: SchemaDefinition) throws {
        self.init(schema)
        for table in snapshot.tables where tables[table.name] != nil {
            var objects: [Int64: [String]] = [:]
            var cursor = table.objects
            while let object = try cursor.next() { objects[object.key.value] = try lines(object) }
            if table.schema.kind != .embedded { self.objects[table.name] = objects }
            var tombstones = table.tombstones
            while table.schema.primaryKeyName != nil, let tombstone = try tombstones.next() {
                keys[table.name, default: [:]][scalar(try tombstone.primaryKey ?? .null)] = tombstone.key.value
            }
        }
    }

    /// Returns the keys of tombstones by the text of their primary keys.
    package func tombstones(_ className: String) -> [String: Int64] {
        keys[className, default: [:]].filter { $0.value < 0 }
    }

    private func lines(_ object: StoredObject) throws -> [String] {
        try object.table.schema.properties.map { "\($0.name) = \(try text(object[$0.name]))" }.sorted(by: <)
    }

    private func text(_ value: Value) throws -> String {
        switch value {
        case .embedded(let object): return "{\(try lines(object).joined(separator: "; "))}"
        case .link(let link): return "\(link.table.name)#\(link.objectKey)"
        case .list(let elements): return "[\(try elements.map { try text($0) }.joined(separator: ", "))]"
        case .set(let elements): return Self.unordered("set", try elements.map { try text($0) })
        case .dictionary(let entries):
            return Self.unordered("dictionary", try entries.map { "\(scalar($0.key)): \(try text($0.value))" })
        default: return scalar(value)
        }
    }

    private func scalar(_ value: Value) -> String {
        switch value {
        case .int(let number): "int \(number)"
        case .bool(let value): "bool \(value)"
        case .string(let text): "string \(Self.digits(Array(text.utf8)))"
        case .malformedString(let bytes): "string \(Self.digits(bytes))"
        case .binary(let bytes): "binary \(Self.digits(bytes))"
        case .timestamp(let time): "timestamp \(time.seconds) \(time.nanoseconds)"
        case .float(let number): "float \(number.bitPattern)"
        case .double(let number): "double \(number.bitPattern)"
        case .decimal128(let number): "decimal \(number.high) \(number.low)"
        case .objectId(let id): "objectId \(id)"
        case .uuid(let id): "uuid \(id)"
        default: "null"
        }
    }

    // MARK: Both

    /// Returns elements in a fixed order, by their bytes.
    private static func unordered(_ name: String, _ elements: some Sequence<String>) -> String {
        "\(name) [\(elements.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: ", "))]"
    }

    /// Returns bytes as digits; for very many bytes, their number and a checksum of all of them.
    private static func digits(_ bytes: [UInt8]) -> String {
        guard bytes.count > 65536 else { return Hexadecimal.text(bytes) }
        let sum = bytes.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return "\(bytes.count) bytes \(sum)"
    }

    /// All lines, each prefixed with its object.
    package var text: [String] {
        objects.flatMap { name, objects in
            objects.flatMap { key, lines in
                lines.isEmpty ? ["\(name)#\(key)"] : lines.map { "\(name)#\(key).\($0)" }
            }
        }
    }

    /// Returns the first differences between the content read and the input.
    package func differences(to found: BuiltContent) -> [String] {
        var differences: [String] = []
        for (name, table) in tables.sorted(by: { $0.key < $1.key }) where table.kind != .embedded {
            let (expected, read) = (objects[name] ?? [:], found.objects[name] ?? [:])
            for key in Set(expected.keys).union(read.keys).sorted() where expected[key] != read[key] {
                let (left, right) = (expected[key] ?? ["no object"], read[key] ?? ["no object"])
                let first = zip(left, right).first { $0 != $1 }
                differences.append(
                    "\(name)#\(key): \(first?.0.prefix(400) ?? "…") became \(first?.1.prefix(400) ?? "…")")
            }
            if tombstones(name) != found.tombstones(name) {
                differences.append("\(name): tombstones \(tombstones(name)) became \(found.tombstones(name))")
            }
        }
        return differences
    }
}
