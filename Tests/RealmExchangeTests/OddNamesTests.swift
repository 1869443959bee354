import Expectations
import Foundation
import RealmCore
import RealmExchange
import RealmLayout
import RealmStore
import TestSupport
import Testing

/// Names of properties and keys with a meaning in Extended JSON or as wrappers, and names of classes that file systems
/// do not distinguish.
@Suite struct OddNamesTests {
    /// Names with a meaning in Extended JSON, names of wrappers, and names that could conflict with escapes.
    private static let names = [
        "$oid", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$date", "$binary", "$uuid", "$symbol",
        "$code", "$scope", "$timestamp", "$regularExpression", "$dbPointer", "$minKey", "$maxKey", "$undefined", "$ref",
        "$id", "$db", "$realm", "$", "$$", "%24oid", "%24oid_", "%", "a$", "nul\0", "nul%00", "_id", "_id_", "$type",
    ]

    /// Returns a class with all of these as properties, and one class for each with nothing else, alone and embedded.
    private static func database() throws -> (TemporaryFolder, Snapshot) {
        let folder = try TemporaryFolder()
        var tables = [TableDefinition(class: "All", names.map { PropertyDefinition($0, .string) })]
        for (index, name) in names.enumerated() {
            tables.append(
                TableDefinition(
                    class: "Inner\(index)", kind: .embedded, [PropertyDefinition(name, .string, isNullable: true)]))
            tables.append(
                TableDefinition(
                    class: "Only\(index)",
                    [
                        PropertyDefinition(name, .link, target: "class_Inner\(index)"),
                        PropertyDefinition("any", .mixed),
                        PropertyDefinition("keys", .string, isNullable: true, collection: .dictionary(.string)),
                    ]))
        }
        let builder = try RealmBuilder(SchemaDefinition(tables), at: NewFile(folder.file("names.realm")))
        try builder.add("All", Dictionary(uniqueKeysWithValues: names.map { ($0, .string("value of \($0)")) }))
        for (index, name) in names.enumerated() {
            // Values that the real types could have.
            for text in ["0123456789abcdef01234567", "7", "", "2000-01-01T00:00:00Z"] {
                try builder.add(
                    "Only\(index)",
                    [
                        name: .embedded([name: .string(text)]), "any": .dictionary([name: .string(text)]),
                        "keys": .dictionary([name: .string(text)]),
                    ])
            }
        }
        try builder.finish()
        return (folder, try RealmDatabase(path: folder.file("names.realm")).snapshot())
    }

    /// Canonical exports are restored unchanged, with the values of all properties.
    @Test(arguments: [ExportOptions.Format.bson, .ejson])
    func `canonical exports are restored`(format: ExportOptions.Format) async throws {
        let (folder, source) = try Self.database()
        let exported = try await Exported(source) {
            $0.format = format
            $0.profile = .canonical
        }
        expect(exported.report.losses.isEmpty)
        let imported = try Imported(path: exported.folder.path)
        expect(imported.report.losses.isEmpty, "\(imported.losses)")
        try expectEqual(imported.snapshot.contentHash(), source.contentHash())
        try expectEqual(imported.values("All"), [Self.names.map { .string("value of \($0)") }])
        withExtendedLifetime(folder) {}
    }

    /// libbson reads strings under escaped names from Extended JSON, and nothing that looks like a type.
    @Test(arguments: [ExportOptions.Profile.canonical, .mongo], ExportOptions.ExtendedJSONForm.allCases)
    func `names are not mistaken for types`(profile: ExportOptions.Profile, form: ExportOptions.ExtendedJSONForm)
        async throws
    {
        guard profile == .mongo || form == .canonical else { return }
        let (folder, source) = try Self.database()
        let exported = try await Exported(source) {
            $0.format = .ejson
            $0.profile = profile
            $0.extendedJSONForm = form
        }
        func documents(_ name: String) throws -> [[BSONValue.Field]] {
            try exported.bytes("\(name).jsonl").split(separator: UInt8(ascii: "\n")).map { line in
                guard case .document(let fields) = try BSONValue(parsingJSON: line) else { return [] }
                // The identity of the object is not one of its properties.
                return fields.filter { $0.name != Array("_id".utf8) && $0.name != Array("$realm".utf8) }
            }
        }
        let fields = try documents("All")[0]
        // All names are different, and in the order of the properties.
        let expected = Self.names.map { (name: String) -> String in
            switch name {
            case "$oid": "%24oid__"
            case "nul\0": "nul%00_"
            case "_id": "_id__"
            default: name.hasPrefix("$") ? "%24" + name.dropFirst() : name
            }
        }
        expectEqual(fields.map(\.name), expected.map { Array($0.utf8) })
        expectEqual(fields.map(\.value), Self.names.map { .string(Array("value of \($0)".utf8)) })
        for (index, name) in Self.names.enumerated() {
            for document in try documents("Only\(index)") {
                expectEqual(document.count, 3)
                for field in document {
                    expect(field.name.first != UInt8(ascii: "$"))
                    guard case .document(let all) = field.value else {
                        Issue.record("\(name) is no document but \(field.value)")
                        continue
                    }
                    let inner = all.filter { $0.name != Array("$realm".utf8) }
                    expect(inner.count == 1 && inner[0].name.first != UInt8(ascii: "$"))
                    guard case .string? = inner.first?.value else {
                        Issue.record("\(name) has no string but \(all)")
                        continue
                    }
                }
            }
        }
        withExtendedLifetime(folder) {}
    }

    /// The mongo profile reports the names it changed, and an import with the sidecar restores the properties.
    @Test func `changed names are reported and restored`() async throws {
        let (folder, source) = try Self.database()
        for format in [ExportOptions.Format.ejson, .bson] {
            let exported = try await Exported(source) { $0.format = format }
            let renamed = exported.losses.filter { $0.key.kind == .renamedProperty || $0.key.kind == .escapedProperty }
            let changed = Self.names.filter { $0.contains("\0") || (format == .ejson && $0.hasPrefix("$")) }
            expect(renamed.values.allSatisfy { $0 == 1 })
            let all = Set(renamed.keys.filter { $0.className == "All" }.compactMap(\.property))
            expectEqual(all, Set(changed + ["_id"]))
            let others = renamed.keys.filter { $0.className != "All" }
            // In the class and the embedded one; `_id` is renamed in the first only.
            expectEqual(others.count, 2 * changed.count + 1)
            let imported = try Imported(path: exported.folder.path)
            expect(!imported.report.losses.contains { $0.kind == .unknownField }, "\(imported.losses)")
            try expectEqual(imported.values("All"), [Self.names.map { .string("value of \($0)") }])
            let inner = Self.names.firstIndex(of: "$date") ?? 0
            let texts = try imported.values("Inner\(inner)")
            expectEqual(
                texts, ["0123456789abcdef01234567", "7", "", "2000-01-01T00:00:00Z"].map { [.string($0)] })
        }
        withExtendedLifetime(folder) {}
    }

    /// An index on such a field is not in the metadata: libbson would read it as a value, and MongoDB does not accept
    /// it.
    @Test func `indexes on changed names are not in the metadata`() async throws {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(
                class: "A",
                [
                    PropertyDefinition("$oid", .string, index: .general),
                    PropertyDefinition("b", .string, index: .general),
                    PropertyDefinition("$text", .string, index: .fullText),
                ])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("a.realm")))
        try builder.add("A", ["$oid": "x", "b": "y", "$text": "z"])
        try builder.finish()
        let exported = try await Exported(RealmDatabase(path: folder.file("a.realm")).snapshot())
        let metadata = try BSONValue(parsingJSON: exported.bytes("A.metadata.json")).members
        guard case .array(let indexes)? = metadata["indexes"] else { throw TestSupportError("no indexes") }
        expectEqual(indexes.map { $0.members.text("name") }, ["_id_", "b_1"])
        let imported = try Imported(path: exported.folder.path)
        expectEqual(imported.snapshot.schema.classes[0].properties.map(\.index), [.general, .general, .fullText])
    }

    // MARK: Classes

    /// Names in the order of the file, and the names of their document files.
    private static let classes: [(String, String)] = [
        ("Dog", "Dog"), ("dog", "%64og"), ("DOG", "%44OG"), ("dOG", "%64%4FG"), ("straße", "straße"),
        ("STRASSE", "%53TRASSE"), ("\u{E9}t\u{E9}", "\u{E9}t\u{E9}"), ("\u{C9}T\u{C9}", "%C3%89T\u{C9}"),
        ("a/b", "a%2Fb"), ("A/B", "%41%2FB"), ("schema", "schema"), ("relationships", "relationships"),
        ("oplog", "%6Fplog"), ("System.Indexes", "%53ystem.Indexes"), ("metadata", "metadata"),
        ("x.metadata", "x.metadata"),
        ("_embedded", "_embedded"), ("losses", "losses"),
    ]

    private static func classDatabase() throws -> (TemporaryFolder, Snapshot) {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition(
            classes.map { TableDefinition(class: $0.0, [PropertyDefinition("name", .string)]) })
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("classes.realm")))
        for (name, _) in classes { try builder.add(name, ["name": .string(name)]) }
        try builder.finish()
        return (folder, try RealmDatabase(path: folder.file("classes.realm")).snapshot())
    }

    /// Returns the path in a form that is equal for names that some file system treats as the same.
    private static func folded(_ path: String) -> String {
        path.decomposedStringWithCompatibilityMapping.folding(options: .caseInsensitive, locale: nil)
    }

    @Test func `each class has its own file`() async throws {
        let (folder, source) = try Self.classDatabase()
        for (format, isArray) in [(ExportOptions.Format.bson, false), (.ejson, true), (.json, true), (.csv, false)] {
            let exported = try await Exported(source) {
                $0.format = format
                $0.isJSONArray = isArray
            }
            let files = try exported.files()
            expectEqual(Set(files.map(Self.folded)).count, files.count, "\(format)")
            let perClass = format == .bson ? 2 : 1
            expectEqual(files.count { $0.hasPrefix("db/") && !$0.contains("_realm/") }, perClass * Self.classes.count)
            guard format == .bson else { continue }
            for (name, file) in Self.classes {
                let documents = try BSONValue.documents(in: exported.bytes("\(file).bson"))
                expectEqual(documents.map { $0.members.text("name") }, [name])
                let metadata = try BSONValue(parsingJSON: exported.bytes("\(file).metadata.json")).members
                expectEqual(metadata.text("collectionName"), name)
                // Decoding the file name gives the name of the class.
                try expectEqual(percentDecoded(Array(file.utf8)), Array(name.utf8))
            }
        }
        withExtendedLifetime(folder) {}
    }

    /// Every export is restored, whatever the name of its database.
    @Test(arguments: ["db", "schema", "Schema", "_embedded"])
    func `all classes are restored`(database: String) async throws {
        let (folder, source) = try Self.classDatabase()
        for (profile, format, isArray) in [
            (ExportOptions.Profile.canonical, ExportOptions.Format.bson, false), (.canonical, .ejson, false),
            (.canonical, .ejson, true), (.mongo, .bson, false), (.mongo, .ejson, true),
        ] {
            let output = try TemporaryFolder()
            var options = ExportOptions()
            (options.profile, options.format, options.isJSONArray) = (profile, format, isArray)
            _ = try await Exporter(source, options).export(toFolder: output.path, database: database)
            let imported = try Imported(path: output.path)
            expect(imported.report.losses.isEmpty)
            expect(imported.report.skipped.isEmpty, "\(imported.report.skipped)")
            for (name, _) in Self.classes { try expectEqual(imported.values(name), [[.string(name)]]) }
            try expectEqual(imported.snapshot.contentHash(), source.contentHash(), "\(profile) \(format)")
            guard profile == .mongo, format == .bson else { continue }
            // Without the sidecar, names are in the metadata, and types in the schemas of documents.
            try FileManager.default.removeItem(atPath: output.file("\(database)/_realm/realm-schema.json"))
            guard database == "db" else { continue }
            let other = try Imported(path: output.path)
            for (name, _) in Self.classes { try expectEqual(other.values(name).count, 1, "\(name)") }
        }
        withExtendedLifetime(folder) {}
    }

    /// Exporting a class alone does not change the name of its file.
    @Test func `a class that is exported alone has the same file`() async throws {
        let (folder, source) = try Self.classDatabase()
        let exported = try await Exported(source) { $0.classNames = ["dog"] }
        try expectEqual(
            exported.files().filter { !$0.hasPrefix("db/_realm/") }, ["db/%64og.bson", "db/%64og.metadata.json"])
        withExtendedLifetime(folder) {}
    }
}
