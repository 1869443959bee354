import Expectations
import Foundation
import HostileProperties
import TestSupport
import Testing

/// For any bytes, opening them for writing and changing them terminates, and sound files stay sound.
@Suite struct HostileInputChangeTests {
    @Test(arguments: Share.current.of(HostileFile.all, sequence: 4))
    func `a handmade file is refused, or changed if it is sound`(_ file: HostileFile) {
        expectEqual(changeEverything(file.bytes(), in: folderForSalvage), [])
    }

    @Test(arguments: Share.current.of(HostileInputFuzzCaseTests.cases, sequence: 4))
    func `a file found by fuzzing is refused, or changed if it is sound`(_ file: URL) throws {
        expectEqual(changeEverything([UInt8](try Data(contentsOf: file)), in: folderForSalvage), [])
    }
}
