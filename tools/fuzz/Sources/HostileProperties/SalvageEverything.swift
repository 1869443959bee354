import Foundation
internal import RealmFile
public import RealmForensics

/// Salvages `bytes`. For any bytes, this ends with a refusal, or with a sound file that can be read completely.
///
/// - Parameter folder: the folder for the file.
/// - Returns: violations: a file with errors, or a refusal although something could be recovered.
public func salvageEverything(_ bytes: [UInt8], root: Salvage.Root = .current, in folder: URL) -> [String] {
    var salvage = Salvage(ByteSource(bytes: bytes))
    salvage.root = root
    return check(salvage, in: folder)
}

/// Encrypts `bytes`, may damage the result, depending on a hash of the bytes, and salvages it with or without
/// authentication.
///
/// - Returns: violations.
public func salvageEncrypted(_ bytes: [UInt8], in folder: URL) -> [String] {
    var chance = Chance(bytes)
    let (file, _) = encrypted(bytes, &chance)
    do {
        let key = try EncryptionKey(bytes: PageEncryptor.plainKey)
        var salvage = try Salvage(ByteSource(bytes: file), key: key, unproven: chance.next(4) != 0)
        salvage.root = .chosen(by: bytes)
        return check(salvage, in: folder)
    } catch {
        // A refusal.
        return error is FormatError ? [] : ["\(error)"]
    }
}

private func check(_ salvage: Salvage, in folder: URL) -> [String] {
    let path = folder.appending(path: "salvaged-\(UUID().uuidString).realm").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var violations: [String] = []
    do {
        let result = try salvage.write(to: NewFile(path))
        for finding in result.verification.findings where finding.severity >= .error {
            violations.append("\(finding.check.rawValue) \(finding.place): \(finding.message)")
        }
        if !result.verification.isSound { violations.append("the new file is not sound") }
        let report = result.report
        let sawDamage =
            !report.incidents.isEmpty || !report.zeroed.isEmpty || report.lostPages > 0 || report.unprovenPages > 0
        if report.isEmpty == sawDamage {
            violations.append("the report is empty, and is not")
        }
        let snapshot = try RealmDatabase(path: path).snapshot()
        violations += errorsOfReading(snapshot).map { "the new file: \($0)" }
        let counts = try snapshot.tables.map { table in try table.count }
        if counts != result.report.tables.map(\.objects) { violations.append("the report counts other objects") }
    } catch {
        // A refusal.
        if case .source? = error as? WriteError { return [] }
        violations.append("\(error)")
    }
    return violations
}

extension Salvage.Root {
    /// Returns one of the roots, always the same for the same bytes.
    public static func chosen(by bytes: [UInt8]) -> Salvage.Root {
        [.current, .findRoot, .current, .otherSlot][bytes.reduce(0) { $0 &+ Int($1) } & 3]
    }
}

/// A folder for short-lived files, in memory if possible.
public let folderForSalvage =
    FileManager.default.isWritableFile(atPath: "/dev/shm")
    ? URL(filePath: "/dev/shm") : FileManager.default.temporaryDirectory
