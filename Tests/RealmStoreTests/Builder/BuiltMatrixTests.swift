import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import WriterTestSupport

/// The files of the matrix are, byte for byte, those that Realm Core 14.14 opens, changes and verifies.
@Suite struct BuiltMatrixTests {
    /// SHA-256 of each file. When a change of the writer changes a file, first check the new one with Realm Core
    /// (docs/verification.md).
    private static let hashes = [
        "asymmetric": "24a07ed9b59989014912f65b186959bbdba8309184cae75e1ab293c88381da05",
        "backlinks": "978d959dc4ab6635d8cacc0e678a1bf37f47a6ad53b89e718eefd683918fe4b7",
        "collections": "f83f33e5a393d9463ea388913bb46fff25fd54b4f020268274e714958f9d6735",
        "dictionaries": "b9fb459bc0c02c6949c5a862dcb358db947f5bcf0ff8a34df29f25add78f909a",
        "embedded": "c93ccde3b906be1636f252bbcc1ec7346002d619f63c320a08f1755a47d89b1d",
        "full-text": "1ba44cd79c2e91bc63a5247dbe6878351c4509c2252a265cd4f4d24740cdca29",
        "gaps-70000": "aaa20d1c30e7d684dba554cd1b84cd92d9f32a5fdaa523f679e122841b239b68",
        "indexes": "01b660576c1ae8252f7c1b7a25583635703cbabd8a85ec1c2d72b2e5d60eb1c8",
        "long-values": "40734f3784d979eccc492078924b23f664abc5a60af76f576535c60858f94fd0",
        "minimal": "607fe8514389b4bd5668f9dd5b824394cea7864c96a0cfac5c0c57b8a62c7c0a",
        "mixed": "98b09b487c0a8096121da90f4dcad6f57e3ae3a59ac8f67dc258449027cc75cd",
        "no-tables": "98c3990af188dedaba20c7300a4ef505c3a1890b6bb9d1b1d4ec11c74c7c8fc8",
        "primary-keys": "c7422456f0f80f49f3a66cb979cc26b1ce5ce1dcd9a075d4b795f58040c50a4a",
        "sets": "79a80c79170b6bfc717de45074d6854e252041fa1884aee667cab09ee803d4c4",
        "tombstones": "efddc88bfcafd1d0e063b898162de73312dcd6f796396a450d38cc854d4e90c1",
        "types-0": "a1ed8575cec66b9da7c7326d4ab25a63595b0214da45de78cb3e0b1d9efc6b30",
        "types-1": "620571b4c394792a56f900600b80d429311518a294168440fb467f2ac42c814e",
        "types-255": "260988103f2bc9afc1539a1f503acc50fb476a7ea24771b62086f4075eb2396c",
        "types-256": "b949f69be1afd0df5870a82774174d7f6cf1e30d9f8c50e0f74f857b5a0ae10a",
        "types-257": "b8e406c2c714f3214a58737f0d97fa8ed4b64578edba1f144576f1520754203e",
    ]

    @Test(arguments: BuiltMatrix.all)
    func `the same objects give the same bytes`(_ file: BuiltMatrix) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("built.realm")
        let builder = try RealmBuilder(file.schema, at: NewFile(path))
        try file.build(builder)
        try builder.finish()
        let bytes = try #require(folder.bytes("built.realm"))
        try BuiltFiles.keep(bytes, file.name)
        let hash = try MessageDigest(.sha256)
        ByteView.with(bytes) { hash.update($0) }
        expectEqual(Hexadecimal.text(try hash.finish()), Self.hashes[file.name], "\(file.name)")
        let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
            .filter { !($0.check == .tombstones && $0.severity == .info) }
            .map { "\($0.check.rawValue) \($0.place): \($0.message)" }
        expect(findings.isEmpty)
    }
}
