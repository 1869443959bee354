import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// The parts of a report besides its findings.
struct ReportTests {
    /// The changes that going back would undo equal those found by reading both commits.
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures)
    func `the changes undone by going back match a comparison of both commits`(_ file: KnownFile) throws {
        let source = ByteSource(bytes: try file.bytes())
        let report = Verification().run(on: source)
        let database = try RealmDatabase(source: source)
        guard report.rollback?.isPossible == true, let other = try? database.snapshot(.otherSlot) else {
            expect(report.rollback?.isPossible != true)
            return
        }
        let current = try database.snapshot()
        let changes = Dictionary(
            uniqueKeysWithValues: try #require(report.rollback?.changes).map { ($0.name, $0) })
        for name in Set((current.tables + other.tables).map(\.schema.tableName)) {
            let (new, old) = (try objects(name, current), try objects(name, other))
            let added = new.keys.filter { old[$0] == nil }.count
            let deleted = old.keys.filter { new[$0] == nil }.count
            expectEqual(changes[name]?.added ?? 0, added, "\(name)")
            expectEqual(changes[name]?.deleted ?? 0, deleted, "\(name)")
            // A collection that was only moved counts as changed.
            let changed = new.filter { key, values in old[key].map { $0 != values } ?? false }.count
            expect(changes[name]?.changed ?? 0 >= changed, "\(name)")
        }
    }

    private func objects(_ name: String, _ snapshot: Snapshot) throws -> [ObjectKey: String] {
        guard let table = snapshot.tables.first(where: { $0.schema.tableName == name }) else { return [:] }
        var objects: [ObjectKey: String] = [:]
        var cursor = table.objects
        while let object = try cursor.next() { objects[object.key] = "\(try object.values().map(text))" }
        return objects
    }

    private func text(_ value: Value) -> String {
        switch value {
        case .link(let link): "\(link.table.schema.tableName) \(link.objectKey)"
        case .embedded(let object): "\(object.table.schema.tableName) \(object.key)"
        case .list(let values), .set(let values): "\(values.map(text))"
        case .dictionary(let entries): "\(entries.map { "\($0.key): \(text($0.value))" })"
        default: "\(value)"
        }
    }

    @Test func `tables are counted`() throws {
        var patient = try Patient("kennel")
        try patient.set(patient.ref(patient.cluster("class_Dog")), 3, 0)
        let report = Verification().run(on: ByteSource(bytes: patient.bytes))
        let dog = try #require(report.tables.first { $0.name == "class_Dog" })
        expectEqual(dog, .init(name: "class_Dog", objects: 10, readable: 10, affected: 10))
        let person = try #require(report.tables.first { $0.name == "class_Person" })
        expectEqual(person, .init(name: "class_Person", objects: 5, readable: 5, affected: 0))
        expect(!report.isSound && report.isReadable)
    }

    /// Without the keys of its columns, no object of a class can be read.
    @Test func `a class without the keys of its columns is not readable`() throws {
        var patient = try Patient("kennel")
        patient.setCount(try patient.ref(patient.spec("class_Person", .columnKeys)), 0)
        let report = Verification().run(on: ByteSource(bytes: patient.bytes))
        let person = try #require(report.tables.first { $0.name == "class_Person" })
        expectEqual(person, .init(name: "class_Person", objects: 5, readable: 0, affected: 0))
        let dog = try #require(report.tables.first { $0.name == "class_Dog" })
        expectEqual(dog, .init(name: "class_Dog", objects: 10, readable: 10, affected: 0))
    }

    @Test func `findings are limited`() throws {
        let file = try KnownFile.fixture("embedded").bytes()
        var damaged = file
        for offset in stride(from: 24, to: file.count, by: 8)
        where Array(file[offset..<(offset + 4)]) == [65, 65, 65, 65] && file[offset + 4] & 0x40 == 0 {
            // An invalid width type, in all nodes without refs.
            damaged[offset + 4] |= 0x18
        }
        let few = Verification(maximumFindings: 3).run(on: ByteSource(bytes: damaged))
        let none = Verification(maximumFindings: 0).run(on: ByteSource(bytes: damaged))
        let all = Verification(maximumFindings: 1 << 20).run(on: ByteSource(bytes: damaged))
        expect(few.findings.count == 3 && none.findings.isEmpty)
        expect(few.totals == all.totals && none.totals == all.totals)
        expect(all.findings.count == all.total && all.total > 50)
        expectEqual(Array(all.findings.prefix(3)), few.findings)
        let severities = all.findings.map(\.severity)
        expectEqual(severities, severities.sorted(by: >))
    }

    @Test func `slots are classified by their relation`() throws {
        let kennel = Verification().run(on: ByteSource(bytes: try KnownFile.fixture("kennel").bytes()))
        expectEqual(kennel.slots.map(\.commit), [3, 2])
        expectEqual(kennel.slots.map(\.relation), [.current, .previous])
        expectEqual(kennel.slots.map(\.state), [.complete, .complete])
        // After going back, the later commit looks like an interrupted one.
        var bytes = try KnownFile.fixture("kennel").bytes()
        bytes[23] ^= 1
        let back = Verification().run(on: ByteSource(bytes: bytes))
        expect(back.isSound)
        expectEqual(back.slots.map(\.relation), [.interrupted, .current])
        expectEqual(back.findings.map(\.check), [.otherSlot])
    }
}
