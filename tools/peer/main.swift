// Runs the tests listed in a file, and records each result immediately: a test may end the program.

import Foundation
import XCTest

/// Writes a line for each start, failure and end.
final class Recorder: NSObject, XCTestObservation, @unchecked Sendable {
    private let file: FileHandle
    private let lock = NSLock()
    private var running: (name: String, since: Date)?
    /// The maximum duration of a test, in seconds.
    private let limit = Double(ProcessInfo.processInfo.environment["PEER_TESTS_LIMIT"] ?? "") ?? 60

    init(_ path: String) {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        file = FileHandle(forWritingAtPath: path)!
    }

    func write(_ parts: String...) {
        let line = parts.map { $0.replacingOccurrences(of: "\n", with: " ").replacingOccurrences(of: "\t", with: " ") }
            .joined(separator: "\t")
        lock.withLock { file.write(Data((line + "\n").utf8)) }
    }

    func watch() {
        Thread.detachNewThread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 0.5)
                let late = lock.withLock { running.map { -$0.since.timeIntervalSinceNow > limit } ?? false }
                if late {
                    write("hang")
                    exit(3)
                }
            }
        }
    }

    func testCaseWillStart(_ testCase: XCTestCase) {
        lock.withLock { running = (testCase.name, Date()) }
        write("start", testCase.name)
    }
    func testCase(_ testCase: XCTestCase, didFailWithDescription text: String, inFile file: String?, atLine line: Int) {
        write("fail", testCase.name, "\((file ?? "").split(separator: "/").last ?? ""):\(line): \(text)")
    }
    func testCaseDidFinish(_ testCase: XCTestCase) {
        lock.withLock { running = nil }
        write("end", testCase.name)
    }
}

let environment = ProcessInfo.processInfo.environment
if CommandLine.arguments.contains("--list") {
    for entry in allEntries() { for test in entry.allTests { print("\(entry.testCaseClass).\(test.0)") } }
    exit(0)
}
let recorder = Recorder(environment["PEER_TESTS_RECORD"]!)
recorder.watch()
XCTestObservationCenter.shared.addTestObserver(recorder)
let wanted = Set(
    try String(contentsOfFile: environment["PEER_TESTS_LIST"]!, encoding: .utf8).split(separator: "\n").map(String.init)
)
XCTMain(
    allEntries().map { entry in
        let type = "\(entry.testCaseClass)"
        return (entry.testCaseClass, entry.allTests.filter { wanted.contains("\(type).\($0.0)") })
    }.filter { !$0.1.isEmpty }, arguments: [CommandLine.arguments[0]])
