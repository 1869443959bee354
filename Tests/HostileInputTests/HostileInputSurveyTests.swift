import Expectations
import Foundation
import TestSupport
import Testing

/// For any bytes, counting them ends, and the parts add up to the size of the file.
struct HostileInputSurveyTests {
    @Test(arguments: HostileFile.all)
    func `counting the bytes of a handmade file ends`(_ file: HostileFile) {
        expectEqual(surveyEverything(file.bytes()), [])
    }

    @Test(arguments: HostileInputFuzzCaseTests.cases)
    func `counting the bytes of files found by fuzzing ends`(_ file: URL) throws {
        expectEqual(surveyEverything([UInt8](try Data(contentsOf: file))), [])
    }
}
