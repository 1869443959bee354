import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Salvage of files with known damage: the differences from the intact file, and the report.
@Suite struct SalvageDamageTests {
    /// Damages a fixture, salvages it, and compares.
    private func salvage(
        _ fixture: String, root: Salvage.Root = .current, _ damage: (inout Patient) throws -> Void
    ) throws -> (differences: [String], incidents: [String], report: SalvageReport) {
        var patient = try Patient(fixture)
        let original = try RealmDatabase(bytes: patient.bytes).snapshot()
        try damage(&patient)
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/new.realm"
        var salvage = Salvage(ByteSource(bytes: patient.bytes))
        salvage.root = root
        let result = try salvage.write(to: NewFile(path))
        let findings = result.verification.findings.filter { $0.severity >= .warning }
        expect(findings.isEmpty, "\(findings.map { "\($0.check.rawValue) \($0.place): \($0.message)" })")
        let salvaged = try RealmDatabase(path: path).snapshot()
        let difference = try original.contentDifference(
            to: salvaged, includesSystemTables: true, maximumObjects: 1000)
        var words = difference.removedTables.map { "-\($0.name)" }
        words += difference.addedTables.map { "+\($0.name) \($0.objectCount)" }
        for table in difference.tables {
            words += table.schema.map { "\(table.name).\($0.property ?? "") \($0.part)" }
            for object in table.objects {
                switch object.kind {
                case .added: words.append("\(table.name) +\(object.secondKey?.value ?? -1)")
                case .removed: words.append("\(table.name) -\(object.firstKey?.value ?? -1)")
                case .changed:
                    words += object.changes.map {
                        "\(table.name) \(object.firstKey?.value ?? -1) \($0.path): \($0.first) -> \($0.second)"
                    }
                }
            }
        }
        let incidents = result.report.incidents.map { incident in
            var text = incident.fate.rawValue
            text += " \(incident.table?.split(separator: "_", maxSplits: 1).last ?? "-")"
            if let property = incident.property { text += ".\(property)" }
            if let count = incident.count { text += " x\(count)" }
            if let objects = incident.objects { text += " \(objects.lowerBound)-\(objects.upperBound)" }
            return text
        }
        return (words, incidents, result.report)
    }

    @Test func `a leaf without a type loses one value of its objects`() throws {
        let result = try salvage("kennel") { $0.bytes[try $0.ref($0.leaf("class_Dog", column: 2)) + 4] |= 0x18 }
        expectEqual(result.differences, (1..<10).map { "Dog \($0) age: \($0) -> 0" })
        expectEqual(result.incidents, ["defaulted Dog.age x10 0-9"])
        let age = try #require(result.report.tables.first { $0.name == "class_Dog" }?.properties.last)
        expectEqual(
            age, SalvageReport.Property(name: "age", counts: [.defaulted: 10]))
    }

    @Test func `a leaf with a wrong count loses one value of its objects`() throws {
        let result = try salvage("kennel") { patient in
            let leaf = try patient.ref(patient.leaf("class_Dog", column: 2))
            patient.setCount(leaf, 9)
        }
        expectEqual(result.differences, (1..<10).map { "Dog \($0) age: \($0) -> 0" })
        expectEqual(result.incidents, ["defaulted Dog.age x10 0-9"])
        expectEqual(result.report.incidents.first?.reason, "the leaf has 9 elements for 10 objects")
    }

    @Test func `objects without primary keys get new ones`() throws {
        let result = try salvage("kennel") { patient in
            try patient.set(patient.ref(patient.cluster("class_Person")), 1, 0)
        }
        expectEqual(
            result.differences, (0..<5).map { "Person \($0) id: \($0 + 1) -> \(Int64.min + Int64($0) + 1)" })
        expectEqual(result.incidents, ["newPrimaryKey Person.id x5 0-4"])
    }

    @Test func `one of two equal primary keys is replaced`() throws {
        let result = try salvage("kennel") { patient in
            var keys = patient.elements(try patient.ref(patient.leaf("class_Person", column: 0)))
            keys[3] = keys[1]
            try patient.replace(patient.leaf("class_Person", column: 0), keys)
        }
        expectEqual(result.differences, ["Person 3 id: 4 -> \(Int64.min + 1)"])
        expectEqual(result.incidents, ["newPrimaryKey Person.id x1 3-3"])
    }

    /// The cluster is found by its structure. It is the only one, so that its keys are known, and links to its objects
    /// resolve.
    @Test func `a cluster is found by its structure`() throws {
        let result = try salvage("kennel") { patient in
            try patient.set(patient.ref(patient.table("class_Dog")), TableTopSlot.clusterTree.rawValue, 8)
        }
        expect(result.differences.isEmpty, "\(result.differences)")
        expectEqual(result.incidents, ["doubtful Dog x10 0-9"])
    }

    @Test func `a lost cluster loses its objects`() throws {
        let result = try salvage("kennel") { patient in
            let cluster = try patient.ref(patient.cluster("class_Dog"))
            let size = 8 + patient.count(cluster) * patient.width(cluster) / 8
            for index in 0..<size { patient.bytes[cluster + index] = 0 }
        }
        expectEqual(result.differences.filter { $0.hasPrefix("Dog") }, (0..<10).map { "Dog -\($0)" })
        expectEqual(result.incidents.first, "lost Dog 0-9223372036854775807")
        expect(!result.incidents.contains { $0.hasPrefix("newKey") })
    }

    /// Returns a leaf of lists of one class, and the first row with a list.
    private func listLeaf(_ patient: Patient) throws -> (leaf: Int, row: Int) {
        let cluster = try patient.ref(patient.cluster("class_LinkA"))
        for index in 1..<patient.count(cluster) {
            let leaf = try patient.child(cluster, index)
            guard patient.bytes[leaf + 4] & 0x40 != 0, patient.count(leaf) == 19,
                let row = patient.elements(leaf).firstIndex(where: { $0 > 1 && $0 & 1 == 0 })
            else { continue }
            return (leaf, row)
        }
        throw TestSupportError("no lists")
    }

    /// The ref of a collection is zero, as for an empty one: only unowned space shows the loss.
    @Test func `the loss of a collection is found by unowned space`() throws {
        let result = try salvage("links-stream") { patient in
            let (leaf, row) = try listLeaf(patient)
            try patient.set(leaf, row, 0)
        }
        expect(result.report.unownedRanges > 0 && !result.report.isLossless)
        expect(!result.differences.isEmpty)
    }

    /// An inner node with elements of width 0 has no children, whatever its count.
    @Test func `an inner node without any bits has no children`() throws {
        let result = try salvage("links-stream") { patient in
            let (leaf, row) = try listLeaf(patient)
            let root = patient.element(leaf, row)
            patient.bytes[root + 4] = 0xC0
            patient.setCount(root, 0xFF_FFFF)
        }
        expect((1...4).contains(result.report.incidentTotal), "\(result.incidents)")
        expect(result.report.total(.dropped) < 3000)
    }

    /// Two columns have the same name of one character: the second name cannot be made by removing characters.
    @Test func `two columns with the same short name get different names`() throws {
        let accents = String(repeating: "\u{301}", count: 31)
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(
            SchemaDefinition([
                TableDefinition(
                    class: "T", [PropertyDefinition("a" + accents, .int), PropertyDefinition("b" + accents, .int)])
            ]), at: NewFile(folder.file("names.realm")))
        try builder.add("T", ["a" + accents: 1, "b" + accents: 2])
        try builder.finish()
        var bytes = try #require(folder.bytes("names.realm"))
        let name = Array(("b" + accents).utf8)
        let place = try #require(
            (0...(bytes.count - name.count)).first { bytes[$0..<($0 + name.count)].elementsEqual(name) })
        bytes[place] = UInt8(ascii: "a")
        let path = folder.file("new.realm")
        _ = try Salvage(ByteSource(bytes: bytes)).write(to: NewFile(path))
        let table = try #require(try RealmDatabase(path: path).snapshot().tables.first)
        expect(table.schema.properties.map(\.name.utf8.count).allSatisfy { 1...63 ~= $0 })
        expectEqual(Set(table.schema.properties.map(\.name)).count, 2)
        var objects = table.objects
        try expectEqual(objects.next()?.values(), [.int(1), .int(2)])
    }

    @Test func `embedded objects without owners are moved`() throws {
        let result = try salvage("kennel") { patient in
            let leaf = try patient.ref(patient.leaf("class_Person", column: 4))
            patient.bytes[leaf + 4] |= 0x18
        }
        expect(result.incidents.contains("moved lost_and_found_Address x4 0-3"))
        expect(result.incidents.contains("defaulted Person.address x5 0-4"))
        expect(result.differences.contains("+lost_and_found_Address 4"))
    }

    @Test func `an embedded object has one owner`() throws {
        let result = try salvage("kennel") { patient in
            let path = try patient.leaf("class_Person", column: 4)
            var links = patient.elements(try patient.ref(path))
            links[1] = links[0]
            try patient.replace(path, links)
        }
        expect(result.incidents.contains("unlinked Person.address x1 1-1"))
        expect(result.incidents.contains("moved lost_and_found_Address x1 1-1"))
    }

    @Test func `a lost header causes no losses`() throws {
        let result = try salvage("kennel") { patient in for index in 0..<24 { patient.bytes[index] = 0 } }
        expect(result.differences.isEmpty && result.incidents.isEmpty)
        expectEqual(result.report.headerProblem?.code, .zeroedHeader)
        expectEqual(result.report.origin, .scan)
    }

    @Test func `lost backlinks cause no losses`() throws {
        let result = try salvage("kennel") { patient in
            let cluster = try patient.ref(patient.cluster("class_Dog"))
            try patient.set(cluster, patient.count(cluster) - 1, 0)
        }
        expect(result.differences.isEmpty && result.incidents.isEmpty && result.report.isEmpty)
    }

    @Test func `the tables of the last commit are found without the root`() throws {
        let result = try salvage("kennel") { patient in
            for index in 0..<8 { patient.bytes[patient.top + index] = 0 }
        }
        // The previous commit had no addresses yet, but tables of the last one are still there.
        expect(result.report.origin != .selectedSlot)
        expectEqual(result.incidents.first, "schema -")
    }

    @Test func `columns without names get new ones`() throws {
        let result = try salvage("kennel") { patient in
            let names = try patient.ref(patient.spec("class_Dog", .names))
            for index in 0..<8 { patient.bytes[names + index] = 0 }
        }
        expect(result.incidents.contains("schema Dog"))
        expectEqual(result.report.tables.first { $0.name == "class_Dog" }?.objects, 10)
    }

}
