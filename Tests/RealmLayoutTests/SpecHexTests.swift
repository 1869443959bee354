import Expectations
import Foundation
import TestSupport
import Testing

/// Every byte printed in the Spec equals that in the fixture.
struct SpecHexTests {
    @Test func `the bytes in the Spec match the fixtures`() throws {
        let lines = try SpecDocument.load().hexLines
        expect(lines.count > 100)
        var fixtures: [String: [UInt8]] = [:]
        for line in lines {
            if fixtures[line.fixture] == nil {
                let url = KnownFile.packageRoot.appending(path: "Fixtures/\(line.fixture)")
                fixtures[line.fixture] = [UInt8](try Data(contentsOf: url))
            }
            let bytes = try #require(fixtures[line.fixture])
            let place = "\(line.chapter): \(line.fixture) at 0x\(String(line.offset, radix: 16))"
            guard line.offset + line.bytes.count <= bytes.count else {
                Issue.record("\(place) is beyond the end of the file")
                continue
            }
            expectEqual(Array(bytes[line.offset..<(line.offset + line.bytes.count)]), line.bytes, "\(place)")
        }
    }
}
