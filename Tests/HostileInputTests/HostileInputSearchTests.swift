import Expectations
import Foundation
import TestSupport
import Testing

/// For any file, a search ends, and its ways agree.
struct HostileInputSearchTests {
    @Test(arguments: HostileFile.all)
    func `a search in a handmade file ends`(_ file: HostileFile) {
        expectEqual(searchEverything(file.bytes()), [])
    }

    @Test(arguments: HostileInputFuzzCaseTests.cases)
    func `a search in files found by fuzzing ends`(_ file: URL) throws {
        expectEqual(searchEverything([UInt8](try Data(contentsOf: file))), [])
    }
}
