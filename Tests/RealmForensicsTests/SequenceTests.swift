import Expectations
import RealmLayout
import RealmStorage
import TestSupport
import Testing

import RealmForensics

/// S13 applies to keys created in this file, not to those of other clients of a synchronised database, which contain
/// the identifiers of their files.
struct SequenceTests {
    /// Returns the findings for a class of objects with the keys, in a file whose next key has the number `sequence`.
    private func findings(keys: [Int], sequence: Int = 0, identifier: Int = 0) throws -> Int {
        var file = HandmadeFile()
        let leaves = [file.writer.integers(keys), file.writer.zeros(keys.count)]
        let top = file.addTable("class_Hostile", [.init("value", .int)], objects: file.writer.refs(leaves))
        file.writer.set(TableTopSlot.sequenceNumber.rawValue, of: top, to: NodeWriter.tagged(sequence))
        var patient = try Patient(bytes: file.bytes())
        let rest = [1, 0, 0, identifier].map { NodeWriter.tagged($0) }
        try patient.replace([], patient.elements(patient.top) + [0, 0, 0, rest[0], rest[1], 0, rest[2], rest[3]])
        let report = Verification().run(on: ByteSource(bytes: patient.bytes))
        expect(report.isSound, "\(report.findings.map(\.message))")
        return report.totalsByCheck[.sequenceNumber] ?? 0
    }

    @Test func `keys of this file are checked`() throws {
        try expectEqual(findings(keys: [0, 1], sequence: 2), 0)
        try expectEqual(findings(keys: [0, 1], sequence: 1), 1)
        // The number 256.
        try expectEqual(findings(keys: [0, 65536], sequence: 257), 0)
        try expectEqual(findings(keys: [0, 65536], sequence: 256), 1)
    }

    @Test func `keys of other clients are not checked`() throws {
        try expectEqual(findings(keys: [0x100, 0x101]), 0)
        try expectEqual(findings(keys: [0x0000_0100_0000_0000]), 0)
        try expectEqual(findings(keys: [0, 0x100, 0x105], sequence: 1), 0)
    }

    @Test func `keys of this client are checked`() throws {
        try expectEqual(findings(keys: [0x300, 0x301], sequence: 2, identifier: 3), 0)
        try expectEqual(findings(keys: [0x300, 0x301], sequence: 1, identifier: 3), 1)
        try expectEqual(findings(keys: [0x300, 0x0000_0100_0000_0007], sequence: 7, identifier: 0x100), 1)
        try expectEqual(findings(keys: [0x300, 0x0000_0100_0000_0007], sequence: 8, identifier: 0x100), 0)
    }
}
