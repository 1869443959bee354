import Expectations
import RealmLayout
import RealmStorage
import TestSupport
import Testing

import RealmForensics

/// Objects of an enumerated column share strings: for any number of objects, the work is proportional to the size of
/// the file.
struct SharedStringTests {
    /// Returns the report on a class of 256 objects, each with one of two strings of 100 kB, with an index that has all
    /// in one list.
    private func report(_ strings: [[UInt8]], numbers: [Int]) throws -> VerificationReport {
        var file = HandmadeFile()
        let blobs = strings.map { file.writer.blob($0 + [0]) }
        let distinct = file.writer.refs(blobs, isContext: true)
        var node = file.writer.integers(Array(numbers.indices))
        // 51 levels of "xxxx" lead to a list of all.
        for _ in 0...50 {
            let chunks = file.writer.node(widthType: .bits, width: 32, count: 1, payload: Array("xxxx".utf8))
            node = file.writer.refs([chunks, node], isContext: true)
        }
        let objects = file.cluster(numbers.count, [file.writer.integers(numbers)])
        var column = HandmadeFile.Column("value", .string)
        column.distinct = distinct
        let top = file.addTable("class_Hostile", [column], objects: objects)
        var patient = try Patient(bytes: file.bytes())
        try patient.set(
            patient.child(top, TableTopSlot.spec.rawValue), SpecSlot.attributes.rawValue, patient.append([1]))
        try patient.set(top, TableTopSlot.searchIndexes.rawValue, patient.append([node], flags: 0x40))
        return Verification(level: .deep).run(on: ByteSource(bytes: patient.bytes))
    }

    private let long = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)

    @Test func `strings in order are checked in little work`() throws {
        let numbers = [Int](repeating: 0, count: 128) + [Int](repeating: 1, count: 128)
        let report = try report([long, long + Array("y".utf8)], numbers: numbers)
        expect(report.isSound, "\(report.findings.map(\.message))")
        expectEqual(report.totalsByCheck[.indexListOrder], nil)
    }

    @Test func `strings in another order are checked in little work`() throws {
        let numbers = [Int](repeating: 1, count: 128) + [Int](repeating: 0, count: 128)
        let report = try report([long, long + Array("y".utf8)], numbers: numbers)
        expectEqual(report.totalsByCheck[.indexListOrder], 1)
        expectEqual(report.totalsByCheck[.workLimit], nil)
    }

    /// The same strings alternate: the order is correct, and comparisons must not multiply.
    @Test func `alternating strings are checked in little work`() throws {
        let report = try report([long, long], numbers: (0..<256).map { $0 % 2 })
        expectEqual(report.totalsByCheck[.workLimit], 1)
        expectEqual(report.totalsByCheck[.distinctStrings], 1)
        expectEqual(report.totalsByCheck[.indexContent], nil)
    }
}
