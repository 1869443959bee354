import CommandTestSupport
import RealmFileCommands
import TestSupport
import Testing

/// `import`: what is said, what is written, and when nothing is.
@Suite struct ImportCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(KnownFile.fixture("kennel").bytes(), "kennel.realm")
        try folder.write(Array((#"{"_id": 1, "n": 1}"# + "\n" + #"{"_id": 1, "n": 2}"# + "\n").utf8), "T.jsonl")
        try folder.write([UInt8](repeating: 7, count: 64), "key")
    }

    /// Runs the tool; words that begin with @ are files of the folder.
    private func run(_ words: String) async -> Run {
        await Run(
            words.split(separator: " ").map { word in
                word.hasPrefix("@") ? folder.file(String(word.dropFirst())) : String(word)
            })
    }

    /// The last line of what `hash` prints.
    private func hash(_ words: String) async -> String {
        let run = await run("hash \(words)")
        return run.output.split(separator: "\n").last.map(String.init) ?? ""
    }

    @Test func thereAndBack() async throws {
        #expect(await run("export @kennel.realm --profile canonical --out @data").status == .success)
        let imported = await run("import @data --out @new.realm")
        #expect(imported.status == .success)
        #expect(
            imported.messages == [
                "imported \(folder.file("data")) to \(folder.file("new.realm"))", "  Address   4 objects  embedded",
                "  Dog      10 objects", "  DogClub   1 object", "  Person    5 objects", "  total    20 objects",
            ])
        #expect(await hash("@new.realm") == hash("@kennel.realm"))
        #expect(await run("verify @new.realm --deep --strict").status == .success)
    }

    @Test func encrypted() async throws {
        _ = await run("export @kennel.realm --profile canonical --format ejson --gzip --out @data")
        #expect(await run("import @data --new-key-file @key --out @new.realm -q").status == .success)
        #expect(await hash("@new.realm --key-file @key") == hash("@kennel.realm"))
        #expect(await run("info @new.realm").status == .unreadable)
    }

    /// Whatever may be replaced, what is read may not.
    @Test func inputIsNoOutput() async throws {
        _ = await run("export @kennel.realm --profile canonical --out @data")
        let before = try #require(folder.bytes("data/kennel/Dog.bson"))
        let refused = await run("import @data --out @data/kennel/Dog.bson --overwrite")
        #expect(refused.status == .usage)
        #expect(refused.messages.last?.contains("is among what is read, which stays as it is") == true)
        #expect(folder.bytes("data/kennel/Dog.bson") == before)
        #expect(await run("import @data --out @data/new.realm").status == .success)
    }

    @Test func losses() async throws {
        let reported = await run("import @T.jsonl --out @new.realm --json")
        #expect(reported.status == .success)
        let report = try reported.json()
        #expect(try report.number("reportVersion") == 1)
        #expect(try report.objects("classes").map { try "\($0.text("name")) \($0.number("objects"))" } == ["T 1"])
        let loss = try report.objects("losses")[0]
        #expect(try loss.text("kind") == "duplicateIdentity" && loss.number("count") == 1)
        #expect(try loss.number("document") == 1 && loss.number("offset") == 19)
        let line =
            "  lost: T: documents with the _id of another one, left out (1, first in \(folder.file("T.jsonl")), document 1, byte 19)"
        #expect(reported.messages == [line])
        let refused = await run("import @T.jsonl --out @other.realm --on-loss error")
        #expect(refused.status == .findings)
        #expect(
            refused.messages == [
                line, "realmfile: \(folder.file("other.realm")) is not written: --on-loss error allows no losses",
            ])
        #expect(folder.bytes("other.realm") == nil)
    }

    /// One line that says what is wrong, and what to try.
    @Test(arguments: [
        (
            "import @T.jsonl --out -", RealmFileCommands.ExitStatus.usage,
            "--out takes a path: the header is written last"
        ),
        ("import @none --out @new.realm", .unreadable, "No such file or directory"),
        ("import @key --out @new.realm", .usage, "neither its name nor --format says what is in it"),
        ("import @T.jsonl --out @kennel.realm", .unreadable, "is there already; give --overwrite to replace it"),
        ("import @T.jsonl --format bson --out @new.realm", .unreadable, "a document of 1767842427 bytes ends after 38"),
        (
            "import - --format bson --out @new.realm", .usage,
            "give the name of the class of these documents with --class"
        ),
        ("import @T.jsonl --out @T.jsonl --overwrite", .usage, "is among what is read, which stays as it is"),
        ("import", .usage, "Missing expected argument"),
    ])
    func messages(_ words: String, _ status: RealmFileCommands.ExitStatus, _ text: String) async {
        let run = await run(words)
        #expect(run.status == status)
        #expect(run.messages.count == 1)
        #expect(run.messages.first?.contains(text) ?? false, "\(run.messages)")
        #expect(folder.bytes("new.realm") == nil)
    }
}
