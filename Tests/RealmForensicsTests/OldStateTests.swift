import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Files changed by several releases of Realm Core are not damaged (Spec 150), and damage to the same parts is still
/// detected.
struct OldStateTests {
    @Test(arguments: OldState.allCases)
    func `leftovers of an older release are at most a remark`(_ state: OldState) throws {
        let bytes = try state.patient().bytes
        for (level, jobs) in [(VerificationLevel.quick, 1), (.standard, 1), (.standard, 3), (.deep, 3)] {
            let report = Verification(level: level, jobs: jobs).run(on: ByteSource(bytes: bytes))
            expect(report.isSound && report.isReadable)
            // Replaced nodes stay without an owner.
            let bad = report.findings.filter { $0.severity >= .warning && $0.check != .leak }
            expect(bad.isEmpty, "\(bad.map { "\($0.check.rawValue) \($0.place): \($0.message)" })")
            expect(report.tables.allSatisfy { $0.affected == 0 })
        }
        let deep = Verification(level: .deep).run(on: ByteSource(bytes: bytes))
        if let remark = state.remark {
            expect(deep.findings.contains { $0.check.rawValue == remark && $0.severity == .info })
        }
    }

    /// Values equal those that Realm Core lists for the fixture. For some states, Realm Core lists an upgraded copy, or
    /// an index is missing.
    @Test(arguments: [OldState.capacities, .decimalMarkers, .shortTableTops, .oppositeZeros, .earlySyncHistory])
    func `the values match those that Realm Core lists`(_ state: OldState) throws {
        let snapshot = try RealmDatabase(bytes: state.patient().bytes).snapshot()
        expect(snapshot.damage.isEmpty)
        let file = try KnownFile.fixture(state.fixture)
        let differences = try TypedDump(contentsOf: #require(file.dump)).differences(to: TypedDump(snapshot))
        expect(differences.isEmpty, "\(differences)")
    }

    @Test func `types introduced later are read in format 20`() throws {
        let snapshot = try RealmDatabase(bytes: OldState.laterTypes.patient().bytes).snapshot()
        var objects = snapshot.tables[0].objects
        guard let object = try objects.next() else { throw TestSupportError("no object") }
        try expectEqual(object.value(at: 0), .int(7))
        try expectEqual(object.value(at: 2), .set([.int(3), .int(8)]))
    }

    /// Damage to a part that older releases leave in different states.
    struct Damage: Sendable, CustomStringConvertible {
        let state: OldState
        let check: CheckIdentifier
        let what: String
        let damage: @Sendable (inout Patient) throws -> Void
        var description: String { "\(state): \(what)" }
    }

    private static let damages: [Damage] = [
        Damage(state: .capacities, check: .nodeWidthType, what: "width type 3") {
            $0.bytes[try $0.ref($0.leaf("class_Dog", column: 2)) + 4] |= 0x18
        },
        Damage(state: .capacities, check: .nodeSize, what: "16 million elements") {
            $0.setCount(try $0.ref($0.leaf("class_Dog", column: 2)), 0xFFFFFF)
        },
        Damage(state: .capacitiesInFormat9, check: .nodeWidthType, what: "width type 3") {
            $0.bytes[try $0.ref($0.table("class_Dog") + [1, 0]) + 4] |= 0x18
        },
        Damage(state: .shortTableTops, check: .tableTopCount, what: "11 slots") {
            let path = try $0.table("class_Dog")
            try $0.replace(path, Array($0.elements($0.ref(path))[..<11]))
        },
        Damage(state: .shortTableTops, check: .tableTopCount, what: "15 slots") {
            let path = try $0.table("class_Dog")
            try $0.replace(path, $0.elements($0.ref(path)) + [0, 0, 0])
        },
        Damage(state: .oppositeZeros, check: .oppositeColumn, what: "zero for a column of links") {
            let path = try $0.table("class_Person") + [TableTopSlot.oppositeColumns.rawValue]
            try $0.set($0.ref(path), 3, 0)
        },
        Damage(state: .markWithoutIndex, check: .indexSlots, what: "a number") { patient in
            let path = try patient.table("class_Enumerated") + [TableTopSlot.searchIndexes.rawValue]
            let indexes = try patient.ref(path)
            try patient.set(indexes, patient.count(indexes) - 1, 7)
        },
        Damage(state: .laterTypes, check: .mixedLeaf, what: "a payload that is not there") {
            let composites = try $0.ref($0.leaf("class_Later", column: 0) + [0])
            try $0.set(composites, 0, HandmadeFile.composite(.string, slot: 3, 0))
        },
        Damage(state: .laterTypes, check: .blockNulls, what: "half a UUID") {
            $0.setCount(try $0.ref($0.leaf("class_Later", column: 1)), 9)
        },
        Damage(state: .earlySyncHistory, check: .historyShape, what: "a number less") {
            $0.setCount(try $0.ref([8, 3]), 1)
        },
        Damage(state: .unknownSyncHistory, check: .historyShape, what: "no references") {
            try $0.point([8], to: $0.append([Int](repeating: 1, count: 18)))
        },
        Damage(state: .unknownSyncHistory, check: .historyShape, what: "of a layout that is known") {
            let slot = GroupTopSlot.historySchemaVersion.rawValue
            try $0.set($0.top, slot, 11 << 1 | 1)
        },
    ]

    @Test(arguments: damages) func `damage to parts of old releases is found`(_ damage: Damage) throws {
        var patient = try damage.state.patient()
        try damage.damage(&patient)
        let report = Verification(level: .deep).run(on: ByteSource(bytes: patient.bytes))
        expect(
            report.findings.contains { $0.check == damage.check && $0.severity >= .error },
            "\(report.findings.map { "\($0.check.rawValue) \($0.place): \($0.message)" })")
    }

    @Test func `primary keys of current formats have an index, marked or not`() throws {
        var patient = try Patient("kennel")
        try patient.set(patient.ref(patient.table("class_Dog") + [TableTopSlot.searchIndexes.rawValue]), 0, 0)
        let report = Verification(level: .quick).run(on: ByteSource(bytes: patient.bytes))
        expect(report.findings.contains { $0.check == .indexSlots && $0.severity == .error })
    }

    /// Early releases gave the first commit the number 0.
    @Test func `commit 2 follows commit 0`() throws {
        var patient = try Patient("kennel")
        try patient.set(patient.otherTop, GroupTopSlot.version.rawValue, 1)
        try patient.set(patient.top, GroupTopSlot.version.rawValue, 2 << 1 | 1)
        let report = Verification(level: .quick).run(on: ByteSource(bytes: patient.bytes))
        expectEqual(report.slots.map(\.relation), [.current, .previous])
        expectEqual(report.totalsByCheck[.versionNumber], nil)
    }

    /// Files that apps have written for years.
    @Test(
        .enabled(if: KnownFile.hasRealFiles, "\(KnownFile.realFilesComment)"),
        arguments: KnownFile.real.filter { $0.format != nil })
    func `files of apps have no errors`(_ file: KnownFile) throws {
        let source = ByteSource(bytes: try file.bytes())
        for level in VerificationLevel.allCases {
            let report = Verification(level: level).run(on: source)
            let bad = report.findings.filter { $0.severity >= .error }
            expect(bad.isEmpty, "\(level): \(bad.map { "\($0.check.rawValue) \($0.place): \($0.message)" })")
            expect(report.isReadable && report.isSound)
        }
    }
}
