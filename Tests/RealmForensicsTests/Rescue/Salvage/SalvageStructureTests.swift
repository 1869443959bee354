import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Salvage when the path to objects is lost: tops and specs of tables, inner nodes, the root. The intact file
/// determines the expected content.
@Suite struct SalvageStructureTests {
    private struct Salvaged {
        let report: SalvageReport
        let original: Snapshot
        let new: Snapshot

        /// Returns the differences: tables, then properties, then the number of objects of each table.
        func differences() throws -> [String] {
            let difference = try original.contentDifference(to: new, includesSystemTables: true)
            return difference.removedTables.map { "-\($0.name) \($0.objectCount)" }
                + difference.addedTables.map { "+\($0.name) \($0.objectCount)" }
                + difference.tables.flatMap { table in
                    let objects = table.added + table.removed + table.changed
                    return table.schema.map { "\(table.name).\($0.property ?? "") \($0.part)" }
                        + (objects > 0
                            ? ["\(table.name) +\(table.added) -\(table.removed) ~\(table.changed)"] : [])
                }
        }

        func incidents(_ fate: SalvageReport.Fate) -> [SalvageReport.Incident] {
            report.incidents.filter { $0.fate == fate }
        }
    }

    private let folder = try? TemporaryFolder()

    private func salvage(_ patient: Patient, original: [UInt8]) throws -> Salvaged {
        let folder = try #require(folder)
        let path = "\(folder.path)/new.realm"
        let result = try Salvage(ByteSource(bytes: patient.bytes)).write(to: NewFile(path))
        expectEqual(result.verification.total(.warning), 0)
        return Salvaged(
            report: result.report, original: try RealmDatabase(bytes: original).snapshot(),
            new: try RealmDatabase(path: path).snapshot())
    }

    private func salvage(_ fixture: String, _ damage: (inout Patient) throws -> Void) throws -> Salvaged {
        var patient = try Patient(fixture)
        let original = patient.bytes
        try damage(&patient)
        return try salvage(patient, original: original)
    }
}

// Trees of objects.
extension SalvageStructureTests {
    /// The root of a tree is lost: its children are stored in the order of their keys, and the list of key offsets
    /// still exists.
    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `the children of a lost root are in the order of their keys`() throws {
        let file = try #require(KnownFile.corpus.first { $0.name == "current/cluster-1000-gaps" })
        var patient = try Patient(bytes: file.bytes())
        let original = patient.bytes
        let root = try patient.ref(patient.tableWithTree())
        let count = patient.element(root, 2) >> 1
        patient.erase(root)
        let result = try salvage(patient, original: original)
        try expectEqual(result.differences(), [])
        let doubtful = try #require(result.incidents(.doubtful).first)
        expect(doubtful.count == count && result.report.total(.doubtful) == count)
    }

    /// Without the list of key offsets, the keys are unknown: all objects are recovered with new ones.
    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `all objects are recovered with new keys without key offsets`() throws {
        let file = try #require(KnownFile.corpus.first { $0.name == "current/cluster-1000-gaps" })
        var patient = try Patient(bytes: file.bytes())
        let root = try patient.ref(patient.tableWithTree())
        let count = patient.element(root, 2) >> 1
        patient.erase(try patient.child(root, 0))
        patient.erase(root)
        let result = try salvage(patient, original: file.bytes())
        let table = try #require(result.report.tables.first { $0.counts[.newKey] != nil })
        expect(table.objects == count && table.counts[.newKey] == count, "\(table)")
    }

    /// The last of two inner nodes loses the refs to some of its children, which are returned to their places.
    @Test func `children without a ref are returned to their places`() throws {
        let result = try salvage("cluster-gaps") { patient in
            let root = try patient.ref(patient.tableWithTree())
            try patient.set(root, 4, 0)
        }
        try expectEqual(result.differences(), [])
        expectEqual(result.incidents(.doubtful).map(\.count), [1])
    }

    /// An inner node is truncated: its list of key offsets, or the count in the root, shows that there were more
    /// children.
    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: [
            ("Fixtures/cluster-gaps", 1), ("current/cluster-1000-gaps", 1), ("current/cluster-1000-gaps", 2),
            ("current/primary-keys-stream", 1), ("current/primary-keys-stream", 2),
        ] as [(String, Int)])
    func `missing children of a truncated inner node are recovered`(_ name: String, cut: Int) throws {
        let file = try #require((KnownFile.fixtures + KnownFile.corpus).first { $0.name == name })
        var patient = try Patient(bytes: file.bytes())
        let original = patient.bytes
        let root = try patient.ref(patient.tableWithTree())
        patient.setCount(root, patient.count(root) - cut)
        let result = try salvage(patient, original: original)
        try expectEqual(result.differences(), [])
        expect(result.report.total(.doubtful) > 0 && result.report.total(.lost) == 0)
    }

    /// The root counts more objects than exist: those are lost, and nothing is invented for them.
    @Test func `missing objects are lost and nothing is invented for them`() throws {
        let result = try salvage("cluster-gaps") { patient in
            let tree = try patient.ref(patient.tableWithTree())
            try patient.set(tree, 2, patient.element(tree, 2) + 2)
        }
        try expectEqual(result.differences(), [])
        expect(result.report.total(.lost) == 1 && result.report.total(.doubtful) == 0)
    }

    /// One key of a cluster is wrong: the rest are kept, and one number remains between its neighbours.
    @Test func `one wrong key of a cluster does not affect the others`() throws {
        let result = try salvage("links-stream") { patient in
            let keys = try patient.ref(patient.cluster("class_Spoke") + [0])
            expectEqual(patient.elements(keys)[39...41], [53, 54, 55])
            try patient.set(keys, 40, -1)
        }
        try expectEqual(result.differences(), [])
        expectEqual(result.report.total(.newKey), 0)
        // The verifier reports it: such a file does not count as lossless.
        expect(!result.report.isLossless)
    }

    /// The header of a list of object keys is damaged: the keys are ascending with one header only.
    @Test(arguments: Header.allCases)
    func `keys are ascending with only one header of their list`(_ damage: Header) throws {
        var count = 0
        let result = try salvage("links-stream") { patient in
            let keys = try patient.ref(patient.cluster("class_Spoke") + [0])
            count = patient.count(keys)
            expect(patient.bytes[keys + 4] == 0x04 && count == 192)
            damage.apply(to: &patient, keys)
        }
        try expectEqual(result.differences(), [])
        // Two flags do not affect how the keys are read.
        expectEqual(result.incidents(.doubtful).map(\.count), ([.references, .inner].contains(damage) ? [] : [count]))
        expect(result.report.total(.newKey) == 0 && !result.report.isLossless)
    }

    /// The header of a cluster is damaged: the leaves of all columns have the same number of elements with one header
    /// only.
    @Test(
        arguments: Header.allCases,
        [
            ("links-stream", "class_LinkA", 19), ("links-stream", "class_Spoke", 192), ("kennel", "class_Dog", 10),
            ("embedded", "class_EmbParent", 11), ("format-10-scalars", "class_IntValues", 19),
            ("deleted-columns", "class_Person", 20),
        ])
    func `columns have equal leaves with only one header of their cluster`(
        _ damage: Header, _ place: (fixture: String, table: String, objects: Int)
    ) throws {
        let result = try salvage(place.fixture) { patient in
            damage.apply(to: &patient, try patient.ref(patient.cluster(place.table)))
        }
        try expectEqual(result.differences(), [])
        expectEqual(result.incidents(.doubtful).map(\.count), [place.objects])
        expect(result.report.total(.newKey) == 0 && !result.report.isLossless)
    }

    /// Damage to the header of a node.
    enum Header: CaseIterable, CustomTestStringConvertible {
        case references, inner, width, widthType, zeroCount, smallCount, largeCount, zeros

        var testDescription: String { "\(self)" }

        func apply(to patient: inout Patient, _ ref: Int) {
            switch self {
            case .references: patient.bytes[ref + 4] ^= 0x40
            case .inner: patient.bytes[ref + 4] ^= 0x80
            case .width: patient.bytes[ref + 4] ^= 0x01
            case .widthType: patient.bytes[ref + 4] |= 0x18
            case .zeroCount: patient.setCount(ref, 0)
            case .smallCount: patient.setCount(ref, 1)
            case .largeCount: patient.setCount(ref, patient.count(ref) + 60_000)
            case .zeros: patient.setNumber(0, at: ref, 8)
            }
        }
    }

    /// The list of key offsets is lost, but not the refs to the clusters: in a class without primary key, the offsets
    /// are always the same.
    @Test func `lost key offsets are the usual ones in a class without primary key`() throws {
        let result = try salvage("cluster-gaps") { patient in
            let root = try patient.ref(patient.tableWithTree())
            patient.erase(try patient.child(root, 0))
        }
        try expectEqual(result.differences(), [])
        expect(result.incidents(.doubtful).map(\.reason).first?.contains("key offsets") ?? false)
    }
}

// Tops and specs.
extension SalvageStructureTests {
    /// The tags of column keys identify the spec of a lost top; the only tree without a table is that of its objects.
    ///
    /// The choice of the primary key is lost with the top, and so are link targets that no other table names.
    @Test(
        arguments: [
            ("class_LinkA", ["LinkA. primaryKey", "LinkA.id index", "LinkA.self property", "LinkA.selfs property"]),
            ("class_LinkB", []),
        ] as [(String, [String])])
    func `column keys identify the remaining description of a lost top`(_ name: String, expected: [String]) throws {
        var patient = try Patient("links-stream")
        let original = patient.bytes
        patient.erase(try patient.ref(patient.table(name)))
        let result = try salvage(patient, original: original)
        try expectEqual(result.differences(), expected)
        expect(!result.incidents(.schema).isEmpty && !result.incidents(.doubtful).isEmpty)
    }

    /// The list of tables is truncated: the table's name still exists, and its top somewhere in the file.
    @Test func `a table missing in the list is found by its name`() throws {
        let result = try salvage("kennel") { patient in
            let tables = try patient.ref([1])
            patient.setCount(tables, patient.count(tables) - 1)
        }
        try expectEqual(result.differences(), [])
        let incident = try #require(result.report.incidents.first)
        expectEqual(result.report.incidentTotal, 1)
        expect(incident.fate == .schema && incident.table == "class_Person")
    }

    /// The keys of columns are lost: types and attributes remain in the spec.
    @Test func `types and attributes remain without column keys`() throws {
        let result = try salvage("format-23-scalars-stream") { patient in
            for index in patient.elements(try patient.ref([1])).indices {
                patient.erase(try patient.ref([1, index, 0, SpecSlot.columnKeys.rawValue]))
            }
        }
        try expectEqual(result.differences(), [])
        expect(!result.incidents(.schema).isEmpty)
    }

    /// The whole spec is lost: the values determine the types, the names are invented.
    @Test func `the types of a lost description are found from the values`() throws {
        let result = try salvage("format-23-scalars-stream") { patient in
            for index in patient.elements(try patient.ref([1])).indices {
                let spec = try patient.ref([1, index, 0])
                for part in [0, 1, 2, 5] { patient.erase(try patient.child(spec, part)) }
                patient.erase(spec)
            }
        }
        expect(result.incidents(.schema).count >= 40)
        // For classes with recognisable values: the same number of objects, with the same values in the same order.
        for type in ["Int", "Float", "Double", "String", "Binary", "Timestamp", "ObjectId", "UUID", "Decimal"] {
            for name in ["\(type)Values", "\(type)WithNulls"] {
                let (original, new) = (try result.original.table(named: name), try result.new.table(named: name))
                try expectEqual(Self.values(new), Self.values(original), "\(name)")
            }
        }
    }

    private static func values(_ table: Table) throws -> [[Value]] {
        var objects = table.objects
        var values: [[Value]] = []
        while let object = try objects.next() { values.append(try object.values()) }
        return values
    }

    /// The root is lost, and with it the list of tables.
    @Test func `the list of tables is unknown without the root`() throws {
        let result = try salvage("primary-keys-stream") { patient in
            let tables = try patient.ref([1])
            patient.erase(patient.top)
            patient.erase(tables)
        }
        try expectEqual(result.differences(), [])
        expect(!result.incidents(.schema).isEmpty)
    }
}

// Embedded objects.
extension SalvageStructureTests {
    /// A list is truncated: its former elements have no owner any more, as only backlinks show. The objects keep all
    /// their values, although the rest of their cluster stays in place.
    @Test func `objects of a truncated list keep their values without an owner`() throws {
        let result = try salvage("embedded") { $0.bytes[0x5C7] = 1 }
        let lost: [Int64] = [14, 15]
        let incident = try #require(result.report.incidents.first)
        expectEqual(result.report.incidentTotal, 1)
        expect(incident.fate == .moved && incident.count == 2)
        expectEqual(incident.objects, ObjectKey(14)...ObjectKey(15))
        let (owned, found) = (
            try result.new.table(named: "EmbGeo"), try result.new.table(named: "lost_and_found_EmbGeo")
        )
        let original = try result.original.table(named: "EmbGeo")
        try expect(owned.count == original.count - lost.count && found.count == lost.count)
        for key in lost {
            let (before, after) = (try original.object(ObjectKey(key)), try found.object(ObjectKey(key)))
            try expectEqual(#require(after).values(), #require(before).values())
            try expectEqual(owned.object(ObjectKey(key)), nil)
        }
    }
}

extension Patient {
    /// Overwrites a node's header with zeros.
    fileprivate mutating func erase(_ ref: Int) { for index in 0..<8 { bytes[ref + index] = 0 } }

    /// Returns the path to the root of the first tree of objects that is not a cluster.
    fileprivate func tableWithTree() throws -> [Int] {
        let tables = try ref([1])
        for slot in 0..<count(tables) {
            let path = [1, slot, TableTopSlot.clusterTree.rawValue]
            if bytes[try ref(path) + 4] & 0x80 != 0 { return path }
        }
        throw TestSupportError("no tree")
    }
}
