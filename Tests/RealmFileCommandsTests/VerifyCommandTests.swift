import CommandTestSupport
import RealmFileCommands
import RealmLayout
import RealmReader
import TestSupport
import Testing

/// `verify`: what it prints, and what it exits with.
@Suite struct VerifyCommandTests {
    @Test func intactFile() async throws {
        let run = await Run("verify", try KnownFile.fixture("kennel").url.path)
        #expect(run.status == .success)
        #expect(run.messages.isEmpty)
        for part in [
            "slot 0          current, commit 3, format 24", "slot 1          other, commit 2, the one before",
            "rollback        to the previous commit: possible", "objects         21 objects in 5 tables, all readable",
            "result          ok\n",
        ] {
            #expect(run.output.contains(part), "\(part): \(run.output)")
        }
    }

    /// A class whose spec is damaged cannot be read: nobody says that all can.
    @Test func damagedSpec() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0[0x297] = 5 }
        let run = await Run("verify", file.path)
        #expect(run.status == .findings)
        #expect(run.output.contains("error S03") && !run.output.contains("all readable"), "\(run.output)")
        #expect(run.output.contains("11 objects in 5 tables\n  Dog: 0 of 10 readable\n"))
    }

    /// Names are bytes: two that differ in the form of a letter alone are two, and each is found by its own.
    @Test func namesInOtherForms() async throws {
        var file = HandmadeFile()
        for (number, name) in ["\u{212B}", "A\u{30A}"].enumerated() {
            let leaves = [file.writer.integers([7 + number]), file.writer.integers([5])]
            let cluster = file.cluster(1, leaves)
            let columns = [
                HandmadeFile.Column("\u{212B}", .int), HandmadeFile.Column("A\u{30A}", .int, index: 1),
            ]
            file.addTable("class_\(name)", columns, objects: cluster)
        }
        let copy = try TemporaryFile(file.bytes())
        let run = await Run("verify", copy.path)
        #expect(!run.output.contains("T06") && !run.output.contains("S07"), "\(run.output)")
        let snapshot = try RealmDatabase(path: copy.path).snapshot()
        for (number, name) in ["\u{212B}", "A\u{30A}"].enumerated() {
            let table = try snapshot.table(named: name)
            #expect(table.schema.name.utf8.elementsEqual(name.utf8))
            let object = try #require(try table.object(ObjectKey(0)))
            #expect(try object["\u{212B}"] == .int(Int64(7 + number)) && object["A\u{30A}"] == .int(5))
            #expect(table.schema.property(named: name)?.name.utf8.elementsEqual(name.utf8) == true)
        }
    }

    @Test func damagedFile() async throws {
        // The first free chunk reaches over the node behind it.
        let file = try TemporaryFile(fixture: "kennel") { $0[0x1020 + 8] += 8 }
        let run = await Run("verify", file.path)
        #expect(run.status == .findings)
        #expect(run.output.contains("error A06"), "\(run.output)")
        #expect(run.output.contains("the next write will overwrite data that is in use"))
        #expect(run.output.contains("result          damaged: 1 error"))
        // The shape of the list alone is right.
        #expect(await Run("verify", "--quick", file.path).status == .success)
        let short = await Run("verify", "--max-findings", "0", file.path)
        #expect(short.status == .findings && !short.output.contains("error A06") && short.output.contains("(0 shown)"))
    }

    @Test func unreadableFile() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0[16] = 0 }
        let run = await Run("verify", file.path)
        #expect(run.status == .unreadable)
        #expect(run.output.contains("fatal H03"))
        #expect(run.messages.count == 1)
    }

    @Test func warnings() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0 += [UInt8](repeating: 0, count: 1 << 20) }
        #expect(await Run("verify", file.path).status == .success)
        #expect(await Run("verify", "--strict", file.path).status == .findings)
    }

    @Test func wrongArguments() async throws {
        let path = try KnownFile.fixture("kennel").url.path
        #expect(await Run("verify", "--quick", "--deep", path).status == .usage)
        #expect(await Run("verify", "--max-findings", "-1", path).status == .usage)
    }

    @Test func jsonHasWhatTheSpecSays() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0[0x1020 + 8] += 8 }
        let report = try await Run("verify", "--json", "--deep", file.path).json()
        #expect(try report.number("reportVersion") == 2)
        #expect(try report.number("fileSize") == 8192)
        #expect(try report.text("level") == "deep")
        #expect(try report[required: "readable"].bool() && !report[required: "sound"].bool())
        let slots = try report.objects("slots")
        #expect(try slots.map { try $0.number("commit") } == [3, 2])
        #expect(try slots.map { try $0.text("relation") } == ["current", "previous"])
        let tables = try report.objects("tables")
        #expect(try tables.map { try $0.number("objects") } == [1, 4, 10, 1, 5])
        let finding = try #require(try report.objects("findings").first)
        #expect(try finding.text("check") == "A06")
        #expect(try finding.text("name") == "freeVersusLive")
        #expect(try finding.text("severity") == "error")
        #expect(try finding.number("slot") == 0)
        #expect(try finding.text("consequence").hasSuffix("."))
        #expect(try report.object("totals").number("error") == 1)
        #expect(try report.object("totalsByCheck").number("A06") == 1)
        #expect(try report.object("rollback")[required: "possible"].bool())
    }

    /// Commits of old formats are compared by their content.
    @Test func goingBackInOldFormats() async throws {
        let path = try KnownFile.fixture("Legacy/format-9-people").url.path
        let run = await Run("verify", path)
        #expect(run.status == .success)
        let text = """
            rollback        to the previous commit: possible; it would undo
              Dog: 20 objects added
              DogClub: 2 objects added
              Person: 10 objects added

            """
        #expect(run.output.contains(text), "\(run.output)")
        let changes = try await Run("verify", path, "--json").json().object("rollback").objects("changes")
        #expect(try changes.map { try $0.text("table") } == ["class_Dog", "class_DogClub", "class_Person"])
        #expect(try changes.map { try $0.number("added") } == [20, 2, 10])
    }
}
