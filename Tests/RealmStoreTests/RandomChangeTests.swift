import Expectations
import RealmCore
import RealmLayout
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport
import WriterTestSupport

/// The changes of random transactions, compared with all values of both snapshots.
@Suite struct RandomChangeTests {
    @Test(arguments: Share.current.of(UInt64(300)...339))
    func `exactly the changes that were made are reported`(seed: UInt64) throws {
        var program = try RandomProgram(seed: seed)
        var earlier: [(snapshot: Snapshot, content: [String: ReadTable])] = []
        for round in 0..<7 {
            let snapshot = program.snapshot()
            let content = try ReadTable.all(of: snapshot)
            for (old, oldContent) in earlier {
                try ReadTable.compare(snapshot.changes(since: old), oldContent, content, "seed \(seed), round \(round)")
                // And in the opposite direction.
                try ReadTable.compare(old.changes(since: snapshot), content, oldContent, "seed \(seed), round \(round)")
            }
            earlier.append((snapshot, content))
            try program.transaction(operations: [1, 3, 20, 2, 200, 1, 400][round])
        }
    }
}

/// All values of a table as text, by object key and property.
private struct ReadTable {
    var objects: [ObjectKey: [String: [String]]] = [:]
    /// Properties that are lists: their text is an entry for each element.
    var lists: Set<String> = []

    static func all(of snapshot: Snapshot) throws -> [String: ReadTable] {
        var tables: [String: ReadTable] = [:]
        for table in snapshot.tables {
            var found = ReadTable()
            found.lists = Set(table.schema.properties.filter { $0.collection == .list }.map(\.name))
            var objects = table.objects
            while let object = try objects.next() {
                for property in table.schema.properties {
                    let value = try object[property.name]
                    if case .list(let elements) = value, found.lists.contains(property.name) {
                        found.objects[object.key, default: [:]][property.name] = elements.map(text)
                    } else {
                        found.objects[object.key, default: [:]][property.name] = [text(value)]
                    }
                }
            }
            tables[table.name] = found
        }
        return tables
    }

    private static func text(_ value: RealmCore.Value) -> String {
        switch value {
        case .link(let link): "link \(link.table.name)#\(link.objectKey)"
        case .embedded(let object): "embedded \(object.table.name)#\(object.key)"
        case .list(let elements): "list \(elements.map(text))"
        case .set(let elements): "set \(elements.map(text).sorted())"
        case .dictionary(let entries): "dictionary \(entries.map { text($0.key) + ": " + text($0.value) }.sorted())"
        case .string(let text): "string \(Array(text.utf8))"
        case .malformedString(let bytes): "string \(bytes)"
        case .binary(let bytes): "binary \(bytes)"
        case .float(let number): "float \(number.bitPattern)"
        case .double(let number): "double \(number.bitPattern)"
        case .decimal128(let bits): "decimal \(bits.high) \(bits.low)"
        case .timestamp(let time): "time \(time.seconds) \(time.nanoseconds)"
        case .int(let number): "int \(number)"
        case .bool(let value): "bool \(value)"
        case .objectId(let id): "id \(id)"
        case .uuid(let id): "uuid \(id)"
        case .null: "null"
        }
    }

    static func compare(
        _ changes: SnapshotChanges, _ old: [String: ReadTable], _ new: [String: ReadTable], _ place: Comment
    ) throws {
        expect(changes.addedTables.isEmpty && changes.removedTables.isEmpty, place)
        expectEqual(changes.schemaVersions, nil, place)
        for (name, after) in new {
            let before = try #require(old[name])
            let told = changes.table(named: name)
            let inserted = after.objects.keys.filter { before.objects[$0] == nil }.sorted()
            try #require(told?.inserted ?? [] == inserted, place)
            let deleted = before.objects.keys.filter { after.objects[$0] == nil }.sorted()
            try #require(told?.deleted ?? [] == deleted, place)
            expect(told?.schema.isEmpty ?? true, place)
            var modified: [ObjectKey: [String: ListChanges?]] = [:]
            for object in told?.modified ?? [] {
                for property in object.properties {
                    modified[object.key, default: [:]][property.name] = .some(property.elements)
                }
            }
            expectEqual((told?.modified ?? []).map(\.key), modified.keys.sorted(), place)
            for (key, values) in after.objects {
                guard let oldValues = before.objects[key] else { continue }
                for (property, value) in values {
                    let oldValue = try #require(oldValues[property])
                    try #require(
                        (modified[key]?[property] != nil) == (value != oldValue), "\(place): \(name)#\(key).\(property)"
                    )
                    guard let change = modified[key]?[property] else { continue }
                    try #require((change != nil) == after.lists.contains(property), place)
                    if let change { try #require(change.applied(to: oldValue, new: value) == value, place) }
                }
            }
        }
    }
}

extension ListChanges {
    /// Returns the new list, derived from the old one; only inserted and modified elements are taken from the new one.
    func applied(to old: [String], new: [String]) -> [String] {
        var list: [String] = []
        let taken = Set(deletions).union(moves.map(\.old))
        // Unchanged and modified elements, in the old order.
        let staying = old.indices.filter { !taken.contains($0) }
        let modified = Dictionary(uniqueKeysWithValues: modifications.map { ($0.old, $0.new) })
        for index in staying { list.append(modified[index].map { new[$0] } ?? old[index]) }
        let coming = insertions.map { ($0, new[$0]) } + moves.map { ($0.new, old[$0.old]) }
        for (index, element) in coming.sorted(by: { $0.0 < $1.0 }) {
            guard index <= list.count else { return [] }
            list.insert(element, at: index)
        }
        return list
    }
}
