import Expectations
import Foundation
import Testing

/// Unsupported API: the compiler reports it, with the replacement.
@Suite struct RefusedTests {
    /// Lines of RealmSwift code, with the expected messages of the compiler.
    private static let refused: [(code: String, says: String)] = {
        let services = "Atlas App Services has been shut down; RealmObjects opens local files only"
        let sync = "Atlas Device Sync has been shut down; RealmObjects opens local files only"
        let whole = "Atlas Device Sync has been shut down; a file has all of its objects"
        let events = "events went to Atlas App Services, which has been shut down"
        let waiting = "opening a local file needs no waiting"
        let documents = "the product RealmExchange has BSON documents"
        var lines = [
            ("func a(_ app: App) {}", "'App' is unavailable: \(services)"),
            ("func a() { _ = App(id: \"app\") }", "'App' is unavailable: \(services)"),
            (
                "func a(_ user: User) {}",
                "'User' is unavailable: Atlas App Services has been shut down; RealmObjects has no users"
            ),
            ("func a(_ client: MongoClient) {}", "'MongoClient' is unavailable: \(services)"),
            ("func a(_ sync: SyncConfiguration) {}", "'SyncConfiguration' is unavailable: \(sync)"),
            ("func a(_ session: SyncSession) {}", "'SyncSession' is unavailable: \(sync)"),
            ("func a(_ set: SyncSubscriptionSet) {}", "'SyncSubscriptionSet' is unavailable: \(whole)"),
            ("func b(_ realm: Realm) { _ = realm.subscriptions }", "'subscriptions' is unavailable: \(whole)"),
            ("func b(_ dogs: Results<Dog>) async throws { _ = try await dogs.subscribe(name: \"all\") }", whole),
            ("func b(_ dogs: Results<Dog>) { dogs.unsubscribe() }", "'unsubscribe()' is unavailable: \(whole)"),
            (
                "func c(_ c: inout Realm.Configuration) { c.syncConfiguration = nil }",
                "'syncConfiguration' is unavailable: \(sync)"
            ),
            (
                "func c(_ c: Realm.Configuration) { _ = c.eventConfiguration }",
                "'eventConfiguration' is unavailable: \(events)"
            ),
            (
                "func c() { _ = Realm.Configuration(syncConfiguration: nil, schemaVersion: 3) }",
                "leave syncConfiguration out"
            ),
            ("func c() { _ = EventConfiguration() }", "'EventConfiguration' is unavailable: \(events)"),
            ("func c(_ events: Events) {}", "'Events' is unavailable: \(events)"),
            ("func c(_ realm: Realm) { _ = realm.events }", "'events' is unavailable: \(events)"),
            ("class Told: CustomEventRepresentable {}", "'CustomEventRepresentable' is unavailable: \(events)"),
            (
                "struct Opening { @AsyncOpen(appId: \"app\", timeout: 4000) var open }",
                "'AsyncOpen' is unavailable: \(waiting)"
            ),
            (
                "struct Opened { @AutoOpen(appId: \"app\", timeout: 4000) var open }",
                "'AutoOpen' is unavailable: \(waiting)"
            ),
            ("func e(_ bson: AnyBSON) {}", documents),
            ("func e(_ bson: any BSON) {}", documents),
            ("class Old: Object { let age = RealmOptional<Int>() }", "write @Persisted var name: Value? in place"),
            ("class Young: Object { let age = RealmOptional<Int>(5) }", "write @Persisted var name: Value? in place"),
            ("class Older: Object { let age = RealmProperty<Int?>() }", "write @Persisted var name: Value in place"),
            ("func f() { _ = ObjectiveCSupport.self }", "there are no objects of Objective-C to convert to"),
            ("func f(_ value: Any) { _ = value as? RLMSwiftCollectionBase }", "write 'as? any RealmCollection'"),
            (
                "struct Card { @Projected(\\Dog.name) var name }",
                "@Projected can only be used as a property of a Projection"
            ),
        ]
        #if !canImport(ObjectiveC)
            lines.append(
                ("class Oldest: Object { @objc dynamic var age = 0 }", "Objective-C interoperability is disabled"))
        #endif
        return lines
    }()

    @Test func `missing declarations are refused with their replacement`() throws {
        let build = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let modules = build.appending(path: "Modules")
        guard FileManager.default.fileExists(atPath: modules.path) else {
            return print("The modules of this build are not beside the tests.")
        }
        let head = ["import RealmObjects", "class Dog: Object { @Persisted var name = \"\" }"]
        let file = FileManager.default.temporaryDirectory.appending(path: "refused-\(UUID()).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try (head + Self.refused.enumerated().map { "enum Case\($0) { \($1.code) }" }).joined(separator: "\n").write(
            to: file, atomically: true, encoding: .utf8)
        let errors = try errors(in: file, modules)
        for (index, (code, says)) in Self.refused.enumerated() {
            let said = errors[index + head.count + 1] ?? []
            expect(said.contains { $0.contains(says) }, "\(code): \(said)")
        }
        // Supported API is accepted, and there are no other errors, such as a missing module.
        let others = errors.keys.filter { $0 <= head.count || $0 > head.count + Self.refused.count }
        expect(others.isEmpty, "\(errors)")
    }

    @Test func `every compiler error listed in the guide is tested`() throws {
        let guide = Self.sources.appending(path: "RealmObjects/RealmObjects.docc/LeavingRealmSwift.md")
        let rows = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "|")
        }
        let promising = rows.filter { $0.count > 1 && $0[1].hasPrefix(" not offered, and the compiler says so") }
        let names = promising.flatMap { $0[0].matches(of: #/`@?(\w+)`/#).map { String($0.output.1) } }
        expect(names.count > 15)
        for name in names {
            expect(Self.refused.contains { $0.code.contains(name) }, "nothing here tries \(name)")
        }
    }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")

    /// Returns the compiler's messages about a file, by line.
    private func errors(in file: URL, _ modules: URL) throws -> [Int: [String]] {
        let headers = ["CLibCrypto", "CSwiftMetadata/include", "RealmStorage/ThreadNumber/include"].flatMap {
            ["-I", Self.sources.appending(path: $0).path]
        }
        let (status, text) = try answer(
            of: ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path] + headers + [file.path])
        var errors: [Int: [String]] = [:]
        for found in text.matches(of: #/(?m)^[^\n:]+:(\d+):\d+: error: (.*)$/#) {
            errors[Int(found.output.1) ?? 0, default: []].append(String(found.output.2))
        }
        // For example, if the compiler does not start.
        if status != 0, errors.isEmpty { errors[0] = [text] }
        return errors
    }
}
