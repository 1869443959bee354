import Expectations
import Foundation
import RealmCore
import RealmExchange
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// A file created from documents, in a folder that is removed with this object.
final class Imported {
    let folder: TemporaryFolder
    let report: ImportReport
    let snapshot: Snapshot

    /// Writes texts into files and imports all of them, or the named ones.
    init(
        _ files: [String: String], only names: [String]? = nil, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(Array(text.utf8), name) }
        let paths = names?.map { [folder] in folder.file($0) } ?? [folder.path]
        (report, snapshot) = try Self.run(paths, in: folder, [], change)
    }

    /// Imports the input at a path.
    ///
    /// - Parameter findings: findings of the verifier to accept, for odd documents.
    init(
        path: String, allowing findings: Set<CheckIdentifier> = [], _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        (report, snapshot) = try Self.run([path], in: folder, findings, change)
    }

    private static func run(
        _ paths: [String], in folder: TemporaryFolder, _ allowed: Set<CheckIdentifier>,
        _ change: (inout ImportOptions) -> Void
    ) throws -> (ImportReport, Snapshot) {
        var options = ImportOptions()
        change(&options)
        let output = try TemporaryFolder()
        let path = output.file("new.realm")
        let report = try Importer(paths, options).run(to: path)
        let bytes = try ByteSource(bytes: #require(output.bytes("new.realm")))
        let findings = Verification(level: .deep).run(on: bytes).findings.filter { !allowed.contains($0.check) }
        expect(findings.isEmpty, "\(findings.prefix(5).map { "\($0.check.rawValue) \($0.place): \($0.message)" })")
        return (report, try RealmDatabase(source: bytes).snapshot())
    }

    /// The losses: class, property, kind, count, number of the first document.
    var losses: [String] {
        report.losses.map { loss in
            let place = [loss.className, loss.property].compactMap { $0 }.joined(separator: ".")
            return "\(place) \(loss.kind.name) \(loss.count) \(loss.document)"
        }
    }

    /// The schema as `schema` prints it, without its first line.
    var schemaText: String {
        let text = SchemaText.text(
            of: snapshot.schema.classes, version: snapshot.version, schemaVersion: nil, details: false)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).joined(separator: "\n")
    }

    /// The values of the objects of a class, in the order of their keys.
    func values(_ className: String) throws -> [[Value]] {
        let table = try snapshot.table(named: className)
        var rows: [[Value]] = []
        var cursor = table.objects
        while let object = try cursor.next() {
            rows.append(try table.schema.properties.map { try object[$0.name] })
        }
        return rows
    }
}
