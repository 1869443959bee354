import Expectations
import Foundation
import RealmObjects
import RealmReader
import RealmStorage
import RealmVerifier
import Testing

/// A file of its own for a test, gone with it.
final class TestRealm {
    var configuration: Realm.Configuration
    let path: String

    init(_ types: [ObjectBase.Type], version: UInt64 = 0) {
        let url = Self.folder.appending(path: "\(UUID().uuidString).realm")
        path = url.path
        configuration = Realm.Configuration(fileURL: url, schemaVersion: version, objectTypes: types)
    }

    /// Where all files are: a realm that outlives its test may bring one back. It goes with the process.
    private static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "objects-\(getpid())")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: TestRealm.folder) }
        return folder
    }()

    deinit {
        for suffix in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    func open() throws -> Realm { try Realm(configuration: configuration) }

    /// What another program sees of the file, which has no damage.
    func verified() throws -> Snapshot {
        let key = try configuration.encryptionKey.map { try EncryptionKey(bytes: [UInt8]($0)) }
        let database = try key.map { try RealmDatabase(path: path, key: $0) } ?? RealmDatabase(path: path)
        let (verification, source) = (Verification(level: .deep), try ByteSource(path: path))
        let findings = try (key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source))
            .findings.filter { $0.severity != .info }
        expect(findings.isEmpty, "\(findings.first.map { "\($0)" } ?? "")")
        return try database.snapshot()
    }
}

let kennelTypes: [ObjectBase.Type] = [Dog.self, Person.self, Address.self, DogClub.self]

/// What a command of the path ends with, and all that it says.
func answer(of command: [String]) throws -> (status: Int32, text: String) {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
}
