import Expectations
import Foundation
import RealmCore
import RealmExchange
import RealmLayout
import RealmStore
import TestSupport
import Testing

/// BSON is written from rows that are decoded column by column, everything else row by row. Both give the same result,
/// whatever the lengths of texts and lists, the positions of nulls, and the order of links.
@Suite struct BSONBlockTests {
    private static let all: [PropertyDefinition] = [
        PropertyDefinition("int", .int), PropertyDefinition("wide", .int), PropertyDefinition("none", .int),
        PropertyDefinition("maybeInt", .int, isNullable: true), PropertyDefinition("bool", .bool, isNullable: true),
        PropertyDefinition("float", .float, isNullable: true), PropertyDefinition("double", .double, isNullable: true),
        PropertyDefinition("time", .timestamp, isNullable: true), PropertyDefinition("seconds", .timestamp),
        PropertyDefinition("price", .decimal128, isNullable: true),
        PropertyDefinition("id", .objectId, isNullable: true),
        PropertyDefinition("uuidWithALongName", .uuid, isNullable: true),
        PropertyDefinition("tiny", .string, isNullable: true), PropertyDefinition("short", .string, isNullable: true),
        PropertyDefinition("medium", .string, isNullable: true), PropertyDefinition("long", .string, isNullable: true),
        PropertyDefinition("aNameThatDoesNotFitIntoTwoVectorsOfBytes", .string),
        PropertyDefinition("data", .binary, isNullable: true), PropertyDefinition("any", .mixed),
        PropertyDefinition("number", .link, target: "class_Number"),
        PropertyDefinition("name", .link, target: "class_Name"),
        PropertyDefinition("stamp", .link, target: "class_Stamp"),
        PropertyDefinition("tag", .link, target: "class_Tag"),
        PropertyDefinition("plain", .link, target: "class_Plain"),
        PropertyDefinition("part", .link, target: "class_Part"),
        PropertyDefinition("parts", .link, collection: .list, target: "class_Part"),
        PropertyDefinition("points", .link, collection: .list, target: "class_Point"),
        PropertyDefinition("words", .string, collection: .list),
        PropertyDefinition("maybeWords", .string, isNullable: true, collection: .list),
        PropertyDefinition("set", .string, collection: .set), PropertyDefinition("ints", .int, collection: .list),
        PropertyDefinition("names", .link, collection: .list, target: "class_Name"),
        PropertyDefinition("meta", .mixed, collection: .dictionary(.string)),
    ]

    private static let schema = SchemaDefinition([
        TableDefinition(class: "Number", primaryKey: "pk", [PropertyDefinition("pk", .int)]),
        TableDefinition(class: "Name", primaryKey: "pk", [PropertyDefinition("pk", .string, isNullable: true)]),
        TableDefinition(class: "Stamp", primaryKey: "pk", [PropertyDefinition("pk", .objectId, isNullable: true)]),
        TableDefinition(class: "Tag", primaryKey: "pk", [PropertyDefinition("pk", .uuid, isNullable: true)]),
        TableDefinition(class: "Plain", [PropertyDefinition("x", .int)]),
        TableDefinition(
            class: "Point", kind: .embedded,
            [PropertyDefinition("x", .int), PropertyDefinition("y", .double), PropertyDefinition("at", .timestamp)]),
        TableDefinition(
            class: "Part", kind: .embedded,
            [
                PropertyDefinition("code", .string, isNullable: true),
                PropertyDefinition("maker", .link, target: "class_Name"),
                PropertyDefinition("parts", .link, collection: .list, target: "class_Part"),
                PropertyDefinition("point", .link, target: "class_Point"),
                PropertyDefinition("words", .string, collection: .list),
            ]),
        TableDefinition(class: "Thing", primaryKey: "int", all),
        TableDefinition(class: "Keyless", all),
    ])

    /// Values in an order determined by the seed.
    private struct Source {
        var random: Seeded

        mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

        mutating func maybe(_ value: NewValue) -> NewValue { below(5) == 0 ? .null : value }

        mutating func text(below length: Int, letters: [String] = ["a", "b", "c", "d"]) -> String {
            (0..<below(length)).map { _ in letters[below(letters.count)] }.joined()
        }

        /// Mostly ASCII.
        mutating func anyText(below length: Int) -> NewValue {
            guard below(8) == 0 else { return maybe(.string(text(below: length))) }
            return .string(text(below: max(1, length / 4), letters: ["ä", "x", "한", "🙂"]))
        }

        mutating func list(_ counts: [Int], _ element: (inout Source) -> NewValue) -> NewValue {
            .list((0..<counts[below(counts.count)]).map { _ in element(&self) })
        }

        mutating func time() -> Timestamp? {
            let nanoseconds = [0, 0, 123_000_000, 999_000_000, 1, 123_456_789][below(6)]
            let seconds = Int64(below(4_000_000_000)) - 2_000_000_000
            return Timestamp(seconds: seconds, nanoseconds: Int64(seconds < 0 ? -nanoseconds : nanoseconds))
        }

        mutating func point() -> NewValue {
            let time = Timestamp(seconds: Int64(below(1 << 31)), nanoseconds: 0)
            return .embedded([
                "x": .int(Int64(below(1000))), "y": .double(Double(below(1000)) / 8),
                "at": time.map { .timestamp($0) } ?? .null,
            ])
        }

        mutating func part(depth: Int, _ targets: Targets) -> NewValue {
            .embedded([
                "code": anyText(below: 20), "maker": maybe(.link(targets.names[below(targets.names.count)])),
                "parts": depth == 0 ? .list([]) : list([0, 0, 1, 3]) { $0.part(depth: depth - 1, targets) },
                "point": maybe(point()), "words": list([0, 1, 2]) { .string($0.text(below: 9)) },
            ])
        }

        mutating func mixed() -> NewValue {
            switch below(9) {
            case 0: .null
            case 1: .int(Int64(below(100)))
            case 2: .int(.max - Int64(below(100)))
            case 3: .bool(below(2) == 0)
            case 4: .double(Double(below(1000)) / 3)
            case 5: .string(text(below: 80))
            case 6: .string(text(below: 8))
            case 7: .list([.string("x"), .int(1)])
            default: .float(Float(below(100)) / 4)
            }
        }

        mutating func entries() -> NewValue {
            var entries: [String: NewValue] = [:]
            for key in [
                "a", "source", "retries", "a key with more than sixteen bytes", "ключ", "dot.ted", "x\(below(200))",
            ]
            where below(3) > 0 { entries[key] = mixed() }
            return .dictionary(below(4) == 0 ? [:] : entries)
        }
    }

    private struct Targets {
        var numbers: [ObjectReference] = []
        var names: [ObjectReference] = []
        var stamps: [ObjectReference] = []
        var tags: [ObjectReference] = []
        var plain: [ObjectReference] = []
    }

    private static func addTargets(_ builder: RealmBuilder, _ source: inout Source) throws -> Targets {
        var targets = Targets()
        for index in 0..<300 {
            targets.numbers.append(try builder.add("Number", ["pk": .int(Int64(index * index))]))
            // Short, medium and long texts have different leaf types.
            let name = index == 7 ? NewValue.null : .string("n\(index)" + String(repeating: "y", count: index / 4))
            targets.names.append(try builder.add("Name", ["pk": name]))
            let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: source.below(256)) }
            targets.stamps.append(
                try builder.add(
                    "Stamp", ["pk": index == 9 ? .null : .objectId(#require(ObjectID(Array(bytes.prefix(12)))))]))
            targets.tags.append(
                try builder.add("Tag", ["pk": index == 11 ? .null : .uuid(#require(UUIDBytes(bytes)))]))
            targets.plain.append(try builder.add("Plain", ["x": .int(1)]))
        }
        return targets
    }

    private static func thing(_ index: Int, _ source: inout Source, _ targets: Targets) throws -> [String: NewValue] {
        func any(_ references: [ObjectReference]) -> NewValue {
            source.maybe(.link(references[source.below(references.count)]))
        }
        let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: source.below(256)) }
        let limit = [4, 300, 70_000, 5_000_000_000][index / 64 % 4]
        return [
            "int": .int(Int64(index)), "wide": .int(Int64(source.below(limit)) - Int64(limit / 2)), "none": 0,
            "maybeInt": source.maybe(.int(Int64(source.below(limit)))),
            "bool": source.maybe(.bool(source.below(2) == 0)),
            "float": source.maybe(.float(Float(source.below(1000)) / 8)),
            "double": source.maybe(.double(Double(source.below(1000)) / 7)),
            "time": source.maybe(source.time().map { .timestamp($0) } ?? .null),
            "seconds": .timestamp(try #require(Timestamp(seconds: Int64(source.below(limit)), nanoseconds: 0))),
            "price": source.maybe(.decimal128(Decimal128Bits(high: 0x303C << 48, low: UInt64(source.below(100_000))))),
            "id": source.maybe(.objectId(try #require(ObjectID(Array(bytes.prefix(12)))))),
            "uuidWithALongName": source.maybe(.uuid(try #require(UUIDBytes(bytes)))),
            "tiny": source.anyText(below: 4), "short": source.anyText(below: 16), "medium": source.anyText(below: 64),
            "long": source.anyText(below: 90),
            "aNameThatDoesNotFitIntoTwoVectorsOfBytes": .string(source.text(below: [8, 16, 32, 64][index / 256 % 4])),
            "data": source.maybe(.binary(bytes)), "any": source.mixed(),
            "number": any(targets.numbers), "name": any(targets.names), "stamp": any(targets.stamps),
            "tag": any(targets.tags), "plain": any(targets.plain),
            "part": source.maybe(source.part(depth: 3, targets)),
            "parts": source.list([0, 0, 1, 2]) { $0.part(depth: 2, targets) },
            "points": source.list([0, 1, 2, 5, 63, 64, 65, 130]) { $0.point() },
            "words": source.list([0, 1, 2, 40, 70]) { source in .string(source.text(below: [3, 12, 30][index % 3])) },
            "maybeWords": source.list([0, 1, 4]) { $0.anyText(below: 12) },
            "set": source.list([0, 1, 4]) { .string($0.text(below: 12)) },
            "ints": source.list([0, 1, 4]) { .int(Int64($0.below(1000))) },
            "names": source.list([0, 1, 4]) { .link(targets.names[$0.below(targets.names.count)]) },
            "meta": source.entries(),
        ]
    }

    private static func database(_ seed: UInt64) throws -> (TemporaryFolder, Snapshot) {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("things.realm")))
        var source = Source(random: Seeded(seed))
        let targets = try addTargets(builder, &source)
        for index in 0..<600 {
            try builder.add("Thing", thing(index, &source, targets))
            if index % 3 == 0 {
                try builder.add("Keyless", thing(index, &source, targets), key: ObjectKey(Int64(index * index)))
            }
        }
        try builder.finish()
        return (folder, try RealmDatabase(path: folder.file("things.realm")).snapshot())
    }

    @Test(arguments: [UInt64(1), 2, 3], [ExportOptions.Profile.mongo, .canonical])
    func `documents match those in Extended JSON`(seed: UInt64, profile: ExportOptions.Profile) async throws {
        let (folder, snapshot) = try Self.database(seed)
        defer { withExtendedLifetime(folder) {} }
        let change: (inout ExportOptions) -> Void = {
            $0.profile = profile
            $0.extendedJSONForm = .canonical
        }
        let bson = try await Exported(snapshot) { change(&$0) }
        let json = try await Exported(snapshot) {
            change(&$0)
            $0.format = .ejson
        }
        for name in ["Thing", "Keyless", "Name"] {
            let found = try BSONValue.documents(in: bson.bytes("\(name).bson"), allowingAnyKey: true)
            let expected = try json.bytes("\(name).jsonl").split(separator: UInt8(ascii: "\n"))
                .map { try BSONValue(parsingJSON: $0) }
            expect(found.count >= 200)
            let differences = differences(expected, found, in: name)
            expect(differences.isEmpty, "\(differences)")
        }
        expectEqual(bson.losses, json.losses)
    }

    // MARK: Dictionaries

    /// Keys are cached by all bytes of their elements: neither bytes after a text nor the length of elements make it
    /// another key, and two keys are never confused.
    @Test func `keys of dictionaries are cached by all their bytes`() async throws {
        let elements: [(width: Int, bytes: [UInt8], key: String)] = [
            (4, Array("a\0\0\u{2}".utf8), "a"), (4, Array("abc\0".utf8), "abc"), (4, Array("axy\u{2}".utf8), "a"),
            (8, Array("abc\0\0\0\0\u{4}".utf8), "abc"), (8, Array("abcdefg\0".utf8), "abcdefg"),
            (16, Array("abc\0\0\0\0\u{4}\0\0\0\0\0\0\0\0".utf8), "abc%00%00%00%00\u{4}%00%00%00%00%00%00%00"),
            (16, Array("abc\0\0\0\0\u{4}\0\0\0\0\0\0\0\u{C}".utf8), "abc"),
            (16, Array("abcdefghijklmno\0".utf8), "abcdefghijklmno"), (4, Array("\0\0\0\u{3}".utf8), ""),
            (32, Array("long".utf8) + [UInt8](repeating: 0, count: 27) + [27], "long"),
            (4, Array("%\0\0\u{2}".utf8), "%25"),
        ]
        var file = HandmadeFile()
        // Three times, so that each key is looked up before and after it is cached.
        let entries = elements + elements.reversed() + elements
        let roots = entries.enumerated().map { index, entry in
            let keys = file.writer.node(widthType: .multiply, width: entry.width, count: 1, payload: entry.bytes)
            let values = file.mixed([HandmadeFile.composite(.int, slot: 0, index)])
            return file.writer.refs([keys, values])
        }
        let cluster = file.cluster(entries.count, [file.writer.refs(roots)])
        file.addTable("class_D", [HandmadeFile.Column("d", .mixed, .dictionary)], objects: cluster)
        let exported = try await Exported(try RealmDatabase(bytes: file.bytes()).snapshot())
        let found = try BSONValue.documents(in: exported.bytes("D.bson"), allowingAnyKey: true)
        let expected = try entries.enumerated().map { index, entry in
            let key = entry.key.unicodeScalars.map { $0 == "\u{4}" ? "\\u0004" : String($0) }.joined()
            let number = #"{"$numberLong": "\#(index)"}"#
            return try BSONValue(parsingJSON: Array(#"{"_id": \#(number), "d": {"\#(key)": \#(number)}}"#.utf8)[...])
        }
        let differences = differences(expected, found, in: "D")
        expect(differences.isEmpty, "\(differences)")
    }

    // MARK: Damage

    private static let texts = SchemaDefinition([
        TableDefinition(class: "Name", primaryKey: "pk", [PropertyDefinition("pk", .string)]),
        TableDefinition(
            class: "Text", primaryKey: "number",
            [
                PropertyDefinition("number", .int), PropertyDefinition("short", .string),
                PropertyDefinition("medium", .string), PropertyDefinition("korean", .string),
                PropertyDefinition("name", .link, target: "class_Name"),
            ]),
    ])

    /// Returns the bytes of a file full of texts with runs of z.
    private static func textFile(_ source: inout Source) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(texts, at: NewFile(folder.file("texts.realm")))
        var names: [ObjectReference] = []
        for index in 0..<100 {
            names.append(try builder.add("Name", ["pk": .string("n\(index)zzzzzzzzzzzzzzzzzz")]))
        }
        for index in 0..<256 {
            // Elements of sixteen bytes, with zeros after each text.
            let short = String(repeating: "z", count: 9 + source.below(3))
            let medium = String(repeating: "zzzzz zz", count: 2 + source.below(5))
            let korean = String(repeating: "한글zzzzzz", count: 1 + source.below(4))
            try builder.add(
                "Text",
                [
                    "number": .int(Int64(index)), "short": .string(short), "medium": .string(medium),
                    "korean": .string(korean), "name": .link(names[source.below(names.count)]),
                ])
        }
        try builder.finish()
        return try #require(folder.bytes("texts.realm"))
    }

    /// Texts are validated many at a time; bytes between them must not make two invalid texts valid together.
    @Test(arguments: [UInt64(1), 2, 3, 4])
    func `damaged texts are found among others`(seed: UInt64) async throws {
        var source = Source(random: Seeded(seed))
        var bytes = try Self.textFile(&source)
        let z = UInt8(ascii: "z")
        for index in 8..<bytes.count - 8 where bytes[index] == z && bytes[index + 1] == z && source.below(12) == 0 {
            // All bytes together stay well-formed: half of a character is inside a text, and half before or after it.
            let place: Int
            if bytes[index - 1] == 0, bytes[index - 2] == z {
                place = index - 1
            } else if bytes[index + 2] == 0 {
                place = index + 1
            } else {
                continue
            }
            bytes.replaceSubrange(place...place + 1, with: [0xC3, 0xA9])
        }
        let snapshot = try RealmDatabase(bytes: bytes).snapshot()
        let bson = try await Exported(snapshot)
        let json = try await Exported(snapshot) {
            $0.extendedJSONForm = .canonical
            $0.format = .ejson
        }
        expect(bson.report.failures.isEmpty, "\(bson.report.failures)")
        let found = try BSONValue.documents(in: bson.bytes("Text.bson"), allowingAnyKey: true)
        let expected = try json.bytes("Text.jsonl").split(separator: UInt8(ascii: "\n"))
            .map { try BSONValue(parsingJSON: $0) }
        expectEqual(found.count, 256)
        let differences = differences(expected, found, in: "Text")
        expect(differences.isEmpty, "\(differences)")
        expectEqual(bson.losses, json.losses)
        expect(bson.losses.values.reduce(0, +) > 50)
    }
}
