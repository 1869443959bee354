import Expectations
import Foundation
import RealmExchange
import TestSupport
import Testing

/// A canonical export, in BSON or Extended JSON, contains together with its sidecar everything in the typed dump.
@Suite struct CanonicalTests {
    @Test(arguments: ExportedFiles.inAllFormsThisTime)
    func `everything in the dump is exported`(_ file: KnownFile) async throws {
        try await Self.compare(Content(file))
    }

    static func compare(_ content: Content) async throws {
        for format in [ExportOptions.Format.bson, .ejson] {
            let exported = try await Exported(content.snapshot) {
                $0.format = format
                $0.profile = .canonical
                $0.includesSystemTables = true
            }
            expect(exported.report.damage.isEmpty)
            expectEqual(exported.losses, content.linksToNowhere)
            let schema = try PlainJSON(parsing: exported.bytes("_realm/realm-schema.json"))
            expectEqual(schema["fileFormat"], .int(Int64(content.format)))
            expectEqual(schema["schemaVersion"], content.schemaVersion.map { .int($0) } ?? .null)
            var documents: [String: [BSONValue]] = [:]
            var orphans: [String: [BSONValue]] = [:]
            for table in content.tables {
                if table.kind == "embedded" {
                    let path = "\(Exported.database)/_embedded/\(table.className).\(format.ending)"
                    let hasOrphans = table.objects.contains { $0.backlinks == 0 }
                    try expectEqual(exported.files().contains(path), hasOrphans)
                    if hasOrphans { orphans[table.name] = try format.documents(in: exported.bytes(path: path)) }
                } else {
                    let bytes = try exported.bytes("\(table.className).\(format.ending)")
                    documents[table.name] = try format.documents(in: bytes)
                }
            }
            let found = try Reconstruction(schema: schema, documents: documents, orphans: orphans)
            compare(content.tables, found.tables, "\(format)")
        }
    }

    private static func compare(_ expected: [TypedDump.Table], _ found: [TypedDump.Table], _ comment: String) {
        expectEqual(expected.map(\.name), found.map(\.name))
        for (left, right) in zip(expected, found) {
            expectEqual(left.key, right.key)
            expectEqual(left.kind, right.kind)
            expectEqual(left.primaryKey, right.primaryKey)
            expectEqual(left.size, right.size)
            expectEqual(left.tombstones, right.tombstones)
            expectEqual(left.columns, right.columns)
            expectEqual(left.incoming, right.incoming)
            expectEqual(left.objects.map(\.key), right.objects.map(\.key))
            var issues = 0
            for (one, other) in zip(left.objects, right.objects) where one.values != other.values && issues < 3 {
                for (column, (value, otherValue)) in zip(left.columns, zip(one.values, other.values))
                where value != otherValue {
                    issues += 1
                    Issue.record(
                        "\(comment) \(left.name).\(column.name) (\(one.key)): expected \(value), found \(otherValue)")
                }
            }
        }
    }
}

extension Content {
    /// The schema version in the table `metadata`.
    fileprivate var schemaVersion: Int64? {
        guard let table = tables.first(where: { $0.name == "metadata" }),
            let index = table.columns.firstIndex(where: { $0.name == "version" }),
            case .plain("i", let digits)? = table.objects.first?.values[index]
        else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }
}

extension ExportOptions.Format {
    fileprivate var ending: String { self == .bson ? "bson" : "jsonl" }

    fileprivate func documents(in bytes: [UInt8]) throws -> [BSONValue] {
        guard self == .ejson else { return try BSONValue.documents(in: bytes, allowingAnyKey: true) }
        return try bytes.split(separator: UInt8(ascii: "\n")).map { try BSONValue(parsingJSON: $0) }
    }
}
