import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import TestSupport
import Testing

/// Two files with the same content have the same hash and no difference; files with different content have neither.
@Suite struct ContentDifferenceTests {
    /// Files with the same content in other formats, forms, or encrypted.
    private static let groups = [
        ["format-20-people", "Encrypted/format-20-people", "Encrypted/format-21-people"],
        ["Legacy/format-9-people", "Encrypted/format-9-people"],
        ["Legacy/format-3-row-stream", "Legacy/format-8-row-stream"],
        ["Legacy/format-4-dates", "Legacy/format-5-dates", "Legacy/format-9-dates"],
        ["empty-new", "Legacy/format-5-empty-stream", "format-23-empty-stream", "Encrypted/empty"],
    ]

    /// The same in the corpus.
    private static let corpusGroups = [
        ["v4-enums", "v6-enums", "v7-enums", "v8-enums", "v9-enums"],
        ["v4-widths", "v5-widths", "v6-widths", "v7-widths", "v8-widths"],
        ["v10-widths", "v21-widths", "v22-widths", "v23-widths"],
        ["cluster-1000", "v11-rows-1000", "v20-rows-1000", "v21-rows-1000", "v22-rows-1000", "v23-rows-1000"],
        ["v10-shapes", "v11-shapes", "v20-shapes", "v21-shapes", "v22-shapes", "v23-shapes"],
        ["commits-1501", "commits-writecopy"],
        ["v23-nohistory", "v23-scalars-stream"],
        ["v5-nohistory", "v5-scalars-stream", "v6-nohistory", "v6-scalars-stream"],
        ["v20-people", "v20-encrypted-people", "v21-people", "v21-encrypted-people"],
        ["v10-rows-70000-gaps", "v22-rows-70000-gaps"],
        ["v21-primitive-lists", "v22-primitive-lists"],
        ["v5-enums-large", "v9-enums-large"],
        ["v4-subtables", "v9-subtables"],
    ]

    @Test func `files with the same content have the same hash and no difference`() throws {
        try compare(Self.groups.map { try $0.map { try KnownFile.fixture($0) } })
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `corpus files with the same content have the same hash and no difference`() throws {
        try compare(
            Self.corpusGroups.map { names in
                try names.map { name in
                    try #require(KnownFile.corpus.first { $0.name.hasSuffix("/\(name)") }, "\(name)")
                }
            })
    }

    private func compare(_ groups: [[KnownFile]]) throws {
        let snapshots = try groups.map { try $0.map { try ContentHashTests.snapshot(of: $0) } }
        for identity in ContentIdentity.allCases {
            var totals: Set<ContentDigest> = []
            for (group, files) in zip(snapshots, groups) {
                let total = try group[0].contentHash(by: identity).total
                expect(totals.insert(total).inserted, "\(files)")
                for (other, file) in zip(group, files).dropFirst() {
                    try expectEqual(other.contentHash(by: identity).total, total, "\(file)")
                    try expect(group[0].contentDifference(to: other, by: identity).isEmpty, "\(file)")
                }
            }
            for (group, next) in zip(snapshots, snapshots.dropFirst()) {
                try expect(!group[0].contentDifference(to: next[0], by: identity).isEmpty)
            }
        }
    }

    /// Formats 10 to 21 have object keys that are hashes of primary keys: the content is equal only when compared by
    /// primary key.
    @Test func `object keys that are hashes of primary keys are not compared`() throws {
        let old = try ContentHashTests.snapshot(of: KnownFile.fixture("Legacy/format-9-people"))
        let new = try ContentHashTests.snapshot(of: KnownFile.fixture("format-11-people"))
        try expectEqual(old.contentHash(by: .primaryKey).total, new.contentHash(by: .primaryKey).total)
        try expect(old.contentDifference(to: new, by: .primaryKey).isEmpty)
        let byKey = try old.contentDifference(to: new)
        let dogs = try #require(byKey.tables.first { $0.name == "Dog" })
        expect((dogs.added, dogs.removed, dogs.changed, dogs.equal) == (20, 20, 0, 0))
        let person = try #require(byKey.tables.first { $0.name == "Person" }?.objects.first)
        expect(person.changes.map(\.path) == ["dogs[0]"] && person.changes.map(\.property) == ["dogs"])
        expectEqual(person.changes.map(\.first), ["object 2, Dog(_id: \"dog-2\")"])
        expectEqual(person.changes.map(\.second), ["object 553555952980587171, Dog(_id: \"dog-2\")"])
    }

    // Every change of a byte

    /// After every change of a byte, the hash follows from the values in the public interface, and the difference
    /// contains exactly the objects and properties that are read differently.
    @Test(arguments: Victim.allCases)
    func `hash and differences match the public interface after every change of a byte`(of victim: Victim)
        throws
    {
        let original = try victim.bytes()
        let before = try RealmDatabase(bytes: original).snapshot()
        let content = try KnownContent(asReadFrom: before)
        let hash = try before.contentHash(includesSystemTables: true)
        // Not every place in large files; the step is odd so that it covers all bytes of a word.
        let spacing = original.count > 3000 ? Spacing.once : .every
        var counts = (read: 0, changed: 0, placed: 0)
        try victim.forEachByte(replacedBy: .lowestBitChanged, spacing) { bytes, _, what in
            guard let after = try? RealmDatabase(bytes: bytes).snapshot(toleratingDamage: true) else { return }
            do {
                guard let changed = try? KnownContent(asReadFrom: after) else { return }
                counts.read += 1
                for identity in ContentIdentity.allCases {
                    let expected = try ContentOracle(changed, byPrimaryKey: identity == .primaryKey)
                        .hashes(includingSystemTables: true)
                    let found = try after.contentHash(by: identity, includesSystemTables: true)
                    expectEqual(found.total.bytes, expected.total, "\(what), \(identity)")
                }
                let difference = try before.contentDifference(
                    to: after, includesSystemTables: true, maximumObjects: .max)
                let newHash = try after.contentHash(includesSystemTables: true)
                expectEqual(difference.isEmpty, (newHash.total == hash.total), "\(what)")
                if newHash.total != hash.total { counts.changed += 1 }
                guard let places = Places(content.dump, changed.dump) else { return }
                expectEqual(Places(difference), places, "\(what)")
                if !places.isEmpty { counts.placed += 1 }
            } catch {
                Issue.record("\(what): \(error)")
            }
        }
        // Small shares of small files may be empty.
        if Share.current.count <= Share.usualCount {
            expect(counts.read > 5 && counts.changed > 1 && counts.placed > 0, "\(counts)")
        }
    }
}

/// Differing objects, and the differing properties of objects in both files.
private struct Places: Equatable {
    var added: Set<String> = []
    var removed: Set<String> = []
    var changed: [String: Set<String>] = [:]

    var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

    /// The differences between the dumps; nil when the schemas differ.
    init?(_ first: TypedDump, _ second: TypedDump) {
        guard first.tables.map(\.name) == second.tables.map(\.name) else { return nil }
        for (table, other) in zip(first.tables, second.tables) {
            guard table.columns.map(\.name) == other.columns.map(\.name) else { return nil }
            let objects = Dictionary(table.objects.map { ($0.key, $0.values) }, uniquingKeysWith: { $1 })
            let others = Dictionary(other.objects.map { ($0.key, $0.values) }, uniquingKeysWith: { $1 })
            for (key, values) in objects {
                let name = "\(table.name) \(key)"
                guard let otherValues = others[key] else {
                    removed.insert(name)
                    continue
                }
                let properties = zip(table.columns, zip(values, otherValues))
                    .filter { $0.1.0.withoutOrder != $0.1.1.withoutOrder }.map(\.0.name)
                if !properties.isEmpty { changed[name] = Set(properties) }
            }
            for key in others.keys where objects[key] == nil { added.insert("\(table.name) \(key)") }
        }
    }

    init(_ difference: ContentDifference) {
        for table in difference.tables {
            for object in table.objects {
                let tableName = table.tableName
                switch object.kind {
                case .added: added.insert("\(tableName) \(object.secondKey?.value ?? -1)")
                case .removed: removed.insert("\(tableName) \(object.firstKey?.value ?? -1)")
                case .changed:
                    changed["\(tableName) \(object.firstKey?.value ?? -1)"] = Set(object.changes.map(\.property))
                }
            }
        }
    }
}

extension DumpValue {
    /// The value with unordered content in a canonical order; an unresolved link is null.
    fileprivate var withoutOrder: DumpValue {
        switch self {
        case .link(_, -1): .null
        case .list(let values): .list(values.map(\.withoutOrder))
        case .set(let values): .set(values.map(\.withoutOrder).sorted { $0.description < $1.description })
        case .dictionary(let entries):
            .dictionary(
                entries.map { Entry(key: $0.key, value: $0.value.withoutOrder) }
                    .sorted { ($0.key.description, $0.value.description) < ($1.key.description, $1.value.description) })
        default: self
        }
    }
}
