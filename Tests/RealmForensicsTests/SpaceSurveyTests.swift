import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

struct SpaceSurveyTests {
    private func survey(_ source: ByteSource, _ key: [UInt8]? = nil) throws -> (SpaceSurvey, Snapshot) {
        let database =
            try key.map { try RealmDatabase(source: source, key: EncryptionKey(bytes: $0)) }
            ?? RealmDatabase(source: source)
        let snapshot = try database.snapshot()
        let other = try? database.snapshot(.otherSlot)
        return (SpaceSurvey(of: snapshot, others: [snapshot, other].compactMap(\.self)), snapshot)
    }

    private static func sum(_ survey: SpaceSurvey) -> Int {
        survey.encryption + survey.header + survey.used + survey.free.bytes + survey.lost + survey.tail
            + survey.footer + survey.otherCommits.reduce(0) { $0 + $1.bytes }
    }

    /// The verifier counts used bytes without asking for the purpose of nodes, and the list of free chunks has a sum.
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures)
    func `the parts of a fixture add up to its size and agree with the verifier`(_ file: KnownFile) throws {
        let source = try ByteSource(path: file.url.path)
        let (survey, snapshot) = try survey(source)
        expectEqual(Self.sum(survey), source.count)
        expectEqual(survey.damage.count, 0)
        expectEqual(survey.unknown.bytes, 0)
        expectEqual(survey.tables.reduce(0) { $0 + $1.unknown.bytes }, 0)
        let report = Verification().run(on: source)
        expectEqual(survey.used, report.usedBytes ?? 0)
        expectEqual(survey.lost > 0, report.totalsByCheck[.leak] != nil)
        let others = survey.otherCommits.reduce(0) { $0 + $1.bytes }
        try expectEqual(survey.free.bytes + others, snapshot.freeBytes() ?? others)
    }

    @Test(arguments: KnownFile.encryptedFixtures)
    func `the parts of an encrypted file include the codes of its pages`(_ file: KnownFile) throws {
        let source = try ByteSource(path: file.url.path)
        let (survey, _) = try survey(source, file.key())
        expectEqual(Self.sum(survey), source.count)
        // A page of entries for each 64 pages (Spec 130).
        expectEqual(survey.encryption, (source.count / 4096 + 64) / 65 * 4096)
        expectEqual(survey.damage.count, 0)
    }

    /// Counted by paths alone (Spec 50, 60), as a program in Python did with the same results.
    @Test func `bytes belong to the properties of their path`() throws {
        let (survey, _) = try survey(ByteSource(path: KnownFile.fixture("kennel").url.path))
        let dog = try #require(survey.tables.first { $0.name == "class_Dog" })
        expectEqual(dog.columns.map(\.name), ["_id", "name", "age", "Person.dogs"])
        expectEqual(dog.columns.map(\.values.bytes).reduce(0, +), 136 + 88 + 16 + 16)
        expectEqual(dog.columns.map(\.index.bytes), [80, 0, 0, 0])
        expectEqual(dog.schema.bytes, 320)
        expectEqual(dog.objects.bytes, 24)
        expectEqual(survey.history.bytes, 72)
        expectEqual(survey.freeList.bytes, 80)
        expectEqual(survey.group.bytes, 168)
        expectEqual(survey.otherCommits.map(\.number), [2])
        expectEqual(survey.otherCommits.map(\.slot), [1])
        expectEqual(survey.otherCommits.map(\.bytes), [888])
    }

    /// A free chunk of a later version than 0 and before the current commit was held by a reader (Spec 70).
    @Test func `chunks that a reader held are told apart`() throws {
        var patient = try Patient("kennel")
        let versions = try patient.ref([GroupTopSlot.freeVersions.rawValue])
        // The chunks at 0xd80 and 0x1088: freed by commit 2 instead of 0. Two bits an element.
        patient.bytes[versions + 8 + 2] = 0b1010
        let (survey, _) = try survey(ByteSource(bytes: patient.bytes))
        expectEqual(survey.free.pinned, 640 + 3960)
        expectEqual(survey.free.pinnedBy, 2...2)
        expectEqual(survey.free.reusable, 0)
    }

    @Test func `a node that two others share counts once and is damage`() throws {
        var patient = try Patient("kennel")
        let names = try patient.ref([GroupTopSlot.tableNames.rawValue])
        try patient.point([GroupTopSlot.history.rawValue], to: names)
        let (survey, _) = try survey(ByteSource(bytes: patient.bytes))
        expectEqual(Self.sum(survey), patient.bytes.count)
        expectEqual(survey.damage.first.map(\.code), [.sharedNodes])
        expectEqual(survey.history.bytes, 0)
        // The history and its changeset, which nothing leads to any more.
        expectEqual(survey.lost, 72)
    }
}
