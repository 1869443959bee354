import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// A repair keeps the format in the slot, whatever the commit looks like; without one it uses the newest that fits
/// (Spec 160).
@Suite struct KeptFormatTests {
    /// Files changed by several releases, with and without the header.
    @Test(arguments: OldState.allCases.filter { $0 != .laterTypes })
    func `files changed by several releases are repaired in their format`(_ state: OldState) throws {
        let bytes = try state.patient().bytes
        let original = try RealmDatabase(bytes: bytes)
        let current = try original.snapshot()
        let kept = try RepairedFile(bytes)
        try kept.expectContent(of: current, "\(state)")
        try expectEqual(kept.database().snapshot().version, current.version)
        expectEqual(kept.plan.chosen?.isFormatGuessed, false)
        var broken = bytes
        HeaderInjury.zeroed.apply(to: &broken)
        let found = try RepairedFile(broken)
        try found.expectContent(of: current, "\(state) without a header")
        // Files of Core 6 show only that they are not of the current format.
        let newest: UInt8 = state == .longTableTops ? 21 : state == .capacitiesInFormat9 ? 9 : 24
        try expectEqual(found.database().snapshot().version, FormatVersion(newest))
    }

    @Test(arguments: OldState.allCases.filter { $0 != .laterTypes })
    func `the other commit of a file changed by several releases keeps its format`(_ state: OldState) throws {
        let bytes = try state.patient().bytes
        let other = try RealmDatabase(bytes: bytes).snapshot(.otherSlot)
        let repaired = try RepairedFile(bytes, .otherSlot)
        try repaired.expectContent(of: other, "\(state)")
        try expectEqual(repaired.database().snapshot().version, other.version)
    }

    /// Damage that would be valid in another format does not change the format.
    @Test func `a damaged commit keeps its format`() throws {
        // The strings of a set are not in the order of format 24; before that, the order depended on the machine.
        var file = HandmadeFile()
        let strings = file.writer.shortStrings(["b", "a"])
        let objects = file.cluster(1, [file.writer.refs([strings])])
        file.addTable("class_Sets", [.init("set", .string, .set)], objects: objects)
        let plan = try FileRepair(ByteSource(bytes: file.bytes())).plan(.findRoot)
        let chosen = try #require(plan.chosen)
        expect(chosen.format == FormatVersion(24) && !chosen.isFormatGuessed)
        expectEqual(chosen.state, .damaged(errors: 1))
    }

    /// A format in the slot that contradicts the nodes is itself damaged.
    @Test func `a format that contradicts the nodes is not kept`() throws {
        var bytes = try KnownFile.fixture("Legacy/format-9-people").bytes()
        bytes[20 + Int(bytes[23] & 1)] = 24
        let chosen = try #require(try FileRepair(ByteSource(bytes: bytes)).plan(.findRoot).chosen)
        expect(chosen.state == .complete && chosen.format == FormatVersion(9))
    }

    /// The format of a file only increases: a lower format in the slot than the one in which the commit is sound is
    /// damage of the slot.
    @Test(arguments: ["decimal-widths", "embedded", "mixed-nested", "tombstones"])
    func `a lower format in the slot loses no commit`(_ name: String) throws {
        var bytes = try KnownFile.fixture(name).bytes()
        let original = try RealmDatabase(bytes: bytes).snapshot()
        bytes[20 + Int(bytes[23] & 1)] = 20
        let chosen = try #require(try FileRepair(ByteSource(bytes: bytes)).plan(.findRoot).chosen)
        expect(chosen.state == .complete && chosen.format == original.version)
        expectEqual(chosen.ref, original.topRef)
    }

    /// Indexes distinguish formats 2 to 5 from later ones, which would read other values from them.
    @Test(arguments: KnownFile.legacyFixtures)
    func `a file of formats 2 to 9 gets a format in which its indexes are correct`(_ file: KnownFile) throws {
        var bytes = try file.bytes()
        guard try RealmDatabase(bytes: bytes).snapshot().topRef != nil else { return }
        HeaderInjury.zeroed.apply(to: &bytes)
        let repaired = try RepairedFile(bytes)
        guard repaired.plan.isComplete else { return }
        let report = try Verification(level: .deep).run(on: ByteSource(path: repaired.path))
        expect(report.isSound, "\(report.findings.map { "\($0.check.rawValue) \($0.place): \($0.message)" })")
    }
}
