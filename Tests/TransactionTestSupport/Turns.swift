package import Foundation
internal import RealmCore
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage
internal import RealmStore
import WriterTestSupport

/// A random database that this project and another program change alternately. The program
/// `PROGRAM FILE SEED [--key HEX]` prints the whole content of the file (`BuiltContent.text`, sorted, with lines that
/// begin with a small letter about anything else), then `---`, changes the file, and prints the new content and `===`.
/// Cases that Realm Core handles incorrectly in its own files as well (Spec 165) are excluded here
/// (`RandomProgram.isShared`), and must be excluded by the program.
package struct Turns {
    /// Nil if no other program changes files.
    package let program: URL?
    package let seed: UInt64
    package let isEncrypted: Bool
    /// Whether the file has a size near 64 MiB, a multiple of which no node may cross.
    package var isLarge = false

    package init(_ program: URL?, seed: UInt64, isEncrypted: Bool) {
        (self.program, self.seed, self.isEncrypted) = (program, seed, isEncrypted)
    }

    private var keyBytes: [UInt8]? {
        isEncrypted ? (0..<64).map { UInt8(truncatingIfNeeded: seed &+ $0) } : nil
    }

    /// Returns the hash of all files that result from this project's consecutive turns. For programs in
    /// `AcceptedFiles`, the other program has accepted each of them (docs/verification.md).
    ///
    /// - Parameter isAsked: whether the other program changes a copy of each file.
    /// - Throws: the errors of `run`.
    package func hash(of count: Int, in folder: URL, isAsked: Bool) throws -> String {
        let path = folder.appending(path: "\(name).realm").path
        var program = try RandomProgram(seed: seed, key: keyBytes.map { try EncryptionKey(bytes: $0) }, isShared: true)
        try Data(program.bytes()).write(to: URL(filePath: path))
        let hash = try MessageDigest(.sha256)
        for turn in 0..<count {
            do {
                try takeTurn(turn, &program, path)
                let bytes = try program.bytes()
                ByteView.with(bytes) { hash.update($0) }
                guard isAsked else { continue }
                try compare(program.text(), others(path, turn).before, "what we wrote")
                // Its changes are not used here.
                try Data(bytes).write(to: URL(filePath: path))
            } catch {
                throw ProgramFailure("\(name), turn \(turn): \(error)")
            }
        }
        remove(path)
        return Hexadecimal.text(try hash.finish())
    }

    private func remove(_ path: String) {
        for end in ["", ".lock", ".note", ".before", ".management"] {
            try? FileManager.default.removeItem(atPath: path + end)
        }
    }

    /// Changes a file in the folder.
    ///
    /// - Returns: the number of values on which both agree.
    /// - Throws: `ProgramFailure` if they disagree, or the file is not sound. The file is kept.
    package func run(_ count: Int, in folder: URL) throws -> Int {
        let path = folder.appending(path: "\(name).realm").path
        let key = try keyBytes.map { try EncryptionKey(bytes: $0) }
        var program = try RandomProgram(seed: seed, key: key, isShared: true)
        try Data(program.bytes()).write(to: URL(filePath: path))
        var values = 0
        for turn in 0..<count {
            do {
                try takeTurn(turn, &program, path)
                let found = try program.text()
                let (before, after) = try others(path, turn)
                try compare(found, before, "what we wrote")
                // And with its changes.
                program = try program.continued(on: open(path))
                try program.adopt()
                try check(path, key)
                try compare(program.text(), after, "what it wrote")
                program = try program.continued(on: program.bytes())
                values += before.count + after.count
            } catch {
                throw ProgramFailure("\(name), turn \(turn): \(error)")
            }
        }
        remove(path)
        return values
    }

    private var name: String { "turns-\(seed)\(isEncrypted ? "-encrypted" : "")\(isLarge ? "-large" : "")" }

    private func open(_ path: String) throws -> LyingDisk {
        LyingDisk(try FileDevice(path: path, session: ExclusiveSession(path)))
    }

    /// Makes some transactions, after which another program can open the file.
    private func takeTurn(_ turn: Int, _ program: inout RandomProgram, _ path: String) throws {
        program = try program.continued(on: open(path))
        if isLarge { try program.changeBallast() }
        for operations in [[1, 30], [60], [3, 5, 2, 8]][turn % 3] {
            try program.transaction(operations: operations, schemaChanges: turn % 2 == 1 ? 6 : 0)
            program.disk.forgetEvents()
        }
        try check(path, program.key)
        if let difference = try program.differences().first { throw ProgramFailure(difference) }
        guard program.schemaDifferences().isEmpty else {
            throw ProgramFailure("the schema: \(program.schemaDifferences())")
        }
        // On a copy in memory: the file is no longer open.
        program = try program.continued(on: program.bytes())
    }

    private func check(_ path: String, _ key: EncryptionKey?) throws {
        let (source, verification) = (try ByteSource(path: path), Verification(level: .deep))
        let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
        // If the other program cut off a copy of page 0, an entry remains for a page that is free now (Spec 220). Realm
        // Core moves nodes towards the beginning of a file long before it shortens the file.
        let finding = report.findings.first {
            $0.severity > .info && $0.check != .utf8 && $0.check != .physicalSize
                && !($0.check == .pageAuthentication && $0.severity < .error)
        }
        if let finding { throw ProgramFailure("\(finding.check.rawValue) \(finding.place): \(finding.message)") }
    }

    /// Returns the output of the other program.
    private func others(_ path: String, _ turn: Int) throws -> (before: [String], after: [String]) {
        // Keeps its input, for examining its changes.
        let copy = path + ".before"
        try? FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let (process, output, errors) = (Process(), Pipe(), path + ".note")
        _ = FileManager.default.createFile(atPath: errors, contents: nil)
        process.executableURL = program
        process.arguments = [path, "\(seed * 1000 + UInt64(turn))"]
        if let keyBytes { process.arguments? += ["--key", Hexadecimal.text(keyBytes)] }
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errors)
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let parts = String(decoding: said, as: UTF8.self).components(separatedBy: "---\n")
        guard parts.count == 2, parts[1].hasSuffix("===\n") else {
            let note = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            throw ProgramFailure(
                "the other program ended with \(process.terminationStatus): \(parts.last?.suffix(400) ?? "") "
                    + note.suffix(2000))
        }
        return (lines(parts[0]), lines(String(parts[1].dropLast(4))))
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map { String($0) } }

    private func compare(_ found: [String], _ others: [String], _ what: String) throws {
        if let lost = others.first(where: { $0.hasPrefix("LOST") }) { throw ProgramFailure("\(what): \(lost)") }
        let others = Set(others.filter { $0.contains("#") })
        let found = Set(found)
        guard found != others else { return }
        let (mine, theirs) = (found.subtracting(others).sorted(), others.subtracting(found).sorted())
        throw ProgramFailure(
            "\(what): \(mine.count) and \(theirs.count) lines differ: \(mine.first?.prefix(600) ?? "-") and "
                + (theirs.first?.prefix(600) ?? "-"))
    }
}

extension RandomProgram {
    /// Adds and removes objects with much data, so that the size of the file is near 64 MiB.
    mutating func changeBallast() throws {
        let isNew = !database.schema.tables.contains { $0.name == "Ballast" }
        let table = TableDefinition(class: "Ballast", [PropertyDefinition("blob", .binary, isNullable: true)])
        try store.write { transaction in
            if isNew { try transaction.addClass(table) }
            let here = objects.keys.filter { $0.className == "Ballast" }.sorted { $0.key < $1.key }
            for reference in here.shuffled(using: &random).prefix(isNew ? 0 : 3) {
                try transaction.delete(reference)
                objects[reference] = nil
            }
            for _ in 0..<(isNew ? 62 : Int.random(in: 2...4, using: &random)) {
                let byte = UInt8.random(in: 0...255, using: &random)
                let count = Int.random(in: 700_000...1_300_000, using: &random)
                let value: NewValue = .binary([UInt8](repeating: byte, count: count))
                let reference = try transaction.add("Ballast", ["blob": value])
                objects[reference] = ["blob": value]
            }
        }
        if isNew { database.schema.tables.append(table) }
    }
}
