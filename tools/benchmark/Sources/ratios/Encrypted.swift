import CContainer
import Foundation
import RealmExchange
import RealmFile

/// The cost of encryption: the export of an encrypted copy compared with that of the plain file, and with libcrypto
/// only decrypting and authenticating the same pages.
struct Encrypted {
    private var table: Table

    init(_ input: Input, _ folder: OutputFolder, scratch: Scratch, rounds: Int) async throws {
        let key = [UInt8](1...64)
        let path = "\(scratch.path)/encrypted.realm"
        guard container_encrypt(input.path, path, key) else { throw BenchmarkError("cannot encrypt \(input.name)") }
        guard let container = container_load(path) else { throw BenchmarkError("cannot read \(path)") }
        defer { container_free(container) }
        table = Table(
            "Encrypted copy, output to \(folder.name)",
            [
                "export", "plain, processor s", "encrypted, processor s", "libcrypto alone, s",
                "(encrypted − plain) ÷ libcrypto (min / **median** / max)", "same bytes", "target",
            ])
        for jobs in [1, 2] {
            let plain = { () throws -> RealmDatabase in try RealmDatabase(path: input.path) }
            let encrypted = { () throws -> RealmDatabase in
                try RealmDatabase(path: path, key: EncryptionKey(bytes: key))
            }
            var costs = (plain: Samples(), encrypted: Samples(), raw: Samples(), extra: Samples())
            for round in 0...rounds {
                var isFine = false
                let raw = Cost.of { isFine = container_decrypt_all(container, key) }
                guard isFine else { throw BenchmarkError("the encrypted copy is not what it should be") }
                let first = try await Self.cost(plain, jobs, folder)
                let second = try await Self.cost(encrypted, jobs, folder)
                guard round > 0 else { continue }
                costs.raw.add(raw.processor)
                costs.plain.add(first.processor)
                costs.encrypted.add(second.processor)
                costs.extra.add((second.processor - first.processor) / raw.processor)
            }
            let areEqual = try await folder.withScratch { path in
                try await Self.export(plain(), jobs, to: "\(path)/1")
                try await Self.export(encrypted(), jobs, to: "\(path)/2")
                return try Folder.areEqual("\(path)/1", "\(path)/2")
            }
            guard areEqual else { throw BenchmarkError("the encrypted file exports to other bytes than the plain one") }
            table.row([
                "BSON, mongo profile, \(jobs) thread\(jobs == 1 ? "" : "s")", Figures.seconds(costs.plain),
                Figures.seconds(costs.encrypted), Figures.seconds(costs.raw), Figures.ratios(costs.extra), "yes", "≤ 2",
            ])
        }
    }

    private static func export(_ database: RealmDatabase, _ jobs: Int, to folder: String) async throws {
        var options = ExportOptions()
        options.jobs = jobs
        let report = try await Exporter(database.snapshot(), options).export(toFolder: folder, database: "shop")
        guard report.damage.isEmpty else { throw BenchmarkError("the file is damaged") }
    }

    private static func cost(
        _ open: () throws -> RealmDatabase, _ jobs: Int, _ folder: OutputFolder
    ) async throws -> Cost {
        try await folder.withScratch { path in try await Cost.of { try await export(open(), jobs, to: path) } }
    }

    func print() { table.print() }
}
