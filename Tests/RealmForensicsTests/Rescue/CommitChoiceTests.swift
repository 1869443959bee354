import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// The commit to salvage when the header is lost: the one that recovers most of the newest content (Spec R190.17).
@Suite struct CommitChoiceTests {
    private func salvage(
        _ bytes: [UInt8], _ root: Salvage.Root = .current
    ) throws -> (report: SalvageReport, snapshot: Snapshot, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        var salvage = Salvage(ByteSource(bytes: bytes))
        salvage.root = root
        let result = try salvage.write(to: NewFile(folder.file("new.realm")))
        return (result.report, try RealmDatabase(path: folder.file("new.realm")).snapshot(), folder)
    }

    /// Returns the bytes of a fixture with one string of invalid length, and without a header.
    static func kennelWithBadString() throws -> [UInt8] {
        var patient = try Patient("kennel")
        let leaf = try patient.ref(patient.leaf("class_Person", column: 2))
        // The byte after a short string is the number of unused bytes of its element; this one exceeds the element.
        patient.bytes[leaf + 8 + 3 * patient.width(leaf) - 1] = 0x40
        HeaderInjury.zeroed.apply(to: &patient.bytes)
        return patient.bytes
    }

    /// The previous commit is complete, and nearly empty.
    @Test(arguments: [Salvage.Root.current, .findRoot])
    func `one bad string is a smaller loss than going back to a nearly empty commit`(_ root: Salvage.Root) throws {
        let original = try RealmDatabase(bytes: KnownFile.fixture("kennel").bytes()).snapshot()
        let found = try salvage(Self.kennelWithBadString(), root)
        expect(found.report.commit == 3 && !found.report.isOutdated && !found.report.isLossless)
        let difference = try original.contentDifference(
            to: found.snapshot, includesSystemTables: true, maximumObjects: 100)
        expect(difference.removedTables.isEmpty && difference.addedTables.isEmpty)
        let objects = difference.tables.flatMap(\.objects)
        expectEqual(objects.map(\.kind), [.changed])
        expectEqual(objects.first?.changes.map(\.path), ["name"])
    }

    /// A search for a complete commit goes back, and reports what the newer one would have recovered.
    @Test func `the content of the newer commit is reported after going back to a complete one`() throws {
        let plan = try FileRepair(ByteSource(bytes: Self.kennelWithBadString())).plan(.findRoot)
        expectEqual(plan.chosen?.commit, 2)
        let yield = try #require(plan.losses.salvage)
        expect(yield.commit == 3 && yield.root == Ref(0x1050))
        let counts = Dictionary(uniqueKeysWithValues: yield.tables.map { ($0.name, [$0.objects, $0.expected]) })
        expectEqual(
            counts,
            [
                "metadata": [1, 1], "class_Address": [4, 4], "class_Dog": [10, 10], "class_DogClub": [1, 1],
                "class_Person": [5, 5],
            ])
        expect(yield.objects == 21 && yield.expected == 21)
    }

    /// A leaf of the newest commit is lost: three objects without their value outweigh two with theirs.
    @Test func `objects without one value are better than fewer objects`() throws {
        var chain = CommitChain(commits: 3)
        chain.damage(2)
        HeaderInjury.zeroed.apply(to: &chain.bytes)
        let found = try salvage(chain.bytes)
        expect(found.report.commit == 3 && !found.report.isOutdated)
        try expectEqual(numbers(found.snapshot), [0, 0, 0])
    }

    /// The objects of the newest commits are lost: those of the previous one outweigh none.
    @Test(arguments: [1, 2]) func `the objects of the previous commit are better than none`(_ lost: Int) throws {
        var chain = CommitChain(commits: 4)
        for index in 0..<lost { try zeroCluster(of: 3 - index, in: &chain) }
        HeaderInjury.zeroed.apply(to: &chain.bytes)
        let found = try salvage(chain.bytes)
        expect(found.report.commit == UInt64(4 - lost) && found.report.isOutdated)
        try expectEqual(numbers(found.snapshot), [Int64](repeating: Int64(4 - lost), count: 4 - lost))
    }

    /// If the header is intact, the selected commit is salvaged, whatever else there is.
    @Test func `the commit selected by an intact header is salvaged`() throws {
        var chain = CommitChain(commits: 4)
        try zeroCluster(of: 3, in: &chain)
        let found = try salvage(chain.bytes)
        expect(found.report.commit == 4 && !found.report.isOutdated)
        try expect(numbers(found.snapshot).isEmpty)
    }

    private func zeroCluster(of index: Int, in chain: inout CommitChain) throws {
        chain.select(index)
        let patient = try Patient(bytes: chain.bytes)
        let cluster = try patient.ref(patient.cluster("class_\(CommitChain.className)"))
        let size = 8 + patient.count(cluster) * patient.width(cluster) / 8
        for offset in cluster..<(cluster + size) { chain.bytes[offset] = 0 }
        chain.select(3)
    }

    private func numbers(_ snapshot: Snapshot) throws -> [Int64] {
        var numbers: [Int64] = []
        var cursor = try snapshot.table(named: CommitChain.className).objects
        while let object = try cursor.next() {
            if case .int(let number) = try object["commit"] { numbers.append(number) }
        }
        return numbers
    }

    /// Everything in a larger file is recovered except for the change. A record of seven bytes hides the upper bytes of
    /// one slot, or two records those of both slots.
    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: [
            [0: [UInt8](repeating: 0, count: 24)], [5: HeaderInjury.alert],
            [0: HeaderInjury.alert, 8: HeaderInjury.alert],
        ])
    func `everything in a larger file is recovered except the changed parts`(_ injury: [Int: [UInt8]]) throws {
        let file = try #require(KnownFile.current.first { $0.name.hasSuffix("/indexed") })
        var patient = try Patient(bytes: file.bytes())
        let original = try RealmDatabase(bytes: patient.bytes).snapshot()
        // The leaf of a column of the first 256 objects is made invalid for every type.
        patient.bytes[try patient.ref(patient.leaf("class_Indexed", column: 1)) + 4] |= NodeHeader.Mask.widthType
        for (offset, bytes) in injury { patient.bytes.replaceSubrange(offset..<(offset + bytes.count), with: bytes) }
        let found = try salvage(patient.bytes)
        expectEqual(found.report.commit, original.commitNumber)
        let difference = try original.contentDifference(
            to: found.snapshot, includesSystemTables: true, maximumObjects: 1000)
        expect(difference.removedTables.isEmpty && difference.addedTables.isEmpty)
        expectEqual(difference.tables.filter { !$0.objects.isEmpty }.map(\.name), ["Indexed"])
        let objects = difference.tables.flatMap(\.objects)
        expectEqual(objects.compactMap { $0.firstKey?.value }, (try keysOfFirstCluster(of: original)))
        expect(objects.allSatisfy { $0.kind == .changed && $0.changes.map(\.path) == ["intN"] })
    }

    /// Returns the keys of the objects in the first cluster that have a number.
    private func keysOfFirstCluster(of snapshot: Snapshot) throws -> [Int64] {
        var keys: [Int64] = []
        var cursor = try snapshot.table(named: "Indexed").objects
        while let object = try cursor.next(), object.key.value < 256 {
            if try object["intN"] != .null { keys.append(object.key.value) }
        }
        return keys
    }

    /// A commit that is chosen by its root, and whose table names (at 24) are lost, is not opened as one without
    /// tables.
    @Test func `a root without table names is not opened as one without tables`() throws {
        var bytes = try KnownFile.fixture("kennel").bytes()
        let root = try #require(try RealmDatabase(bytes: bytes).snapshot().topRef)
        bytes.replaceSubrange(24..<32, with: [UInt8](repeating: 0xFF, count: 8))
        let repair = FileRepair(ByteSource(bytes: bytes))
        #expect(throws: FormatError.self) { try repair.snapshot(.root(root)) }
        let tolerant = try repair.snapshot(.root(root), toleratingDamage: true)
        expect(tolerant.tables.isEmpty && tolerant.damage.count == 1)
    }
}
