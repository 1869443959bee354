package import Foundation
internal import RealmLayout
internal import RealmReader
internal import RealmStorage
internal import RealmTransactions
internal import RealmVerifier
internal import RealmWriter
import WriterTestSupport

/// A random database that this project and another program change in turns: `PROGRAM FILE SEED [--key HEX]` says all that the file
/// holds (`BuiltContent.text`, sorted, with lines that begin with a small letter about anything else), then `---`, changes it, says
/// all that it holds then, and `===`. What Realm Core gets wrong with files of its own as well (Spec 165) is left out here
/// (`RandomProgram.isShared`), and is to be left out by such a program.
package struct Turns {
    /// Nil where nobody else changes files.
    package let program: URL?
    package let seed: UInt64
    package let isEncrypted: Bool
    /// Whether the file is about as large as 64 MiB, which no node may cross a multiple of.
    package var isLarge = false

    package init(_ program: URL?, seed: UInt64, isEncrypted: Bool) {
        (self.program, self.seed, self.isEncrypted) = (program, seed, isEncrypted)
    }

    private var keyBytes: [UInt8]? {
        isEncrypted ? (0..<64).map { UInt8(truncatingIfNeeded: seed &+ $0) } : nil
    }

    /// The hash of all files that this project's turns make of one another: of programs in `AcceptedFiles` the other program has accepted each
    /// (docs/verification.md).
    ///
    /// - Parameter isAsked: whether the other program changes a copy of each file.
    /// - Throws: as `run`.
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
                // What it made of it is another matter.
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
    /// - Returns: how many values both found to be the same.
    /// - Throws: `ProgramFailure` where they did not, or something is wrong with the file. It is left there.
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
                // And what it made of it.
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

    /// Some transactions, after which others may have the file.
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
        // On a copy in memory: nothing has the file open any more.
        program = try program.continued(on: program.bytes())
    }

    private func check(_ path: String, _ key: EncryptionKey?) throws {
        let (source, verification) = (try ByteSource(path: path), Verification(level: .deep))
        let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
        // Where a copy of page 0 was before the other program cut it off, an entry tells of a page that is free now (Spec 220). Realm Core
        // moves nodes towards the beginning of a file long before it shortens the file.
        let finding = report.findings.first {
            $0.severity > .info && $0.check != .utf8 && $0.check != .physicalSize
                && !($0.check == .pageAuthentication && $0.severity < .error)
        }
        if let finding { throw ProgramFailure("\(finding.check.rawValue) \(finding.place): \(finding.message)") }
    }

    /// What the other program says.
    private func others(_ path: String, _ turn: Int) throws -> (before: [String], after: [String]) {
        // What it got, for a look at what it did with it.
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
    /// Lets objects with much in them come and go, so that the file is about as large as 64 MiB.
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
