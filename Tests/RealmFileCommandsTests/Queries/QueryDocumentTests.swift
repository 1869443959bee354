import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import TestSupport
import Testing

/// Documents printed by `query`, compared with those that `export` writes from the same file.
@Suite struct QueryDocumentTests {
    static let files = KnownFile.fixtures + KnownFile.legacyFixtures + KnownFile.encryptedFixtures

    /// Returns the lines of each class's file, and the name of the class.
    private func exported(_ file: KnownFile, as format: String, to folder: TemporaryFolder) async throws
        -> [(name: String, bytes: Data)]
    {
        let out = "\(folder.path)/\(format)"
        let run = await Run(["export", file.url.path, "--out", out, "--format", format, "--json"] + key(file))
        try #require(run.status == .success, "\(run.messages)")
        let database = try #require(try FileManager.default.contentsOfDirectory(atPath: out).first)
        return try run.json().objects("collections").map { collection in
            let name = try collection.text("name")
            let ending = format == "bson" || format == "csv" ? format : "jsonl"
            let url = URL(filePath: "\(out)/\(database)/\(name).\(ending)")
            return (name, try Data(contentsOf: url))
        }
    }

    private func key(_ file: KnownFile) -> [String] { file.keyFile.map { ["--key-file", $0.path] } ?? [] }

    @Test(arguments: files)
    func `a query for all objects prints the documents of an export, byte for byte`(_ file: KnownFile) async throws {
        let folder = try TemporaryFolder()
        for format in ["json", "csv", "ejson", "bson"] {
            for (name, bytes) in try await exported(file, as: format, to: folder) {
                let run = await Run(["query", file.url.path, name, "--format", format] + key(file))
                expectEqual(run.status, .success)
                expectEqual(Data(run.bytes), bytes, "\(name) as \(format)")
            }
        }
    }

    @Test(arguments: files)
    func `chosen objects are printed in order, each as in the export`(_ file: KnownFile) async throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in try await exported(file, as: "json", to: folder) {
            let query = ["query", file.url.path, name] + key(file)
            let report = await Run(query + ["--json"])
            let keys = try report.json()[required: "keys"].elements().map { try $0.int() }
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            try #require(keys.count == lines.count)
            let documents = Dictionary(uniqueKeysWithValues: zip(keys, lines))
            guard let property = try await sortable(file, name) else { continue }
            let sort = ["--sort", "\(property) DESC"]
            let order = await Run(query + sort + ["--format", "keys"]).output.split(separator: "\n").map { Int64($0) }
            let sorted = await Run(query + sort + ["--format", "json", "--jobs", "2"])
            expectEqual(sorted.output.split(separator: "\n"), order.compactMap { $0.flatMap { documents[$0] } })
            expectEqual(order.count, keys.count)
        }
    }

    /// Returns a property that the class can be sorted by, if there is one.
    private func sortable(_ file: KnownFile, _ name: String) async throws -> String? {
        let schema = try await Run(["schema", file.url.path, "--format", "realm-json", "--class", name] + key(file))
            .json()
        let classes = try schema.objects("classes")
        for property in try classes.first?.objects("properties") ?? [] {
            let plain = try property.text("name").utf8.allSatisfy { (97...122).contains($0) || (65...90).contains($0) }
            if plain, property[optional: "collection"] == nil, try property.text("type") == "int" {
                return try property.text("name")
            }
        }
        return nil
    }

    /// Selected values take another code path than whole objects; nulls stay, and there is no identity.
    @Test(arguments: files)
    func `selected properties equal those of the export`(_ file: KnownFile) async throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in try await exported(file, as: "ejson", to: folder) {
            let run = await Run(["query", file.url.path, name, "--format", "ejson", "--select", "*"] + key(file))
            try expectEqual(members(run.output), members(String(decoding: bytes, as: UTF8.self)), "\(name)")
        }
    }

    /// Returns the members of each line that both outputs have.
    private func members(_ text: String) throws -> [[String]] {
        try text.split(separator: "\n").map { line in
            try JSON(parsing: Array(line.utf8)).members().compactMap { member in
                if case .null = member.value { return nil }
                return member.name == "_id" || member.name == "_id_" ? nil : "\(member.name): \(member.value)"
            }
        }
    }

    static let linked =
        ["kennel", "links-stream", "mixed-nested", "format-22-links", "embedded"].compactMap {
            try? KnownFile.fixture($0)
        } + KnownFile.legacyFixtures.filter { $0.name.hasSuffix("format-6-links") } + KnownFile.encryptedFixtures

    /// Each class in turn, with everything that it links to: the result is complete, and contains only content of the
    /// file.
    @Test(arguments: linked)
    func `an export that follows links contains all linked objects`(_ file: KnownFile) async throws {
        let folder = try TemporaryFolder()
        let whole = Set(
            try await exported(file, as: "ejson", to: folder).flatMap { lines($0.bytes) })
        for (name, bytes) in try await exported(file, as: "json", to: folder) where !bytes.isEmpty {
            let part = "\(folder.path)/\(name)"
            let arguments = ["export", file.url.path, "--where", "\(name): TRUEPREDICATE", "--follow"] + key(file)
            let plain = await Run(arguments + ["--format", "ejson", "--out", part])
            try #require(plain.status == .success, "\(plain.messages)")
            let database = try #require(try FileManager.default.contentsOfDirectory(atPath: part).first)
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(part)/\(database)")
            let found = try files.filter { $0.hasSuffix(".jsonl") }.flatMap { file in
                lines(try Data(contentsOf: URL(filePath: "\(part)/\(database)/\(file)")))
            }
            expect(Set(found).isSubset(of: whole))
            expect(found.count >= lines(bytes).count)
            let canonical = await Run(arguments + ["--profile", "canonical", "--out", "\(part)-canonical"])
            try #require(canonical.status == .success)
            let made = await Run("import", "\(part)-canonical", "--out", "\(part).realm")
            expectEqual(made.status, .success, "\(name): \(made.messages)")
            expect(
                !made.messages.contains { $0.contains("links to documents that are not there") }, "\(made.messages)")
        }
    }

    private func lines(_ bytes: Data) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
