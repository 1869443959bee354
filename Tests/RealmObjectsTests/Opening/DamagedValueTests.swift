import Expectations
import Foundation
import RealmCore
import RealmObjects
import TestSupport
import Testing

/// Live objects of damaged files: opening throws; reading a property cannot throw and ends the program with a message.
@Suite struct DamagedValueTests {
    final class Note: Object {
        @Persisted var text = ""
        @Persisted var lines: List<String>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static let long = String(repeating: "abcdefgh", count: 12)

    /// Returns a file of one object, whose long text has a length beyond the size of the file.
    private func file(_ values: [String: Any]) throws -> TestRealm {
        let file = TestRealm([Note.self])
        try {
            let realm = try file.open()
            try realm.write { realm.add(Note(value: values)) }
        }()
        var bytes = try Data(contentsOf: URL(filePath: file.path))
        let text = try #require(bytes.firstRange(of: Data(Self.long.utf8)))
        bytes.replaceSubrange(text.lowerBound - 3..<text.lowerBound, with: [0xFF, 0xFF, 0xFF])
        try bytes.write(to: URL(filePath: file.path))
        return file
    }

    private static func note(_ path: String) throws -> Note? {
        let url = URL(filePath: path)
        let realm = try Realm(configuration: .init(fileURL: url, readOnly: true, objectTypes: [Note.self]))
        return realm.objects(Note.self).first
    }

    private func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func `damage in a value is reported with its place on reading`() async throws {
        let (text, line) = (try file(["text": Self.long]), try file(["lines": ["a", Self.long]]))
        let (textPath, linePath) = (text.path, line.path)
        let ofText = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = textPath as String] in
            let note = try Self.note(path)
            guard note?.lines.isEmpty == true else { return }
            print(note?.text as Any)
        }
        let ofLine = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = linePath as String] in
            let note = try Self.note(path)
            guard note?.text.isEmpty == true, note?.lines.count == 2 else { return }
            print(note?.lines[1] as Any)
        }
        for (said, place) in [(said(ofText), "Note.text (object 0)"), (said(ofLine), "Note.lines (object 0)")] {
            expect(
                said.contains("Fatal error: \(place): the node's 16777215 bytes of payload reach beyond"), "\(said)")
        }
        withExtendedLifetime((text, line)) {}
    }

    /// Returns the bytes of a known file with random changes.
    private func changed(_ known: KnownFile, _ chance: inout Seeded) throws -> [UInt8] {
        var bytes = try known.bytes()
        for _ in 0..<1 << Int.random(in: 0..<5, using: &chance) {
            let place = Int.random(in: 24..<bytes.count, using: &chance)
            let bit = UInt8(1) << Int.random(in: 0..<8, using: &chance)
            bytes[place] = Bool.random(using: &chance) ? bytes[place] ^ bit : Bool.random(using: &chance) ? 0 : 0xFF
        }
        return bytes
    }

    private static let cases = (0..<64).filter { Share.current.contains($0, of: 0) }

    @Test(arguments: cases)
    func `the program ends only with a message`(seed: Int) async throws {
        var chance = Seeded(UInt64(seed))
        let files = KnownFile.fixtures.filter { $0.format == 24 }
        let known = try #require(files.randomElement(using: &chance))
        let classes = try RealmDatabase(path: known.url.path).snapshot().classes.map(\.schema)
        let names = classes.filter { $0.kind == .topLevel }.map(\.name)
        let version = (try? schemaVersionAtURL(known.url)) ?? 0
        let file = TestRealm([])
        try Data(changed(known, &chance)).write(to: URL(filePath: file.path))
        let (path, readOnly) = (file.path, seed % 8 < 4)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = path as String, names = names as [String], version = version as UInt64, readOnly = readOnly as Bool]
            in
            let configuration = Realm.Configuration(
                fileURL: URL(filePath: path), readOnly: readOnly, schemaVersion: version, objectTypes: [])
            do { try Self.visit(Realm(configuration: configuration), names, changes: !readOnly) } catch is Realm.Error {
            }
            fatalError("The program went on.")
        }
        let said = said(result)
        expect(
            said.contains("The program went on.") || said.contains(/RealmObjects\/[\w+]+\.swift:\d+: Fatal error: \w/),
            "\(said)")
        withExtendedLifetime(file) {}
    }

    /// Reads all objects; with changes, sets numbers to their values, and deletes all objects.
    private static func visit(_ realm: Realm, _ names: [String], changes: Bool) throws {
        for name in names {
            let (objects, content) = (realm.dynamicObjects(name), ShownContent(realm))
            for object in objects.prefix(200) { _ = try content.text(object) }
            guard changes, let properties = objects.first?.objectSchema.properties else { continue }
            try realm.write {
                for object in objects.prefix(50) {
                    for property in properties where property.type == .int && !property.isArray && !property.isMap {
                        if !property.isSet, !property.isIndexed { object[property.name] = object[property.name] }
                    }
                }
                realm.delete(objects)
            }
        }
    }
}
