import Expectations
import RealmCore
import RealmExchange
import RealmLayout
import RealmStorage
import Synchronization
import TestSupport
import Testing

/// Imports without memory for data that grows with the number of objects: it is spilled to disk, and the file is the
/// same.
@Suite struct ImportSpillTests {
    /// Returns documents with links forwards and backwards, some unresolved, and with duplicate or missing identities.
    private static func documents(identity: (Int) -> String) -> [String: String] {
        var people = ""
        var events = ""
        for number in 0..<2000 {
            // Every 7th has the identity of an earlier one, every 11th none.
            let own = number % 7 == 3 ? number / 2 : number
            let start = number % 11 == 5 ? "" : #""_id":\#(identity(own)),"#
            let friends = [number * 13 % 2000, number * 29 % 2500].map(identity).joined(separator: ",")
            people +=
                "{\(start)\"number\":\(number),\"friends\":[\(friends)],\"best\":\(identity(number * 7 % 2100))}\n"
            events +=
                "{\"_id\":\(number),\"who\":\(identity((number * 37 + 5) % 2000)),\"what\":\"event \(number % 50)\"}\n"
        }
        return ["person.json": people, "event.json": events, "realm-schema.json": schema]
    }

    private static let schema = #"""
        {"realmSchema": 1, "fileFormat": 24, "schemaVersion": 1, "classes": [
        {"name": "event", "table": "class_event", "kind": "topLevel", "primaryKey": "_id", "properties": [
          {"name": "_id", "type": "int", "nullable": false, "index": "general"},
          {"name": "who", "type": "link", "nullable": true, "target": "class_person", "index": "none"},
          {"name": "what", "type": "string", "nullable": false, "index": "general"}]},
        {"name": "person", "table": "class_person", "kind": "topLevel", "primaryKey": "_id", "properties": [
          {"name": "_id", "type": "TYPE", "nullable": false, "index": "general"},
          {"name": "number", "type": "int", "nullable": false, "index": "general"},
          {"name": "friends", "type": "link", "nullable": false, "collection": "list", "target": "class_person",
           "index": "none"},
          {"name": "best", "type": "link", "nullable": true, "target": "class_person", "index": "none"}]}]}
        """#

    private struct Result {
        /// Class, property, kind, count and document of each.
        let losses: [String]
        let bytes: [UInt8]
    }

    private func run(_ files: [String: String], memory: Int?) throws -> Result {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(Array(text.utf8), name) }
        var options = ImportOptions()
        if let memory { (options.memoryOfKeys, options.memoryOfWriter) = (memory, memory) }
        let output = try TemporaryFolder()
        let report = try Importer([folder.path], options).run(to: output.file("new.realm"))
        // No other files remain.
        expectEqual(output.names, ["new.realm"])
        let losses = report.losses.map { "\($0.className) \($0.property ?? "") \($0.kind) \($0.count) \($0.document)" }
        return Result(losses: losses, bytes: try #require(output.bytes("new.realm")))
    }

    /// Returns the document number of each object; documents without an identity, or with a duplicate one, have none.
    private static func expectedNumbers() -> [Int] {
        var seen: Set<Int> = []
        return (0..<2000).filter { number in
            let own = number % 7 == 3 ? number / 2 : number
            return number % 11 != 5 && seen.insert(own).inserted
        }
    }

    /// Strings stored in a fingerprint itself, longer ones, and integers; with no memory, and with memory for some.
    @Test(arguments: ["short", "long", "int"], [0, 100_000])
    func `documents without object keys are imported in any amount of memory`(_ kind: String, memory: Int) throws {
        var files = Self.documents { number in
            switch kind {
            case "short": "\"p\(number)\""
            case "long": "\"somebody with a long name, the \(number)th of them\""
            default: "\(number * 1_000_003)"
            }
        }
        files["realm-schema.json"] = Self.schema.replacing("TYPE", with: kind == "int" ? "int" : "string")
        let usual = try run(files, memory: nil)
        let spilled = try run(files, memory: memory)
        expectEqual(spilled.bytes, usual.bytes)
        expectEqual(spilled.losses, usual.losses)
        let snapshot = try RealmDatabase(source: ByteSource(bytes: spilled.bytes)).snapshot()
        let expected = Self.expectedNumbers()
        var owns: [Int: Int] = [:]
        for (key, number) in expected.enumerated() { owns[number % 7 == 3 ? number / 2 : number] = key }
        var cursor = try snapshot.table(named: "person").objects
        var index = 0
        while let object = try cursor.next() {
            let number = expected[index]
            try expectEqual(object["number"], .int(Int64(number)))
            let best = owns[number * 7 % 2100].map { ObjectKey(Int64($0)) }
            guard case .link(let link) = try object["best"] else {
                expectEqual(best, nil)
                index += 1
                continue
            }
            expectEqual(link.objectKey, best)
            index += 1
        }
        expectEqual(index, expected.count)
    }

    /// Progress includes the first pass over the documents.
    @Test(arguments: [true, false])
    func `progress is reported from the first pass on`(isRehearsed: Bool) throws {
        let folder = try TemporaryFolder()
        let people = (0..<5000).map { "{\"_id\":\($0),\"number\":1,\"friends\":[],\"best\":\($0 / 2)}\n" }
        try folder.write(Array(people.joined().utf8), "person.json")
        try folder.write(Array(Self.schema.replacing("TYPE", with: "int").utf8), "realm-schema.json")
        var options = ImportOptions()
        if isRehearsed { options.memoryOfKeys = 0 }
        var importer = Importer([folder.path], options)
        let heard = Mutex<[ImportProgress]>([])
        importer.progress = { step in heard.withLock { $0.append(step) } }
        let output = try TemporaryFolder()
        _ = try importer.run(to: output.file("new.realm"))
        expectEqual(heard.withLock { $0 }, (isRehearsed ? [.rehearsed(4096), .written(4096)] : [.written(4096)]))
    }
}
