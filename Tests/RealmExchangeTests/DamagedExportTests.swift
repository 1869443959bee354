import Expectations
import RealmCore
import RealmExchange
import RealmStorage
import TestSupport
import Testing

/// Damage affects only the unreadable values: every object and every other value is exported, and each damaged place is
/// named.
@Suite struct DamagedExportTests {
    /// Returns a file in which the name of the third person is not a string.
    private static func oneName() throws -> [UInt8] {
        var patient = try Patient("kennel")
        let leaf = try patient.ref(patient.leaf("class_Person", column: 2))
        let width = patient.width(leaf)
        patient.bytes[leaf + 8 + 3 * width - 1] = 0xFE
        return patient.bytes
    }

    /// Returns a file in which the leaf with the names of all persons is not a node.
    private static func allNames() throws -> [UInt8] {
        var patient = try Patient("kennel")
        let leaf = try patient.ref(patient.leaf("class_Person", column: 2))
        patient.bytes[leaf + 5] = 0xFF
        return patient.bytes
    }

    /// Returns the documents listed by Realm Core, without the names in `rows`, or with null for them.
    private static func persons<Value: ExpectedValue>(
        _ rule: KeyRule, as: Value.Type, without rows: Set<Int>, null: Value?,
        _ fields: (Value) -> [(name: [UInt8], Value)]?
    ) throws -> [Value] {
        let content = try Content(KnownFile.fixture("kennel"))
        var expected = ExpectedDocuments<Value>(content, rule)
        let table = try #require(content.tables.first { $0.name == "class_Person" })
        return try expected.documents(of: table).enumerated().map { row, document in
            guard rows.contains(row), var members = fields(document) else { return document }
            let name = try #require(members.firstIndex { $0.name == Array("name".utf8) })
            if let null { members[name].1 = null } else { members.remove(at: name) }
            return Value.document(members.map { (name: $0.name, value: $0.1) })
        }
    }

    @Test(arguments: [ExportOptions.DamagePolicy.skip, .null], [1, 2])
    func `one damaged value loses nothing else in BSON`(_ policy: ExportOptions.DamagePolicy, jobs: Int) async throws {
        for (bytes, rows) in [(try Self.oneName(), Set([2])), (try Self.allNames(), Set(0..<5))] {
            let exported = try await Exported(try RealmDatabase(bytes: bytes).snapshot()) {
                $0.onDamage = policy
                $0.jobs = jobs
            }
            let documents = try Self.persons(
                .bson, as: BSONValue.self, without: rows, null: policy == .null ? .null : nil
            ) { value in
                guard case .document(let fields) = value else { return nil }
                return fields.map { ($0.name, $0.value) }
            }
            let found = try BSONValue.documents(in: exported.bytes("Person.bson"), allowingAnyKey: false)
            expectEqual(differences(documents, found, in: "Person"), [])
            try Self.expectReport(exported.report, values: rows.count)
        }
    }

    @Test(arguments: [ExportOptions.DamagePolicy.skip, .null], [false, true])
    func `one damaged value loses nothing else in JSON`(_ policy: ExportOptions.DamagePolicy, isArray: Bool)
        async throws
    {
        for (bytes, rows) in [(try Self.oneName(), Set([2])), (try Self.allNames(), Set(0..<5))] {
            let exported = try await Exported(try RealmDatabase(bytes: bytes).snapshot()) {
                $0.format = .json
                $0.onDamage = policy
                $0.isJSONArray = isArray
            }
            let documents = try Self.persons(
                .asTheyAre, as: PlainJSON.self, without: rows, null: policy == .null ? .null : nil
            ) { value in
                guard case .object(let members) = value else { return nil }
                return members.map { ($0.name, $0.value) }
            }
            let text = try exported.bytes(isArray ? "Person.json" : "Person.jsonl")
            var found: [PlainJSON] = []
            if isArray {
                guard case .array(let elements) = try PlainJSON(parsing: text) else {
                    throw TestSupportError("not an array")
                }
                found = elements
            } else {
                found = try text.split(separator: UInt8(ascii: "\n")).map { try PlainJSON(parsing: $0) }
            }
            expectEqual(differences(documents, found, in: "Person"), [])
            try Self.expectReport(exported.report, values: rows.count)
        }
    }

    /// Each line has all its fields.
    @Test func `one damaged value loses nothing else in CSV`() async throws {
        let whole = try await Exported(try RealmDatabase(bytes: KnownFile.fixture("kennel").bytes()).snapshot()) {
            $0.format = .csv
        }
        let exported = try await Exported(try RealmDatabase(bytes: Self.oneName()).snapshot()) { $0.format = .csv }
        let before = try CSVText.records(of: whole.bytes("Person.csv"))
        let after = try CSVText.records(of: exported.bytes("Person.csv"))
        // The header, then the persons: `_id`, `id`, `name`.
        expect(before.count == 6 && before.map(\.count) == after.map(\.count))
        for (row, (left, right)) in zip(before, after).enumerated() {
            for (column, (left, right)) in zip(left, right).enumerated() {
                expectEqual(right.bytes, (row == 3 && column == 2 ? [] : left.bytes))
            }
        }
        try Self.expectReport(exported.report, values: 1)
    }

    private static func expectReport(_ report: ExportReport, values: Int) throws {
        expect(report.failures.isEmpty && report.unreadableCount == values)
        expectEqual(report.collections.map(\.objects), [10, 1, 5])
        let place = try #require(report.unreadable.first)
        expect(report.unreadable.count == 1 && place.count == values)
        expect(place.error.table == "class_Person" && place.error.property == "name")
        expectEqual(place.error.objectKey?.value, (values == 1 ? 2 : 0))
        expect(report.damage.count == 1 && !report.isComplete)
    }

    /// With this option, damaged classes are omitted as a whole.
    @Test func `a damaged class is omitted on request`() async throws {
        let exported = try await Exported(try RealmDatabase(bytes: Self.oneName()).snapshot()) { $0.onDamage = .error }
        expectEqual(exported.report.failures.map(\.className), ["Person"])
        expect(exported.report.unreadable.isEmpty)
        try expect(!exported.files().contains("\(Exported.database)/Person.bson"))
    }

    /// Only the city of an address is missing from its owner's document.
    @Test func `a damaged value in an embedded object loses nothing else`() async throws {
        var patient = try Patient("kennel")
        let leaf = try patient.ref(patient.leaf("class_Address", column: 1))
        let width = patient.width(leaf)
        patient.bytes[leaf + 8 + width - 1] = 0xFE
        let exported = try await Exported(try RealmDatabase(bytes: patient.bytes).snapshot())
        let whole = try await Exported(try RealmDatabase(bytes: KnownFile.fixture("kennel").bytes()).snapshot())
        var lost = 0
        for name in ["Person.bson", "DogClub.bson"] {
            let before = try BSONValue.documents(in: whole.bytes(name), allowingAnyKey: false)
            let after = try BSONValue.documents(in: exported.bytes(name), allowingAnyKey: false)
            expectEqual(before.count, after.count)
            for (left, right) in zip(before, after) {
                expect(left.leaves.isSuperset(of: right.leaves))
                lost += left.leaves.count - right.leaves.count
            }
        }
        expect(lost == 1 && exported.report.unreadableCount == 1)
        expectEqual(exported.report.unreadable.first?.error.table, "class_Address")
        expectEqual(exported.report.unreadable.first?.error.property, "city")
    }

    /// A missing cluster loses its own objects, not those before and after it.
    @Test(arguments: [1, 2]) func `a lost cluster loses only its own objects`(jobs: Int) async throws {
        var patient = try Patient("cluster-gaps")
        let dump = try TypedDump(contentsOf: try #require(KnownFile.fixture("cluster-gaps").dump))
        let name = try #require(dump.tables.first { $0.size == 155 })
        let root = try patient.table(name.name) + [2]
        try patient.set(patient.ref(root), 4, 0x7FF0)
        let exported = try await Exported(try RealmDatabase(bytes: patient.bytes).snapshot()) { $0.jobs = jobs }
        let objects = try #require(exported.report.collections.first { $0.name == name.className }).objects
        expect(objects > 0 && objects < 155)
        let details = exported.report.unreadable.map(\.error.detail)
        expect(details.contains { $0.contains("found \(objects) objects, expected 155") }, "\(details)")
    }

    /// A page that fails authentication loses only its content.
    @Test func `a page that fails authentication loses only its content`() async throws {
        let file = try KnownFile.fixture("Encrypted/many-commits")
        let key = try EncryptionKey(bytes: file.key())
        let good = try RealmDatabase(source: ByteSource(bytes: file.bytes()), key: key).snapshot()
        let before = try await Exported(good)
        var exportedInPart = 0
        for page in 1..<9 {
            var bytes = try file.bytes()
            guard page * 4096 + 4096 <= bytes.count else { break }
            bytes[page * 4096 + 77] ^= 0xFF
            guard
                let snapshot = try? RealmDatabase(source: ByteSource(bytes: bytes), key: key).snapshot(
                    toleratingDamage: true)
            else {
                continue
            }
            let after = try await Exported(snapshot)
            for collection in after.report.collections {
                let documents = try BSONValue.documents(
                    in: before.bytes("\(collection.name).bson"), allowingAnyKey: true)
                let left = try BSONValue.documents(in: after.bytes("\(collection.name).bson"), allowingAnyKey: true)
                let all = documents.reduce(into: Set<String>()) { $0.formUnion($1.leaves) }
                expect(left.allSatisfy { all.isSuperset(of: $0.leaves) })
                if !after.report.unreadable.isEmpty, !left.isEmpty { exportedInPart += 1 }
            }
        }
        expect(exportedInPart > 0)
    }

    /// Destroys each node of a file in turn: lines stay lines, records have all fields, and differences are reported.
    @Test(arguments: ["kennel", "embedded", "tombstones"], [ExportOptions.Format.json, .csv])
    func `differences are reported whichever node is destroyed`(fixture: String, format: ExportOptions.Format)
        async throws
    {
        let good = try KnownFile.fixture(fixture).bytes()
        let whole = try await Exported(try RealmDatabase(bytes: good).snapshot()) { $0.format = format }
        let ending = format == .csv ? "csv" : "jsonl"
        var partial = 0
        for place in stride(from: 24, to: good.count - 8, by: 8)
        where good[place..<(place + 4)].allSatisfy({ $0 == 0x41 }) {
            var bytes = good
            for offset in (place + 4)..<(place + 8) { bytes[offset] = 0xFF }
            guard let snapshot = try? RealmDatabase(bytes: bytes).snapshot(), snapshot.damage.isEmpty,
                let exported = try? await Exported(snapshot, { $0.format = format })
            else { continue }
            for collection in exported.report.collections {
                let name = "\(collection.name).\(ending)"
                let (before, after) = (try whole.bytes(name), try exported.bytes(name))
                guard before != after else { continue }
                partial += 1
                expect(!exported.report.unreadable.isEmpty, "\(name) after damage at \(place)")
                if format == .csv {
                    expectEqual(Set(try CSVText.records(of: after).map(\.count)).count, 1)
                } else {
                    let lines = after.split(separator: UInt8(ascii: "\n"))
                    try expectEqual(lines.map { try PlainJSON(parsing: $0) }.count, collection.objects)
                }
            }
        }
        expect(partial > 0)
    }

    /// Content written to a stream before the failure of its class is reported.
    @Test func `content written to a stream before a failure is reported`() async throws {
        let snapshot = try RealmDatabase(bytes: Self.oneName()).snapshot()
        let (bytes, report) = try await Exporter(snapshot).documents(ofClass: "Person")
        try expectEqual(BSONValue.documents(in: bytes, allowingAnyKey: false).count, 5)
        expect(report.objects == 5 && report.bytes == bytes.count)
    }

    /// Cancelling a task ends its export.
    @Test func `a cancelled task ends its export`() async throws {
        let snapshot = try RealmDatabase(bytes: KnownFile.fixture("kennel").bytes()).snapshot()
        let task = Task {
            withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await Exporter(snapshot).documents(ofClass: "Person")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

extension BSONValue {
    /// All plain values with their paths.
    fileprivate var leaves: Set<String> { Set(list("")) }

    private func list(_ path: String) -> [String] {
        switch self {
        case .document(let fields):
            fields.flatMap { $0.value.list("\(path).\(String(decoding: $0.name, as: UTF8.self))") }
        case .array(let values): values.enumerated().flatMap { $1.list("\(path)[\($0)]") }
        default: ["\(path)=\(self)"]
        }
    }
}
