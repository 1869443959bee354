import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Files without a header: the newest complete commit is recovered with the same content.
@Suite struct FindRootTests {
    /// Files with tables; the ones from the corpus cover all formats.
    static let fixtures = KnownFile.fixtures + KnownFile.legacyFixtures
    static let corpus =
        KnownFile.corpus.filter(\.isPlain).enumerated().filter { $0.offset % 7 == 0 }.map(\.element)
        + KnownFile.current.filter { $0.name.contains("commits-") }

    @Test(arguments: fixtures)
    func `the root of a fixture is found without its header`(_ file: KnownFile) throws { try repair(file) }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"), arguments: corpus)
    func `the root of a corpus file is found without its header`(_ file: KnownFile) throws { try repair(file) }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `enough files exist for the root search`() {
        expect(Self.corpus.count { $0.dump != nil } >= 25)
        expect(Self.fixtures.count >= 44)
    }

    private func repair(_ file: KnownFile) throws {
        let bytes = try file.bytes()
        let original = try RealmDatabase(bytes: bytes)
        let current = try original.snapshot()
        // A file without commits has no roots to find.
        guard current.topRef != nil else { return }
        for injury in HeaderInjury.allCases {
            var broken = bytes
            injury.apply(to: &broken)
            let what = "\(file): \(injury)"
            if current.hasNode(before: injury.reach) {
                try expectLoss(broken, original, injury, what)
                continue
            }
            let repaired = try RepairedFile(broken)
            try repaired.expectContent(of: current, what)
            expectEqual(repaired.fileNames, ["repaired.realm"], "\(what)")
            expectNothingLost(repaired.plan, injury, original, what)
        }
    }

    /// The number of the selected commit is damaged: it did not seem newer than the chosen one, and is lost
    /// nevertheless.
    @Test(arguments: [RepairMethod.findRoot, .otherSlot])
    func `a commit with a damaged number is lost even if it does not seem newer`(_ method: RepairMethod)
        throws
    {
        var patient = try Patient("kennel")
        let width = patient.width(patient.top) / 8
        patient.setNumber(0, at: patient.top + 8 + 6 * width, width)
        let plan = try RepairedFile(patient.bytes, method).plan
        let chosen = try #require(plan.chosen)
        expect(chosen.origin == .otherSlot && chosen.commit == 2)
        let newest = try #require(plan.losses.newest)
        expect(plan.candidates[newest].origin == .selectedSlot && plan.candidates[newest].commit < chosen.commit)
        expectEqual(
            plan.losses.tables.map { "\($0.name) \($0.lost ?? -1)" }.sorted(),
            [
                "class_Address 4", "class_Dog 10", "class_DogClub 1", "class_Person 5",
            ])
    }

    /// Only a slot that refers to another root is a sign of a loss.
    private func expectNothingLost(
        _ plan: RepairPlan, _ injury: HeaderInjury, _ original: RealmDatabase, _ what: String
    ) {
        expectEqual(plan.losses.newest, nil, "\(what)")
        switch injury {
        case .slotBeyondEnd, .slotInsideNode:
            expect(plan.losses.lostTopRef != nil, "\(what)")
        case .tlsAlert:
            // The bytes of the other program give no sign of a lost root.
            expect(plan.headerProblem?.code == .overwrittenHeader && plan.losses.isEmpty, "\(what)")
            if original.header.selectedSlot == 0, !original.isStreaming {
                expectEqual(plan.chosen?.origin, .maskedSlot, "\(what)")
            }
        case .zeroed, .foreignBytes, .tlsHandshake:
            expect(plan.headerProblem != nil && plan.losses.isEmpty, "\(what)")
        }
    }

    /// The bytes written over the header overlap nodes after it: no commit that contains them counts as complete.
    private func expectLoss(_ broken: [UInt8], _ original: RealmDatabase, _ injury: HeaderInjury, _ what: String) throws
    {
        let source = ByteSource(bytes: broken)
        let plan: RepairPlan
        do throws(FormatError) {
            plan = try FileRepair(source).plan(.findRoot)
        } catch {
            // Too little is left to identify a Realm file.
            expect([.notARealm, .overwrittenHeader].contains(error.code), "\(what): \(error)")
            return
        }
        guard let chosen = plan.chosen else { return }
        if let other = try? original.snapshot(.otherSlot), other.topRef == chosen.ref {
            expect(other.hasNode(before: injury.reach) != (chosen.state == .complete), "\(what)")
        } else {
            // An older commit may be intact. Damage by later commits that reused its space is a separate matter.
            let isHit = try original.snapshot().hasNode(before: injury.reach, under: chosen.ref)
            expect(!(isHit && chosen.state == .complete), "\(what): \(chosen)")
        }
    }

    /// Leftovers of Realm Core in intact files do not make a commit worse than an older one (R30.14, R60.14).
    @Test(arguments: Leftover.allCases) func `leftovers of Realm Core make no commit worse than an older one`(
        _ leftover: Leftover
    ) throws {
        let bytes = try leftover.bytes()
        let current = try RealmDatabase(bytes: bytes).snapshot()
        for injury in [nil, HeaderInjury.zeroed] {
            var broken = bytes
            injury?.apply(to: &broken)
            let repaired = try RepairedFile(broken)
            try repaired.expectContent(of: current, "\(leftover), \(String(describing: injury))")
        }
    }

    /// The repaired file has the content that Realm Core lists in its own dump.
    @Test(arguments: ["kennel", "deleted-columns", "embedded", "mixed-nested", "links-stream", "tombstones"])
    func `the repaired file has the content that Realm Core lists`(_ name: String) throws {
        let file = try KnownFile.fixture(name)
        var bytes = try file.bytes()
        HeaderInjury.zeroed.apply(to: &bytes)
        let repaired = try RepairedFile(bytes)
        let expected = try TypedDump(contentsOf: try #require(file.dump))
        let differences = try expected.differences(to: TypedDump(repaired.database().snapshot()))
        expect(differences.isEmpty, "\(differences)")
        try expectEqual(repaired.database().header.slots[0].format, FormatVersion(24))
    }
}
