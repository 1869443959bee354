import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// The verifier's report on the damaged file: damage that reading does not detect still counts.
@Suite struct SalvageSourceTests {
    /// A file, with changes to some of its bytes.
    struct Damage: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [Int: UInt8]
        let errors: Int
        let check: CheckIdentifier

        init(_ name: String, _ bytes: [Int: UInt8], _ errors: Int, _ check: CheckIdentifier) {
            (self.name, self.bytes, self.errors, self.check) = (name, bytes, errors, check)
        }

        var testDescription: String { "\(name) \(bytes.keys.sorted().map { String($0, radix: 16) })" }

        func damaged() throws -> [UInt8] {
            let files = KnownFile.fixtures + KnownFile.corpus
            let file = try #require(files.first { $0.name == name })
            var found = try file.bytes()
            for (offset, byte) in bytes { found[offset] = byte }
            return found
        }
    }

    private func salvage(_ bytes: [UInt8]) throws -> SalvageReport {
        let folder = try TemporaryFolder()
        return try Salvage(ByteSource(bytes: bytes)).write(to: NewFile(folder.file("new.realm"))).report
    }

    private func check(_ damage: Damage) throws {
        let bytes = try damage.damaged()
        let report = try salvage(bytes)
        expect(report.isEmpty, "\(report.incidents)")
        expect(!report.isLossless && !report.isOutdated)
        expectEqual(report.sourceErrors, damage.errors)
        let source = try #require(report.source)
        expectEqual(source.findings.first?.check, damage.check)
        // The verifier's report on the file is the same.
        let file = Verification(level: .standard).run(on: ByteSource(bytes: bytes))
        expectEqual(file.total(.error) + file.total(.fatal), damage.errors)
        expectEqual(file.findings.first?.message, source.findings.first?.message)
    }

    /// A node with two owners, two leaves of one cluster, the payload of a Mixed.
    @Test(arguments: [
        Damage("Fixtures/kennel", [0xA46: 0x00, 0xA47: 0x10], 1, .sharedNode),
        Damage("Fixtures/string-leaves", [0xD0C: 0xB0, 0xD0D: 0x07], 1, .sharedNode),
        Damage("Fixtures/mixed-nested", [0x39E: 0xF6, 0x39F: 0x00], 3, .mixedLeaf),
    ])
    func `damage that reading misses is reported`(_ damage: Damage) throws { try check(damage) }

    /// An index in place of objects, a truncated table list.
    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: [
            Damage("current/dict-primitives", [0xCBE8: 0xC0], 22, .sharedNode),
            Damage("old/v9-links", [0x2FDA: 0x28, 0x2FDB: 0x01], 1, .sharedNode),
        ])
    func `damage to corpus files that reading misses is reported`(_ damage: Damage) throws { try check(damage) }

    /// The previous commit is complete, but not the last one.
    @Test(arguments: ["format-4-enumerated", "format-6-links", "format-7-widths", "format-9-primitive-lists"])
    func `the previous commit is complete and not the last one`(_ name: String) throws {
        var patient = try Patient("Legacy/\(name)")
        // A bit in the root's first flag byte makes it unreadable.
        patient.bytes[patient.top + 4] = 0x10
        let report = try salvage(patient.bytes)
        expect(report.origin == .otherSlot && report.isEmpty && report.sourceErrors == 0)
        expect(report.isOutdated && !report.isLossless)
    }

    /// A requested slot or root is used.
    @Test func `a requested slot or root is used`() throws {
        let folder = try TemporaryFolder()
        var salvage = Salvage(ByteSource(bytes: try KnownFile.fixture("kennel").bytes()))
        for root in [Salvage.Root.otherSlot, .findRoot] {
            salvage.root = root
            let report = try salvage.write(to: NewFile(folder.file("\(root).realm"))).report
            expect(report.isLossless && !report.isOutdated)
        }
    }

    /// A lost header hides no content.
    @Test func `a lost header loses no content`() throws {
        var bytes = try KnownFile.fixture("kennel").bytes()
        for index in 0..<24 { bytes[index] = 0 }
        try expect(salvage(bytes).isLossless)
    }

    /// Errors in the list of free chunks and in the history type are reported, and lose no content.
    @Test func `errors of free space and history lose no content`() throws {
        var patient = try Patient("kennel")
        // A chunk of zero bytes.
        try patient.set(patient.element(patient.top, 4), 0, 0)
        let list = try salvage(patient.bytes)
        expect(list.source?.total(.error) == 1 && list.source?.findings.first?.check == .freeEntryAlignment)
        expect(list.sourceErrors == 0 && list.isLossless)

        patient = try Patient("kennel")
        // The number 5, tagged.
        try patient.set(patient.top, 7, 11)
        let history = try salvage(patient.bytes)
        expectEqual(history.source?.findings.first?.check, .historyType)
        expect(history.sourceErrors == 0 && history.isLossless)
        // The same rules are never broken with a lower severity, which would be subtracted from the count.
        expect(SalvageReport.harmless.allSatisfy { $0.severity == .error })
    }

    /// A free chunk over a node may be the sign of a stale ref.
    @Test func `a free chunk over a node may be a sign of an old ref`() throws {
        var patient = try Patient("kennel")
        let lengths = patient.element(patient.top, 4)
        try patient.set(lengths, 0, patient.element(lengths, 0) + 8)
        let report = try salvage(patient.bytes)
        expect(report.isEmpty && report.source?.totalsByCheck[.freeVersusLive] == 1)
        expect(report.sourceErrors == 1 && !report.isLossless)
    }

    @Test(arguments: KnownFile.encryptedFixtures.filter { !$0.name.hasSuffix("/empty") })
    func `an encrypted file is salvaged without a loss`(_ file: KnownFile) throws {
        let folder = try TemporaryFolder()
        let recovered = try DatabaseImage.recovered(
            ByteSource(bytes: try file.bytes()), EncryptionKey(bytes: try file.key()))
        let report = try Salvage(recovered).write(to: NewFile(folder.file("new.realm"))).report
        expect(report.isLossless, "\(report.source?.findings ?? [])")
    }

    /// Nodes in a page that was never written are missed in the same way as by the verifier in the encrypted file.
    @Test func `nodes in a page that was never written are reported as missing`() throws {
        let folder = try TemporaryFolder()
        let file = try KnownFile.fixture("Encrypted/people")
        var bytes = try file.bytes()
        bytes.replaceSubrange(64..<128, with: [UInt8](repeating: 0, count: 64))
        let key = try EncryptionKey(bytes: file.key())
        let recovered = try DatabaseImage.recovered(ByteSource(bytes: bytes), key)
        let report = try Salvage(recovered).write(to: NewFile(folder.file("new.realm"))).report
        expect(!report.isLossless)
        expect(report.source?.totalsByCheck[.unwrittenPage] ?? 0 > 0)
        let verified = try Verification(level: .standard).run(on: ByteSource(bytes: bytes), key: key)
        expectEqual(report.source?.totalsByCheck[.unwrittenPage], verified.totalsByCheck[.unwrittenPage])
    }
}
