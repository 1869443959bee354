import Expectations
import RealmLayout
import RealmStorage
import TestSupport
import Testing

import RealmCore

/// Objects are found by primary key, with and without the index; missing keys are not found.
@Suite struct PrimaryKeyTests {
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures)
    func `objects of a fixture are found by primary key`(_ file: KnownFile) throws {
        try Self.check(RealmDatabase(path: file.url.path).snapshot(), "\(file)")
    }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"), arguments: KnownFile.corpus.filter(\.isPlain))
    func `objects of a corpus file are found by primary key`(_ file: KnownFile) throws {
        try Self.check(RealmDatabase(path: file.url.path).snapshot(), "\(file)")
    }

    @Test(arguments: KnownFile.encryptedFixtures)
    func `objects of an encrypted fixture are found by primary key`(_ file: KnownFile) throws {
        let key = try EncryptionKey(bytes: file.key())
        try Self.check(RealmDatabase(path: file.url.path, key: key).snapshot(), "\(file)")
    }

    /// Checks that every key finds its object, through the index where the format has one, and that other keys find
    /// nothing.
    private static func check(_ snapshot: Snapshot, _ name: String) throws {
        for table in snapshot.tables {
            guard let primary = table.core.primaryKeyIndex else { continue }
            var objects: [StoredObject] = []
            var keys: [Value] = []
            var cursor = table.objects
            while let object = try cursor.next() {
                objects.append(object)
                keys.append(try object.value(of: primary))
            }
            // Files of a test build of Realm Core have indexes with other keys than released readers see (Spec 50).
            let isMisread = name.contains("test_upgrade_database_4_")
            // Without an index, each search scans all objects.
            let stride = max(1, objects.count / 200)
            let index = snapshot.reading { SearchIndex(ofPrimaryKey: table) }
            for (place, (object, key)) in zip(objects, keys).enumerated() where index != nil || place % stride == 0 {
                try expectEqual(table.object(primaryKey: key), object, "\(name) \(table.name) \(key)")
                guard !isMisread, var index, let bytes = indexBytes(key) else { continue }
                let found = try snapshot.reading { () throws(FormatError) in try index.candidates(bytes) }
                expect(found.contains(object.key), "\(name) \(table.name) \(key)")
            }
            for absent in strangers(to: keys, table.schema.properties[primary].type) {
                try expectEqual(table.object(primaryKey: absent), nil, "\(name) \(table.name) \(absent)")
            }
            let type = table.schema.properties[primary].type
            let hasIndex =
                snapshot.version.number >= 22 || (type == .int && [10, 11].contains(snapshot.version.number))
            if hasIndex, !name.contains("upstream") {
                expect(index != nil, "\(name) \(table.name)")
            }
            // Nearly all of these files have sound indexes, and each was verified before use.
            let expected = index == nil ? nil : !isMisread || objects.count <= 4
            expectEqual(snapshot.provenIndexes[table.position], expected, "\(name) \(table.name)")
        }
    }

    /// Returns the index key according to Spec 80, computed independently.
    private static func indexBytes(_ key: Value) -> [UInt8]?? {
        switch key {
        case .null: .some(nil)
        case .int(let number): (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        case .string(let text): Array(text.utf8)
        case .malformedString(let bytes): bytes
        case .objectId(let id): id.bytes
        case .uuid(let id): id.bytes
        default: nil
        }
    }

    /// Returns null and values of the type that are not keys, some of them adjacent to keys.
    private static func strangers(to keys: [Value], _ type: StoredPropertyType) -> [Value] {
        var values: [Value] = [
            .null, .int(-1), .int(0), .int(.max), .int(.min), .string(""), .string("\0"), .string("no such key"),
            .malformedString([0xFF]),
        ]
        for key in keys.prefix(50) {
            switch key {
            case .int(let number): values += [.int(number &+ 1), .int(number ^ 1 << 40), .int(~number)]
            case .string(let text):
                values += [
                    .string(text + "X"), .string(text + "\0"), .string(String(text.dropLast())), .string("X" + text),
                ]
            case .objectId(let id):
                values += ObjectID(id.bytes.dropLast() + [id.bytes[11] ^ 1]).map { [.objectId($0)] } ?? []
            case .uuid(let id): values += UUIDBytes(id.bytes.dropLast() + [id.bytes[15] ^ 1]).map { [.uuid($0)] } ?? []
            default: break
            }
        }
        return values.filter { value in
            switch (value, type) {
            case (.null, _), (.int, .int), (.string, .string), (.malformedString, .string), (.objectId, .objectId),
                (.uuid, .uuid):
                !keys.contains(value)
            default: false
            }
        }
    }

    /// No damage to an index gives a wrong answer: each byte of those of two classes is changed in several ways.
    @Test func `a damaged index never gives a wrong answer`() throws {
        let file = try KnownFile.fixture("kennel").bytes()
        let places: [(String, Range<Int>)] = [("Person", 0xC58..<0xC90), ("Dog", 0xA50..<0xA9E)]
        var unproven = 0
        for (name, range) in places {
            let intact = try RealmDatabase(bytes: file).snapshot().table(named: name)
            var keys: [Value] = []
            var cursor = intact.objects
            while let object = try cursor.next() { keys.append(try #require(try object.primaryKey)) }
            let strangers = Array(Self.strangers(to: keys, name == "Person" ? .int : .objectId).prefix(30))
            for offset in range {
                for change in [0x01, 0x02, 0x80, 0xFF] as [UInt8] {
                    var bytes = file
                    bytes[offset] ^= change
                    let snapshot = try RealmDatabase(bytes: bytes).snapshot()
                    let table = try snapshot.table(named: name)
                    for (number, key) in keys.enumerated() {
                        try expectEqual(
                            table.object(primaryKey: key)?.key, ObjectKey(Int64(number)), "\(offset) \(change)")
                    }
                    for stranger in strangers {
                        try expectEqual(table.object(primaryKey: stranger), nil, "\(offset) \(change)")
                    }
                    if snapshot.provenIndexes[table.position] == false { unproven += 1 }
                }
            }
        }
        // Most of these changes invalidate the index.
        expect(unproven > 300)
    }

    /// An index with all objects in one place is useless but harmless.
    @Test func `an index with all objects in one place is harmless`() throws {
        var bytes = try KnownFile.fixture("kennel").bytes()
        // The list of chunks gives all objects the key of the first.
        for chunk in 0..<5 { bytes.replaceSubrange((0xC60 + 4 * chunk)..<(0xC64 + 4 * chunk), with: [0, 0, 0, 1]) }
        let table = try RealmDatabase(bytes: bytes).snapshot().table(named: "Person")
        for key in 1...5 as ClosedRange<Int64> {
            try expectEqual(table.object(primaryKey: .int(key))?.primaryKey, .int(key))
        }
        try expectEqual(table.object(primaryKey: .int(6)), nil)
    }
}
