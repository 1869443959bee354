import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport

/// A commit on a file written by Realm Core makes exactly the requested changes, according to the difference from the
/// original file.
@Suite struct KnownFileChangeTests {
    private static func today(_ file: KnownFile) -> Bool { file.isClustered && file.format == 24 }
    private static let fixtures = KnownFile.fixtures.filter(today)
    private static let corpus = Share.current.of(KnownFile.corpus.filter(today))

    @Test(arguments: fixtures)
    func `a commit on a fixture keeps everything else unchanged`(file: KnownFile) throws { try change(file) }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"), arguments: corpus)
    func `a commit on a corpus file keeps everything else unchanged`(file: KnownFile) throws { try change(file) }

    /// The expected changes of a class.
    private struct Expected {
        var changed: [ObjectKey: Set<String>] = [:]
        var added: Set<ObjectKey> = []
        var removed: Set<ObjectKey> = []
    }

    private func change(_ file: KnownFile) throws {
        let bytes = try file.bytes()
        let disk = try LyingDisk(bytes)
        let store: RealmStore
        do { store = try RealmStore(on: disk) } catch let error as FormatError {
            // Synchronised databases, and empty ones.
            expect([.synchronised, .noCommit].contains(error.code), "\(error)")
            return
        }
        let before = store.snapshot()
        var expected: [String: Expected] = [:]
        try store.write { transaction in
            for table in before.classes where table.schema.kind != .embedded {
                expected[table.name] = try Self.change(table, transaction)
            }
        }
        let after = try RealmDatabase(source: ByteSource(bytes: disk.bytes)).snapshot()
        let difference = try before.contentDifference(to: after, includesSystemTables: true, maximumObjects: .max)
        expect(difference.addedTables.isEmpty && difference.removedTables.isEmpty && difference.schemaVersions == nil)
        for table in difference.tables {
            let expected = expected[table.name] ?? Expected()
            var found = Expected()
            for object in table.objects {
                switch (object.kind, object.firstKey, object.secondKey) {
                case (.changed, let key?, _): found.changed[key] = Set(object.changes.map(\.property))
                case (.added, _, let key?): found.added.insert(key)
                case (.removed, let key?, _): found.removed.insert(key)
                default: Issue.record("a difference without an object")
                }
            }
            expect(table.schema.isEmpty && table.tombstones == 0, "\(table.name)")
            expectEqual(found.changed, expected.changed, "\(table.name)")
            expectEqual(found.added, expected.added, "\(table.name)")
            expectEqual(found.removed, expected.removed, "\(table.name)")
            expectEqual(
                table.equal, (try before.table(named: table.name).count) - found.changed.count - found.removed.count)
        }
        // The comparison of snapshots finds the same objects.
        let told = try store.snapshot().changes(since: before)
        for (name, expected) in expected {
            let table = told.table(named: name)
            expect(Set(table?.inserted ?? []) == expected.added && Set(table?.deleted ?? []) == expected.removed)
            expectEqual(Set((table?.modified ?? []).map(\.key)), Set(expected.changed.keys))
        }
        let known = Set(Self.findings(bytes))
        let new = try Self.findings(disk.bytes).filter { !known.contains($0) }
        expect(new.isEmpty, "\(new.prefix(5).joined(separator: "\n"))")
    }

    /// Returns findings without remarks, such as the footer of a streamed file that remains beyond its end.
    private static func findings(_ bytes: [UInt8]) -> [String] {
        Verification(level: .deep).run(on: ByteSource(bytes: bytes)).findings.filter { $0.severity > .info }
            .map { "\($0.check.rawValue) \($0.place)" }
    }

    /// Changes each property of an object in the middle, adds an object, and removes one.
    private static func change(_ table: Table, _ transaction: WriteTransaction) throws -> Expected {
        var expected = Expected()
        let total = try table.count
        // They are removed with their last link, which TombstoneTests cover.
        let hasTombstones = try table.snapshot.classes.contains { try $0.tombstoneCount > 0 }
        var objects = table.objects
        var row = 0
        while let object = try objects.next() {
            row += 1
            let reference = ObjectReference(table.name, object.key)
            if row == total / 2 + 1 {
                for property in table.schema.properties where property.name != table.schema.primaryKeyName {
                    guard let value = other(property, than: try object[property.name]) else { continue }
                    try transaction.set(reference, property.name, value)
                    expected.changed[object.key, default: []].insert(property.name)
                }
            } else if row == total, !hasTombstones, try isAlone(object) {
                try transaction.delete(reference)
                expected.removed.insert(object.key)
            }
        }
        var values: [String: NewValue] = [:]
        for property in table.schema.properties where property.collection == nil && !property.isTargetEmbedded {
            if property.type == .link { continue }
            values[property.name] = sample(property.type)
        }
        if let name = table.schema.primaryKeyName, let value = values[name],
            try transaction.object(table.name, primaryKey: value) != nil
        {
            return expected
        }
        expected.added.insert(try transaction.add(table.name, values).key)
        return expected
    }

    /// Whether an object has no backlinks and no embedded objects, so that deleting it deletes nothing else.
    private static func isAlone(_ object: StoredObject) throws -> Bool {
        guard try object.backlinkCount == 0 else { return false }
        return try object.table.schema.properties.allSatisfy { property in
            guard property.isTargetEmbedded else { return true }
            return switch try object[property.name] {
            case .null: true
            case .list(let elements), .set(let elements): elements.isEmpty
            case .dictionary(let entries): entries.isEmpty
            default: false
            }
        }
    }

    /// Returns another value for a property; nil for links, dictionaries, and collections in Mixed values.
    private static func other(_ property: StoredProperty, than value: RealmCore.Value) -> NewValue? {
        guard property.type != .link, let sample = sample(property.type) else { return nil }
        switch (property.collection, value) {
        case (nil, .list), (nil, .dictionary), (.dictionary?, _): return nil
        case (nil, .bool(let value)) where property.type == .bool: return .bool(!value)
        case (nil, _): return sample
        case (.list?, .list(let elements)), (.set?, .set(let elements)):
            return elements == [.bool(true)] ? .list([]) : .list([sample])
        default: return nil
        }
    }

    /// Returns a value that does not occur in any file.
    private static func sample(_ type: StoredPropertyType) -> NewValue? {
        switch type {
        case .int: .int(-770_077)
        case .bool: .bool(true)
        case .string: .string("what no file has")
        case .binary: .binary([7, 70, 0, 77])
        case .timestamp: Timestamp(seconds: 77, nanoseconds: 7).map { .timestamp($0) }
        case .float: .float(0.77)
        case .double: .double(0.7077)
        case .mixed: .string("what no file has")
        case .decimal128: .decimal128(Decimal128Bits(high: 0x3040_0000_0000_0000, low: 7_700_077))
        case .objectId: ObjectID([UInt8](repeating: 0x77, count: 12)).map { .objectId($0) }
        case .uuid: UUIDBytes([UInt8](repeating: 0x77, count: 16)).map { .uuid($0) }
        default: nil
        }
    }
}
