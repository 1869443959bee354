import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmObjects
import TestSupport
import Testing

/// Live objects of real files show the content that the reader finds; `TruthTests` compare the reader with dumps of
/// Realm Core.
struct KnownContentTests {
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures)
    func `objects of a fixture have the stored values`(_ known: KnownFile) throws { try check(known) }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"), arguments: KnownFile.corpusSample)
    func `objects of a corpus file have the stored values`(_ known: KnownFile) throws {
        // A test build wrote this file, whose links do not resolve for other readers: Realm Core cannot read its own
        // upgrade of it either.
        guard known.isPlain, known.name != "upstream/test_upgrade_database_4_10_to_11" else { return }
        try check(known)
    }

    /// In a file that is read only, in a copy open for writing, and in a transaction that has made a change.
    private func check(_ known: KnownFile) throws {
        let file = TestRealm([])
        try FileManager.default.copyItem(at: known.url, to: URL(filePath: file.path))
        file.configuration.schemaVersion = (try? schemaVersionAtURL(known.url)) ?? 0
        defer {
            for format in 2..<24 { try? FileManager.default.removeItem(atPath: file.path + ".format-\(format).backup") }
        }
        var reading = file.configuration
        reading.readOnly = true
        try {
            let realm = try Realm(configuration: reading)
            try compare(realm, StoredContent(try RealmDatabase(path: file.path).snapshot()))
        }()
        let realm: Realm
        do { realm = try file.open() } catch let error as Realm.Error where "\(error)".contains("synchroni") { return }
        let content = StoredContent(try RealmDatabase(path: file.path).snapshot())
        try compare(realm, content)
        realm.beginWrite()
        defer { realm.cancelWrite() }
        if changeNothing(realm, content) { try compare(realm, content) }
    }

    /// Sets a number to its current value.
    private func changeNothing(_ realm: Realm, _ content: StoredContent) -> Bool {
        for table in content.snapshot.classes where table.schema.kind == .topLevel {
            let property = table.schema.properties.first {
                $0.type == .int && $0.collection == nil && !$0.isNullable && $0.name != table.schema.primaryKey?.name
            }
            guard let property, let object = realm.dynamicObjects(table.schema.name).first else { continue }
            object[property.name] = object[property.name]
            return true
        }
        return false
    }

    private func compare(_ realm: Realm, _ content: StoredContent) throws {
        for table in content.snapshot.classes where table.schema.kind == .topLevel {
            let (objects, stored) = (realm.dynamicObjects(table.schema.name), try content.objects(of: table))
            expectEqual(objects.count, stored.count)
            for (index, expected) in stored.enumerated() where index < 300 || index % 97 == 0 {
                let (shown, expected) = (try ShownContent(realm).text(objects[index]), try content.text(expected))
                guard shown != expected else { continue }
                Issue.record("\(table.schema.name) \(index): \(shown) is not \(expected)")
                return
            }
        }
    }
}

/// The content of a file in one form, according to the reader, without links to tombstones.
private final class StoredContent {
    let snapshot: Snapshot
    private var known: [String: [StoredObject]] = [:]
    private var places: [String: [ObjectKey: Int]] = [:]

    init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    func objects(of table: Table) throws -> [StoredObject] {
        if let objects = known[table.schema.name] { return objects }
        var (objects, cursor) = ([StoredObject](), table.objects)
        while let object = try cursor.next() { objects.append(object) }
        known[table.schema.name] = objects
        return objects
    }

    private func place(_ key: ObjectKey, _ table: Table) throws -> Int {
        let name = table.schema.name
        if places[name] == nil {
            let keys = try objects(of: table).map(\.key)
            places[name] = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
        }
        return places[name]?[key] ?? -1
    }

    func text(_ object: StoredObject) throws -> String {
        let properties = object.table.schema.properties.enumerated().sorted { $0.element.name < $1.element.name }
        let values = try properties.map { index, property in
            "\(property.name): \(try text(shown(object.value(at: index), property)))"
        }
        return "{\(values.joined(separator: ", "))}"
    }

    /// Returns the visible part of a value: in lists and sets of objects, those that exist.
    private func shown(_ value: Value, _ property: StoredProperty) -> Value {
        func isThere(_ element: Value) -> Bool {
            if case .link(let link) = element { !link.isUnresolved } else { true }
        }
        return switch value {
        case .list(let elements) where property.type == .link: .list(elements.filter(isThere))
        case .set(let elements) where property.type == .link: .set(elements.filter(isThere))
        default: value
        }
    }

    private func text(_ value: Value) throws -> String {
        switch value {
        case .null: return "null"
        case .int(let number): return "int \(number)"
        case .bool(let truth): return "\(truth)"
        case .string(let string): return string.debugDescription
        case .malformedString(let bytes): return String(decoding: bytes, as: UTF8.self).debugDescription
        case .binary(let bytes): return Content.text(Data(bytes))
        case .timestamp(let time):
            let sinceReference = Double(time.seconds) - Date.timeIntervalBetween1970AndReferenceDate
            return Content.text(
                Date(timeIntervalSinceReferenceDate: sinceReference + Double(time.nanoseconds) / 1_000_000_000))
        case .float(let number): return Content.text(Double(number))
        case .double(let number): return Content.text(number)
        case .decimal128(let number): return Content.text(try Decimal128(string: number.description))
        case .objectId(let id): return "id \(id)"
        case .uuid(let bytes): return "uuid \(bytes)".lowercased()
        case .link(let link):
            return link.isUnresolved ? "null" : "\(link.table.schema.name) \(try place(link.objectKey, link.table))"
        case .embedded(let object): return try text(object)
        case .list(let values): return "[\(try values.map { try text($0) }.joined(separator: ", "))]"
        case .set(let values): return "<\(try values.map { try text($0) }.sorted().joined(separator: ", "))>"
        case .dictionary(let entries):
            let lines = try entries.map { try "\(text($0.key)): \(text($0.value))" }
            return "(\(lines.sorted().joined(separator: ", ")))"
        }
    }
}
