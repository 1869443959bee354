import Expectations
import Foundation
import RealmCore
import RealmForensics
import RealmObjects
import RealmStorage
import Testing

/// A database file for one test, which is removed with this object.
final class TestRealm {
    var configuration: Realm.Configuration
    let path: String

    init(_ types: [ObjectBase.Type], version: UInt64 = 0) {
        let url = Self.folder.appending(path: "\(UUID().uuidString).realm")
        path = url.path
        configuration = Realm.Configuration(fileURL: url, schemaVersion: version, objectTypes: types)
    }

    /// The folder of all files: a realm that outlives its test may recreate one. It is removed with the process.
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

    /// Returns the content of the file according to the reader, after checking that it has no damage.
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

/// Returns the exit status of a command in the path, and all of its output.
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
