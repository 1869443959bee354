import CommandTestSupport
import Expectations
import RealmFileCommands
import TestSupport
import Testing

/// `info` agrees with Realm Core's dump of the same file.
@Suite struct InfoCommandTests {
    @Test(arguments: KnownFile.fixtures)
    func `counts equal those of the dump`(_ file: KnownFile) async throws {
        let run = await Run("info", file.url.path, "--json")
        expectEqual(run.status, .success)
        let report = try run.json()
        try expectEqual(report.number("reportVersion"), 2)
        try expectEqual(report.number("fileSize"), file.bytes().count)
        try expect(report[required: "readable"].bool())
        let snapshot = try report.object("snapshot")
        try expectEqual(snapshot.number("format"), file.format)
        let dump = try TypedDump(contentsOf: #require(file.dump))
        let tables = try snapshot.objects("classes") + snapshot.objects("otherTables")
        let expected = dump.tables.map { table in
            let name = table.name.hasPrefix("class_") ? String(table.name.dropFirst(6)) : table.name
            // The dump of a file of format 22 was made after an upgrade that empties asymmetric tables.
            let size = file.format == 22 && table.kind == "asymmetric" ? "?" : "\(table.size)"
            return "\(name) \(table.kind.lowercased()) \(size) \(table.tombstones) \(table.primaryKey ?? "-")"
        }
        let found = try tables.map { table in
            let kind = try table.text("kind").lowercased()
            let size = file.format == 22 && kind == "asymmetric" ? "?" : "\(try table.number("objects"))"
            let key = try? table.text("primaryKey")
            return "\(try table.text("name")) \(kind) \(size) \(try table.number("tombstones")) \(key ?? "-")"
        }
        expectEqual(found.sorted(), expected.sorted())
        try expect(snapshot.objects("damage").isEmpty)
    }

    /// The tables and rows of Realm Core 5's dump, except `pk`, and the way an SDK would treat the file.
    @Test(arguments: KnownFile.legacyFixtures)
    func `counts of old files equal those of their dump`(_ file: KnownFile) async throws {
        let run = await Run("info", file.url.path, "--json")
        expectEqual(run.status, .success)
        let snapshot = try run.json().object("snapshot")
        try expectEqual(snapshot.number("format"), file.format)
        try expect(snapshot.objects("damage").isEmpty)
        let tables = try snapshot.objects("classes") + snapshot.objects("otherTables")
        let found = try tables.filter { try $0.text("kind") == "topLevel" }
            .map { "\(try $0.text("name")) \(try $0.number("objects"))" }
        let lines = try unpackedBytes(of: #require(file.legacyDump)).split(separator: UInt8(ascii: "\n"))
        let dumped = try lines.map { try JSON(parsing: Array($0)).members() }.filter { $0[optional: "table"] != nil }
        let expected = try dumped.filter { try $0.text("table") != "pk" }.map { table in
            let name = try table.text("table")
            return "\(name.hasPrefix("class_") ? String(name.dropFirst(6)) : name) \(try table.number("size"))"
        }
        expectEqual(found.sorted(), expected.sorted())
        let writers = try snapshot.object("writtenBy")
        try expect(writers.text("core") != "")
        try expect(snapshot.text("refusedBy").contains("Realm Core \(file.format ?? 0 < 5 ? "6" : "14") and later"))
        try expectEqual(snapshot[required: "upgradeSteps"].elements().count, (file.format ?? 0 < 5 ? 2 : 1))
    }

    /// The current root is missing; the header and the other commit are still reported.
    @Test func `a missing current commit is reported, with the other commit`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0.removeSubrange(0x1000...) }
        let run = await Run("info", file.path, "--json")
        expectEqual(run.status, .unreadable)
        let report = try run.json()
        try expectEqual(report[required: "readable"].bool(), false)
        try expectEqual(report.object("error").text("code"), "truncated")
        let slots = try report.objects("slots")
        try expectEqual(slots[0][required: "readable"].bool(), false)
        expectEqual(run.messages.count, 1)
        expect(run.messages[0].contains("`realmfile doctor "))
    }

    /// The selected slot refers to nothing, the other one to data: this is not an empty file.
    @Test func `an empty slot beside data is not an empty file`() async throws {
        let folder = try TemporaryFolder()
        let file = try TemporaryFile(fixture: "kennel") { bytes in
            let slot = Int(bytes[23] & 1)
            for index in 0..<8 { bytes[8 * slot + index] = 0 }
        }
        let words = "the selected slot is empty, but the other one leads to"
        for command in [["info"], ["schema"], ["hash"], ["upgrade"], ["compact"], ["export"]] {
            let output =
                ["upgrade", "compact", "export"].contains(command[0]) ? ["--out", folder.file(command[0])] : []
            let run = await Run(command + [file.path] + output)
            expect(run.status != .success, "\(command)")
            expect((run.messages + [run.output]).contains { $0.contains(words) }, "\(command)")
        }
        let other = await Run("info", file.path, "--slot", "other")
        expectEqual(other.status, .success)
    }
}
