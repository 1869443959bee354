import CommandTestSupport
import Expectations
import Foundation
import RealmFileCommands
import TestSupport
import Testing

/// `inspect` on nodes with known content.
@Suite struct InspectCommandTests {
    private func node(_ arguments: String..., of fixture: String = "kennel") async throws -> [JSON.Member] {
        let console = TestConsole()
        let path = try KnownFile.fixture(fixture).url.path
        let status = await RealmFileCommand.run(["inspect", path, "--json"] + arguments, on: console)
        expectEqual(status, .success, "\(console.messages)")
        return try JSON(parsing: Array(console.output.utf8)).members().object("node")
    }

    @Test func `the top is shown without options`() async throws {
        let node = try await node()
        try expectEqual(node.text("role"), "group top")
        try expectEqual(node.text("ref"), "0x1050")
        let names = try node.objects("elements").map { try $0.text("name") }
        expectEqual(names.prefix(3), ["table names", "tables", "logical file size"])
        let text = await Run("inspect", try KnownFile.fixture("kennel").url.path)
        expect(text.output.contains("T-DB"))
        expect(text.output.contains("role    group top"))
    }

    @Test func `path and ref lead to the same node`() async throws {
        let byPath = try await node("--path", "1/2/2/2")
        try expectEqual(byPath.text("role"), "leaf of class_Dog.name, objects 0 to 9")
        let byRef = try await node("--ref", byPath.text("ref"))
        expectEqual(byPath, byRef)
        let values = try byPath[required: "values"].elements().map { try $0.string() }
        expectEqual(values.prefix(3), ["\"Rex\"", "\"Bori\"", "\"코코\""])
    }

    /// Every node in the upper levels of every fixture has a role and undamaged values.
    @Test(arguments: KnownFile.fixtures.filter { $0.name != "Fixtures/empty-new" })
    func `every node has a role`(_ file: KnownFile) async throws {
        var paths = ["/"]
        var next = 0
        while next < paths.count, next < 60 {
            let run = await Run("inspect", file.url.path, "--json", "--path", paths[next])
            expectEqual(run.status, .success)
            let node = try run.json().object("node")
            try expect(!node.text("role").hasPrefix("unknown"), "\(paths[next])")
            expect(!run.output.contains("damaged"))
            for element in try node[optional: "elements"]?.elements() ?? [] {
                let element = try element.members()
                if try element.text("kind") == "ref" { paths.append("\(paths[next])/\(try element.number("index"))") }
            }
            next += 1
        }
    }

    /// An offset from the user that is not the start of a node is not damage.
    @Test(arguments: ["0x20", "0x1030", "0x7", "0x4000"])
    func `an offset that is not a node is not damage`(_ offset: String) async throws {
        let run = await Run("inspect", try KnownFile.fixture("kennel").url.path, "--ref", offset)
        expectEqual(run.status, .usage)
        expectEqual(run.messages.count, 1)
        expect(run.messages[0].contains("no node begins at \(offset): "))
        expect(run.messages[0].hasSuffix("--find \(offset) tells what is there"))
    }

    /// Input that can be read only once, such as a pipe, is read once.
    @Test(.timeLimit(.minutes(60))) func `input that can be read only once is inspected`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("pipe")
        expectEqual(mkfifo(path, 0o600), 0)
        let bytes = try KnownFile.fixture("kennel").bytes()
        let writer = Thread { FileHandle(forWritingAtPath: path)?.write(Data(bytes)) }
        writer.start()
        let run = await Run("inspect", path, "--ref", "0x1050", "--json")
        expectEqual(run.status, .success, "\(run.messages)")
        try expectEqual(run.json().object("node").text("role"), "group top")
    }

    /// Nodes can be inspected even if the header, or the top that it refers to, is damaged.
    @Test(arguments: [0..<24, 4..<5, 20..<22])
    func `a node is shown even if the header does not lead to it`(_ damage: Range<Int>) async throws {
        let file = try TemporaryFile(fixture: "kennel") { bytes in
            // For the last two, another slot could be used.
            for index in damage { bytes[index] = damage.count == 24 ? 0 : 0x7F }
            for index in damage where damage.count == 1 { bytes[index + 8] = 0x7F }
        }
        let path = try await node("--path", "1/2/2/2").text("ref")
        let run = await Run("inspect", file.path, "--ref", path, "--json")
        expectEqual(run.status, .findings)
        expectEqual(run.messages.count, 1)
        expect(
            run.messages[0].hasSuffix("refs are taken as offsets in the file, and what the node is for is not known"))
        let (found, known) = (try run.json().object("node"), try await node("--ref", path))
        try expectEqual(found.text("ref"), path)
        try expectEqual(
            found.objects("elements").map { try $0.text("raw") }, known.objects("elements").map { try $0.text("raw") })
        await expectEqual(Run("inspect", file.path).status, .unreadable)
        await expectEqual(Run("inspect", file.path, "--ref", "0x20").status, .usage)
    }

    /// The dogs of the person in row 2, as in the Spec's example.
    @Test func `a node of an old format is shown`() async throws {
        let node = try await node("--ref", "0x3e0", of: "Legacy/format-9-people")
        try expectEqual(node.text("role"), "list in row 2 of the column class_Person.dogs")
        try expectEqual(node.text("path"), "1/2/1/3/2")
        try expectEqual(node.objects("elements").map { try $0.text("raw") }, ["4", "5"])
        let text = await Run("inspect", try KnownFile.fixture("Legacy/format-9-people").url.path, "--path", "1/2/1")
        expect(text.output.contains("path    /1/2/1 (tables / class_Person / columns)"))
        expect(text.output.contains("[1]  index of id "))
    }

    /// Offsets in an encrypted file are those of its data: the nodes have the same offsets as in the plain file.
    @Test(arguments: ["", "1", "1/2/0/3", "1/2/1", "1/2/1/3/2", "1/3/1/1", "8"])
    func `a node of an encrypted file equals that of the plain file`(_ path: String) async throws {
        let encrypted = try KnownFile.fixture("Encrypted/format-9-people")
        let key = ["--key-file", try #require(encrypted.keyFile).path]
        let plain = try KnownFile.fixture("Legacy/format-9-people").url.path
        var outputs: [String] = []
        for arguments in [[plain], [encrypted.url.path] + key] {
            let console = TestConsole()
            let status = await RealmFileCommand.run(["inspect", "--path", path, "--json"] + arguments, on: console)
            expectEqual(status, .success, "\(console.messages)")
            outputs.append(console.output.replacing(arguments[0], with: "FILE"))
        }
        expectEqual(outputs[0], outputs[1])
    }

    /// Every byte of the data of encrypted files is accounted for.
    @Test(arguments: KnownFile.encryptedFixtures.filter { $0.name != "Encrypted/empty" })
    func `every byte of encrypted data is accounted for`(_ file: KnownFile) async throws {
        let key = try #require(file.keyFile).path
        let pages = try file.bytes().count / 4096
        let size = (pages - (pages + 64) / 65) * 4096
        for offset in stride(from: 4, to: size, by: max(8, size / 23 & ~7)) {
            let run = await Run("inspect", file.url.path, "--key-file", key, "--json", "--find", "\(offset)")
            expectEqual(run.status, .success, "\(offset): \(run.output)")
        }
        let run = await Run("inspect", file.url.path, "--key-file", key, "--find", "\(size)")
        expectEqual(run.status, .usage)
        expectEqual(run.messages.first?.contains("\(size) bytes"), true, "\(run.messages)")
    }

    @Test(
        arguments: [
            ("0x5", "header", ""), ("0xa30", "node", "1/2/2/4"), ("0x1c8", "free", ""), ("2616", "node", "1/2/2"),
        ] as [(String, String, String)])
    func `an offset is found in its node`(_ offset: String, _ kind: String, _ path: String) async throws {
        let run = await Run("inspect", try KnownFile.fixture("kennel").url.path, "--json", "--find", offset)
        expectEqual(run.status, .success)
        let finding = try run.json().object("finding")
        try expectEqual(finding.text("in"), kind)
        try expectEqual(finding[required: "paths"].elements().map { try $0.string() }, (path.isEmpty ? [] : [path]))
    }

    /// Every byte of a file is accounted for: header, nodes, free chunks, footer.
    @Test(arguments: [
        "kennel", "links-stream", "tombstones", "format-20-people", "Legacy/format-9-people", "Legacy/format-8-mixed",
        "Legacy/format-2-enumerated", "Legacy/format-3-rows-stream",
    ])
    func `every byte is accounted for`(_ fixture: String) async throws {
        let file = try KnownFile.fixture(fixture)
        let size = try file.bytes().count
        for offset in stride(from: 4, to: size, by: max(8, size / 41 & ~7)) {
            let run = await Run("inspect", file.url.path, "--json", "--find", "\(offset)")
            expectEqual(run.status, .success, "\(offset): \(run.output)")
        }
    }

    /// A node with two parents: both paths are reported.
    @Test func `both paths to a shared node are reported`() async throws {
        // The list of tables: class_DogClub's entry becomes that of class_Dog, 0xab0.
        let file = try TemporaryFile(fixture: "kennel") { $0[0xd28 + 6...0xd28 + 7] = [0xb0, 0x0a] }
        let run = await Run("inspect", file.path, "--json", "--find", "0xab8")
        expectEqual(run.status, .findings)
        let paths = try run.json().object("finding")[required: "paths"].elements().map { try $0.string() }
        expectEqual(paths, ["1/2", "1/3"])
    }

    @Test func `a damaged ref is reported`() async throws {
        let file = try TemporaryFile(fixture: "kennel") { $0[0xd28 + 4...0xd28 + 5] = [0xb4, 0x0a] }
        let run = await Run("inspect", file.path, "--path", "1")
        expectEqual(run.status, .success)
        expect(run.output.contains("damaged: the ref 0xab4 is not a multiple of 8"))
    }

    @Test(
        arguments: [
            (["--path", "1/77"], "only 5"), (["--path", "2"], "not a ref"), (["--ref", "0xa39"], "--find 0xa39"),
            (["--ref", "0x20000"], "no node"), (["--find", "0x20000"], "8192 bytes"),
        ] as [([String], String)])
    func `a missing path or offset is reported`(_ arguments: [String], _ word: String) async throws {
        let console = TestConsole()
        let path = try KnownFile.fixture("kennel").url.path
        let status = await RealmFileCommand.run(["inspect", path] + arguments, on: console)
        expectEqual(status, .usage)
        expectEqual(console.messages.count, 1)
        expect(console.messages[0].contains(word), "\(console.messages)")
    }

    @Test func `output is limited`() async throws {
        let path = try KnownFile.fixture("cluster-gaps").url.path
        let short = await Run("inspect", path, "--path", "1/1/2/3/0")
        let long = await Run("inspect", path, "--path", "1/1/2/3/0", "--all")
        expect(short.output.contains("--all shows everything"))
        expect(!long.output.contains("--all shows everything"))
        expect(long.output.count > short.output.count)
    }
}
