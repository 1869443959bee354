import Expectations
import Foundation
import HostileProperties
import RealmCore
import RealmExchange
import TestSupport
import Testing

/// For any input, an import terminates with an error that names the place, or with a sound file.
@Suite struct HostileInputImportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func check(_ bytes: [UInt8], _ form: ImportForm) {
        let violations = importEverything(bytes, as: form, in: folder.path)
        expect(violations.isEmpty, "\(violations) \(bytes.prefix(2000))")
    }

    /// The documents of the property, as BSON.
    private static let documents = importDocuments.split(separator: "\n").flatMap { BSONBytes.of(String($0)) }

    @Test func `the documents that are changed below are imported without the changes`() throws {
        check(Self.documents, .canonicalBSON)
        let imported = try RealmDatabase(path: folder.file("new.realm")).snapshot()
        try expectEqual(imported.table(named: "T").count, 2)
        expectEqual(imported.schema.version, 3)
        check(Array(importSidecar.utf8), .sidecar)
        check(Array(importDocuments.utf8), .canonicalJSON)
        try expectEqual(RealmDatabase(path: folder.file("new.realm")).snapshot().contentHash(), imported.contentHash())
    }

    /// Tries every prefix of documents, and every byte changed to a few others.
    @Test func `every beginning of documents and every changed byte ends in an error or a sound file`() {
        for count in 0..<Self.documents.count { check(Array(Self.documents.prefix(count)), .canonicalBSON) }
        for index in Self.documents.indices {
            for value in [0, 0xFF, Self.documents[index] &+ 1, Self.documents[index] ^ 0x10] as [UInt8] {
                var bytes = Self.documents
                bytes[index] = value
                check(bytes, .canonicalBSON)
            }
        }
    }

    /// Tries the same for text, in larger steps.
    @Test(arguments: [ImportForm.canonicalJSON, .sidecar])
    func `changed text ends in an error or a sound file`(_ form: ImportForm) {
        let text = Array((form == .sidecar ? importSidecar : importDocuments).utf8)
        for index in stride(from: 0, to: text.count, by: 3) {
            check(Array(text.prefix(index)), form)
            var bytes = text
            bytes[index] = index % 2 == 0 ? UInt8(ascii: "\"") : UInt8(ascii: "9")
            check(bytes, form)
        }
    }

    /// Bytes in a form other than the declared one.
    @Test(arguments: ImportForm.allCases)
    func `bytes in another form than the declared one end in an error or a sound file`(_ form: ImportForm) {
        check([], form)
        for bytes in [Self.documents, Array(importDocuments.utf8), [UInt8](repeating: 0xFF, count: 100)] {
            check(bytes, form)
        }
    }

    /// Documents nested deeper than the limit.
    @Test func `documents nested deeper than the limit end in an error`() {
        var nested: [UInt8] = [5, 0, 0, 0, 0]
        for _ in 0..<400 {
            let size = UInt32(nested.count + 8)
            nested = (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + [3, 0x6D, 0] + nested + [0]
        }
        check(nested, .canonicalBSON)
        check(nested, .bson)
        let text = String(repeating: #"{"m":"#, count: 400) + "1" + String(repeating: "}", count: 400)
        check(Array(text.utf8), .extendedJSON)
        check(Array(text.utf8), .json)
    }

    /// Errors name file, document and byte.
    @Test(
        arguments: [
            ([1, 2, 3] as [UInt8], "document 2, at byte 268: 3 bytes after the last document"),
            ([100, 0, 0, 0, 0], "document 2, at byte 268: a document of 100 bytes ends after 5"),
            ([4, 0, 0, 0], "document 2, at byte 268: a document cannot have 4 bytes"),
        ] as [([UInt8], String)])
    func `an error names file, document and byte`(_ more: [UInt8], _ words: String) throws {
        try folder.write(Self.documents + more, "T.bson")
        try folder.write(Array(importSidecar.utf8), "realm-schema.json")
        do {
            _ = try Importer([folder.path]).run(to: folder.file("new.realm"))
            Issue.record("imported")
        } catch {
            let place = words.replacingOccurrences(of: "byte 268", with: "byte \(Self.documents.count)")
                .replacingOccurrences(of: ", at", with: " at")
            expectEqual("\(error)", "\(folder.file("T.bson")): \(place)")
        }
        expectEqual(folder.bytes("new.realm"), nil)
    }
}
