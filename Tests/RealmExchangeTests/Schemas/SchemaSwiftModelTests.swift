import Expectations
import Foundation
import RealmCore
import RealmExchange
import RealmLayout
import TestSupport
import Testing

/// Generated Swift models compile.
@Suite struct SchemaSwiftModelTests {
    /// The compiler, if it is in the path.
    static let compiler: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { URL(filePath: String($0)).appending(path: "swiftc") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    @Test(
        .enabled(if: compiler != nil, "needs swiftc"),
        arguments: ["kennel", "embedded", "collections-stream", "mixed-nested", "primary-keys-stream", "tombstones"])
    func `models of a file compile`(_ fixture: String) throws {
        let snapshot = try KnownFile.fixture(fixture).snapshot()
        try typecheck(SwiftModel(snapshot.schema).source(for: snapshot.schema.tables, origin: fixture))
    }

    @Test(.enabled(if: compiler != nil, "needs swiftc"))
    func `models with odd names compile`() throws {
        try typecheck(SwiftModel(Self.oddSchema).source(for: Self.oddSchema.tables, origin: "odd\nlet x = 1"))
    }

    /// Code of a client: the models' own fields, coded as JSON and back.
    @Test func `models encode and decode their own fields as JSON`() {
        let source = SwiftModel(Self.oddSchema).source(for: Self.oddSchema.tables, origin: "odd")
        for part in [
            "struct DateObject: Codable", "struct _1_Class_with__signs: Codable", "var `class`: Int",
            "var self_: String?",
            "case two_words = \"two words\"",
            "var two_words_: Int", "case quoted_ = \"quoted\\\"\"",
            "var again: Box<Node>?", "var children: [Node]", "var _id_: Int", "var größe: Double",
        ] {
            expect(source.contains(part), "\(part)")
        }
    }

    @Test func `models include only the support that they need`() throws {
        let kennel = try KnownFile.fixture("kennel").snapshot().schema
        let source = SwiftModel(kennel).source(for: kennel.classes, origin: "kennel")
        expect(!source.contains("AnyRealmValue"))
        expect(!source.contains("Box"))
        // An embedded class comes with its owner.
        let person = kennel.classes.filter { $0.name == "Person" }
        expect(SwiftModel(kennel).source(for: person, origin: "kennel").contains("struct Address"))
    }

    private func typecheck(_ source: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "realmfile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Models.swift")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = Self.compiler
        process.arguments = ["-typecheck", "-warnings-as-errors", "-swift-version", "6", file.path]
        let pipe = Pipe()
        process.standardError = pipe
        try process.run()
        let messages = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        expectEqual(process.terminationStatus, 0, "\(String(decoding: messages, as: UTF8.self))")
    }
}

extension SchemaSwiftModelTests {
    /// Names that must be changed in Swift, and an embedded class that contains itself.
    static let oddSchema = StoredSchema(
        tables: [
            table(
                "Date", [property("class"), property("self", .string, isNullable: true), property("Date", .timestamp)]),
            table(
                "1 Class with-\"signs",
                [
                    property("two words"), property("two_words"), property("quoted\""), property(""), property("$0"),
                    property("hashValue", .string), property("init"), property("Type"), property("größe", .double),
                    property("名前", .string), property("a\nb"), property("🐕"), property("9lives"), property("_id"),
                    property("CodingKeys"), property("any", .mixed), property("é"), property("e\u{301}x"),
                ]),
            table("enum", [property("case", target: "class_Date")]),
            table(
                "Node",
                [
                    property("again", target: "class_Node", isEmbedded: true),
                    property("other", target: "class_Middle", isEmbedded: true),
                    property("children", target: "class_Node", isEmbedded: true, .list),
                ], kind: .embedded),
            table("Middle", [property("back", target: "class_Node", isEmbedded: true)], kind: .embedded),
            table("Owner", [property("node", target: "class_Node", isEmbedded: true)]),
            table("String", [property("s", .string, .set), property("ints", .int, .dictionary(.int))]),
            table("Protocol", []), table("Self", []), table("", []),
        ], version: nil)

    private static func table(_ name: String, _ properties: [StoredProperty], kind: TableKind = .topLevel)
        -> TableSchema
    {
        TableSchema(
            tableName: "class_\(name)", key: TableKey(0), kind: kind, properties: properties, primaryKeyName: nil,
            incoming: [])
    }

    private static func property(
        _ name: String, _ type: StoredPropertyType = .int, _ collection: CollectionKind? = nil, isNullable: Bool = false
    ) -> StoredProperty {
        StoredProperty(
            name: name, columnKey: ColumnKey(0), type: type, isNullable: isNullable, collection: collection,
            target: nil, isTargetEmbedded: false, index: .none, isEnumerated: false)
    }

    private static func property(
        _ name: String, target: String, isEmbedded: Bool = false, _ collection: CollectionKind? = nil
    ) -> StoredProperty {
        StoredProperty(
            name: name, columnKey: ColumnKey(0), type: .link, isNullable: collection == nil, collection: collection,
            target: target, isTargetEmbedded: isEmbedded, index: .none, isEnumerated: false)
    }
}
