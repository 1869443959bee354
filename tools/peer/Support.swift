// Support code for the tests of RealmSwift, for XCTest without Objective-C.

import Foundation
import RealmFile
import RealmObjects
import XCTest

/// A base class with a separate folder for each test.
class RLMTestCaseBase: XCTestCase {
    private(set) var testDir: String! = nil
    /// The running test.
    nonisolated(unsafe) static var running = ""

    override func invokeTest() {
        testDir =
            NSTemporaryDirectory() + "/peer-tests-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
        Self.running = testDir
        try! FileManager.default.createDirectory(atPath: testDir, withIntermediateDirectories: true)
        Realm.Configuration.defaultConfiguration = Realm.Configuration(fileURL: defaultRealmURL())
        super.invokeTest()
        try? FileManager.default.removeItem(atPath: testDir)
    }

    func testRealmURL() -> URL { URL(fileURLWithPath: testDir + "/test.realm") }
    func defaultRealmURL() -> URL { URL(fileURLWithPath: testDir + "/default.realm") }
}

class TestCase: RLMTestCaseBase {
    let queue = DispatchQueue(label: "background")
    var exceptionThrown = false

    override func invokeTest() {
        super.invokeTest()
        queue.sync {}
    }

    func configurationWithTestPath(configuration: Realm.Configuration = Realm.Configuration()) -> Realm.Configuration {
        var configuration = configuration
        configuration.fileURL = testRealmURL()
        return configuration
    }

    @discardableResult
    func realmWithTestPath(configuration: Realm.Configuration = Realm.Configuration()) -> Realm {
        try! Realm(configuration: configurationWithTestPath(configuration: configuration))
    }

    func dispatchSyncNewThread(block: @Sendable @escaping () -> Void) {
        queue.async { block() }
        queue.sync {}
    }

    func dispatchSyncBackground(block: @Sendable @escaping (TestCase) -> Void) {
        nonisolated(unsafe) let test = self
        queue.async { block(test) }
        queue.sync {}
    }
}

// RealmSwift raises exceptions of Objective-C where this library ends the program; expressions that would raise one are
// not evaluated.
protocol ThrowingNothing {}
extension XCTestCase: ThrowingNothing {}
extension ThrowingNothing {
    func assertThrows<T>(
        _ block: @autoclosure () -> T, named: String? = nil, _ message: String? = nil, fileName: String = #file,
        lineNumber: UInt = #line
    ) { LeftOut.exceptions += 1 }
    func assertThrows<T>(
        _ block: @autoclosure () -> T, reason: String, _ message: String? = nil, fileName: String = #file,
        lineNumber: UInt = #line
    ) { LeftOut.exceptions += 1 }
    func assertThrows<T>(
        _ block: @autoclosure () -> T, reasonMatching: String, _ message: String? = nil, fileName: String = #file,
        lineNumber: UInt = #line
    ) { LeftOut.exceptions += 1 }
    func RLMAssertThrowsWithReasonMatching<T>(
        _ test: XCTestCase, _ block: @escaping () -> T, _ reason: String, _ message: String? = nil,
        _ fileName: String = #file, _ lineNumber: UInt = #line
    ) { LeftOut.exceptions += 1 }
    func RLMAssertThrowsWithReason<T>(
        _ test: XCTestCase, _ block: @escaping () -> T, _ reason: String, _ message: String? = nil,
        _ fileName: String = #file, _ lineNumber: UInt = #line
    ) { LeftOut.exceptions += 1 }
}

extension XCTestCase {
    func assertMatches(
        _ block: @autoclosure () -> String, _ pattern: String, _ message: String? = nil, fileName: String = #file,
        lineNumber: UInt = #line
    ) {
        let text = block()
        XCTAssertNotNil(text.range(of: pattern, options: .regularExpression), "'\(text)' does not match '\(pattern)'")
    }
}

// Types from the older form of models, replaced by their values.
typealias RealmOptional<T> = T?
typealias RealmProperty<T> = T

extension XCTestCase {
    func waitForExpectations(handler: XCWaitCompletionHandler? = nil) {
        waitForExpectations(timeout: 10, handler: handler)
    }
    func fulfillment(of expectations: [XCTestExpectation]) async { await fulfillment(of: expectations, timeout: 10) }
}

extension IndexPath {
    init(item: Int, section: Int) { self.init(indexes: [section, item]) }
}

enum LeftOut {
    nonisolated(unsafe) static var exceptions = 0
}

let RLMExceptionName = "RLMException"

func inMemoryRealm(_ identifier: String) -> Realm {
    // Tests live as long as the program, with everything they retain: each gets its own database.
    try! Realm(configuration: Realm.Configuration(inMemoryIdentifier: identifier + RLMTestCaseBase.running))
}

func openRealm(
    configuration: Realm.Configuration = .defaultConfiguration, actor: isolated any Actor,
    downloadBeforeOpen: Realm.OpenBehavior = .never
) async throws -> Realm {
    try await Realm.open(configuration: configuration)
}

/// The classes of a file, according to another reader.
struct FileSchema {
    let classes: [String: [String]]
    init(_ url: URL) {
        let schema = (try? RealmDatabase(path: url.path).snapshot())?.schema
        classes = Dictionary(
            uniqueKeysWithValues: (schema?.classes ?? []).map { ($0.name, $0.properties.map(\.name)) })
    }
    func schema(forClassName name: String) -> (properties: [String], Void)? {
        classes[name].map { (properties: $0, ()) }
    }
}

@discardableResult
func autoreleasepool<T>(invoking body: () throws -> T) rethrows -> T { try body() }

/// A value shared by threads.
@propertyWrapper
final class Locked<T>: @unchecked Sendable {
    private var held: T
    private let lock = NSLock()

    init(_ value: T) { held = value }
    convenience init(wrappedValue: T) { self.init(wrappedValue) }

    var value: T {
        get { lock.withLock { held } }
        set { lock.withLock { held = newValue } }
        _modify {
            lock.lock()
            defer { lock.unlock() }
            yield &held
        }
    }
    var wrappedValue: T {
        get { value }
        set { value = newValue }
    }
    func withLock<U>(_ body: (inout T) -> U) -> U { lock.withLock { body(&held) } }
}

func assertEqual<O: Object>(
    _ left: O?, _ right: O?, fileName: StaticString = #filePath, lineNumber: UInt = #line
) {
    let isEqual = left == nil ? right == nil : right.map { left!.isSameObject(as: $0) } ?? false
    XCTAssertTrue(
        isEqual, "\(String(describing: left)) is another object than \(String(describing: right))", file: fileName,
        line: lineNumber)
}

func assertEqual<C: Collection>(_ left: C, _ right: C, fileName: StaticString = #filePath, lineNumber: UInt = #line)
where C.Element: Object {
    XCTAssertEqual(left.count, right.count, file: fileName, line: lineNumber)
    for (one, other) in zip(left, right) { assertEqual(one, other, fileName: fileName, lineNumber: lineNumber) }
}

func assertEqual<T: Equatable>(_ expected: [T?], _ actual: [T?], file: StaticString = #file, line: UInt = #line) {
    XCTAssertEqual(expected, actual, file: file, line: line)
}

func assertSucceeds(
    message: String? = nil, fileName: StaticString = #filePath, lineNumber: UInt = #line, block: () throws -> Void
) {
    XCTAssertNoThrow(try block(), message ?? "", file: fileName, line: lineNumber)
}

private func failure<T>(_ block: () throws -> T, _ file: StaticString, _ line: UInt) -> Error? {
    do { _ = try block() } catch { return error }
    XCTFail("nothing was thrown", file: file, line: line)
    return nil
}

func assertFails<T>(
    _ code: Realm.Error.Code, _ message: String? = nil, fileName: StaticString = #filePath, lineNumber: UInt = #line,
    block: () throws -> T
) {
    guard let error = failure(block, fileName, lineNumber) else { return }
    XCTAssertEqual((error as? Realm.Error)?.code, code, "\(error)", file: fileName, line: lineNumber)
    if let message { XCTAssertEqual(error.localizedDescription, message, file: fileName, line: lineNumber) }
}

func assertFails<T>(
    _ code: Realm.Error.Code, _ url: URL, _ message: String, fileName: StaticString = #filePath,
    lineNumber: UInt = #line, block: () throws -> T
) {
    guard let error = failure(block, fileName, lineNumber) else { return }
    XCTAssertEqual((error as? Realm.Error)?.code, code, "\(error)", file: fileName, line: lineNumber)
    XCTAssertEqual((error as? Realm.Error)?.fileURL, url, file: fileName, line: lineNumber)
}

func assertFails<T>(
    _ expected: Error, _ message: String? = nil, fileName: StaticString = #filePath, lineNumber: UInt = #line,
    block: () throws -> T
) {
    guard let error = failure(block, fileName, lineNumber) else { return }
    XCTAssertEqual(error._code, expected._code, file: fileName, line: lineNumber)
}

func assertNil<T>(
    block: @autoclosure () -> T?, _ message: String? = nil, fileName: StaticString = #filePath, lineNumber: UInt = #line
) {
    XCTAssert(block() == nil, message ?? "", file: fileName, line: lineNumber)
}

func assertSetContains<T, U: Hashable>(_ set: MutableSet<T>, keyPath: KeyPath<T, U>, items: [U]) {
    let found = Set(set.map { $0[keyPath: keyPath] })
    XCTAssertTrue(found.isSuperset(of: items), "\(items) are not all in \(found)")
}

func assertAnyRealmCollectionContains<T, U: Hashable>(
    _ set: AnyRealmCollection<T>, keyPath: KeyPath<T, U>, items: [U]
) {
    let found = Set(set.map { $0[keyPath: keyPath] })
    XCTAssertTrue(found.isSuperset(of: items), "\(items) are not all in \(found)")
}

func assertThrowsErrorAsync<T: Sendable, E: Equatable & Error>(
    _ expression: @autoclosure () async throws -> T, _ expected: E,
    _isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath, line: UInt = #line
) async {
    do {
        _ = try await expression()
        XCTFail("nothing was thrown", file: file, line: line)
    } catch { XCTAssertEqual(error as? E, expected, "\(error)", file: file, line: line) }
}

/// Checks that a predicate as text finds the same objects as in Swift.
func assertSame<T>(_ realm: Realm, _ predicate: String, _ values: [Any], _ query: (ObjectQuery<T>) -> ObjectQuery<Bool>)
{
    func open<O: Object>(_ type: O.Type) {
        guard let query = query as? (ObjectQuery<O>) -> ObjectQuery<Bool> else { return }
        let typed = realm.objects(type).where(query)
        let objects = realm.objects(type)
        let values = values.map { value in value is NSNull ? Optional<Int>.none as Any : value }
        let found =
            switch values.count {
            case 0: objects.filter(predicate)
            case 1: objects.filter(predicate, values[0])
            case 2: objects.filter(predicate, values[0], values[1])
            case 3: objects.filter(predicate, values[0], values[1], values[2])
            case 4: objects.filter(predicate, values[0], values[1], values[2], values[3])
            case 5: objects.filter(predicate, values[0], values[1], values[2], values[3], values[4])
            default: objects.filter(predicate, values[0], values[1], values[2], values[3], values[4], values[5])
            }
        XCTAssertEqual(found.count, typed.count, predicate)
    }
    if let type = T.self as? Object.Type { open(type) }
}

extension Realm {
    @discardableResult
    func create<T: Object>(_ type: T.Type, value: [String: Any], update: UpdatePolicy = .error) -> T {
        create(type, value: value as Any, update: update)
    }
    @discardableResult
    func create<T: Object>(_ type: T.Type, value: [Any], update: UpdatePolicy = .error) -> T {
        create(type, value: value as Any, update: update)
    }
}

extension Object {
    convenience init(value: [String: Any]) { self.init(value: value as Any) }
    convenience init(value: [Any]) { self.init(value: value as Any) }
}

extension AsymmetricObject {
    convenience init(value: [String: Any]) { self.init(value: value as Any) }
    convenience init(value: [Any]) { self.init(value: value as Any) }
}
