import CContainer
import Foundation
import RealmFile
import RealmForensics

/// The cost of writing an encrypted file, or a plain one from it, compared with libcrypto doing the same to pages in
/// memory.
struct Encrypting {
    private var table: Table

    init(_ input: Input, _ folder: OutputFolder, scratch: Scratch, rounds: Int) throws {
        let key = [UInt8](1...64)
        table = Table(
            "Encryption and decryption, output to \(folder.name)",
            [
                "work", "libcrypto alone, s", "processor s", "of it in the system (median)",
                "÷ libcrypto (min / **median** / max)", "same bytes", "target",
            ])
        try folder.withScratch { path in
            let (encrypted, plain) = ("\(path)/encrypted.realm", "\(path)/plain.realm")
            try Self.write(input.path, nil, to: encrypted, EncryptionKey(bytes: key))
            try Self.write(encrypted, EncryptionKey(bytes: key), to: plain, nil)
            let areEqual = try Self.isPadded(plain, input.path)
            guard areEqual else { throw BenchmarkError("the plain copy is not the file") }
            guard let source = container_load(input.path) else { throw BenchmarkError("cannot read the file") }
            defer { container_free(source) }
            guard let container = container_load(encrypted) else { throw BenchmarkError("cannot read the copy") }
            defer { container_free(container) }
            try measure("encrypt", rounds: rounds) {
                container_encrypt_all(source, key)
            } work: {
                try Self.write(input.path, nil, to: "\(path)/new", EncryptionKey(bytes: key))
            }
            try measure("decrypt", rounds: rounds) {
                guard container_decrypt_all(container, key) else { throw BenchmarkError("the copy is damaged") }
            } work: {
                try Self.write(encrypted, EncryptionKey(bytes: key), to: "\(path)/new", nil)
            }
        }
    }

    private mutating func measure(
        _ name: String, rounds: Int, libcrypto: () throws -> Void, work: () throws -> Void
    ) throws {
        var (raw, costs, systems) = (Samples(), Samples(), Samples())
        // The first round warms up.
        for round in 0...rounds {
            let alone = try Cost.of(libcrypto)
            let cost = try Cost.of(work)
            guard round > 0 else { continue }
            raw.add(alone.processor)
            costs.add(cost.processor)
            systems.add(cost.system)
        }
        table.row([
            name, Figures.seconds(raw), Figures.seconds(costs), Figures.fixed(systems.median, 3),
            Figures.ratios(costs.divided(by: raw)), "yes", "≤ 2",
        ])
    }

    private static func write(
        _ old: String, _ oldKey: EncryptionKey?, to new: String, _ newKey: EncryptionKey?
    ) throws {
        let change = try EncryptionChange(ByteSource(path: old), key: oldKey)
        _ = try change.write(to: NewFile(new, overwrite: true, key: newKey))
    }

    /// Whether the first file equals the second one with zeros at its end, or before the footer of the streaming form.
    private static func isPadded(_ padded: String, _ plain: String) throws -> Bool {
        let (padded, plain) = (try Data(contentsOf: URL(filePath: padded)), try Data(contentsOf: URL(filePath: plain)))
        let footer = plain.count - 16
        guard padded.count >= plain.count, padded.prefix(footer) == plain.prefix(footer) else { return false }
        return padded.suffix(16) == plain.suffix(16) || padded.dropFirst(footer).prefix(16) == plain.suffix(16)
    }

    func print() { table.print() }
}
