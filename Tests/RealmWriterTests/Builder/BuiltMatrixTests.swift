import RealmLayout
import RealmReader
import RealmStorage
import RealmVerifier
import TestSupport
import Testing

@testable import RealmWriter

/// The files of the matrix are, byte for byte, those that Realm Core 14.14 opens, changes and verifies.
@Suite struct BuiltMatrixTests {
    /// SHA-256 of each file. When a change of the writer changes them, have Realm Core look at the new files first
    /// (CONTRIBUTING).
    private static let hashes: [String: String] = [:]

    @Test(arguments: BuiltMatrix.all)
    func sameBytes(_ file: BuiltMatrix) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("built.realm")
        let builder = try RealmBuilder(file.schema, at: NewFile(path))
        try file.build(builder)
        try builder.finish()
        let bytes = try #require(folder.bytes("built.realm"))
        try BuiltFiles.keep(bytes, file.name)
        let hash = try SHA256()
        ByteView.with(bytes) { hash.update($0) }
        #expect(hexadecimal(try hash.finish()) == Self.hashes[file.name], "\(file.name)")
        let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
            .filter { !($0.check == .tombstones && $0.severity == .info) }
            .map { "\($0.check.rawValue) \($0.place): \($0.message)" }
        #expect(findings.isEmpty)
    }
}
