import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmObjects
import RealmStorage
import Testing

/// Every kind of index and primary key, and default values of properties.
class Ticket: Object {
    @Persisted(primaryKey: true) var code: UUID?
    @Persisted(indexed: true) var number = 7
    @Persisted(indexed: true) var seat: String?
    @Persisted(indexed: true) var isPaid = false
    @Persisted(indexed: true) var bought = Date(timeIntervalSince1970: 1)
    @Persisted(indexed: true) var buyer: ObjectId?
    @Persisted(indexed: true) var note: AnyRealmValue
    @Persisted(indexed: true) var price: Int16?
    @Persisted var fee: Decimal128?
    @Persisted var picture = Data([0, 255])
}

class Show: Object {
    @Persisted var title = "unnamed"
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted var tickets: List<Ticket>
    @Persisted var byName: Map<String, Ticket?>
    @Persisted var sold: MutableSet<Ticket>
    @Persisted var hall: Hall?
    @Persisted var seats: Map<String, Int?>
    @Persisted var prices: MutableSet<Decimal128>
}

class Hall: EmbeddedObject {
    @Persisted var name: String?
    @Persisted var doors: List<Door>
    @Persisted(originProperty: "hall") var shows: LinkingObjects<Show>
}

class Door: EmbeddedObject {
    @Persisted var name = "door"
    @Persisted var isOpen: Bool?
}

class Visit: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var place: Hall?
}

/// Exchange of files with Realm Core. Realm Core 14.14, built for debugging, has opened each file created here, changed
/// objects of every class and verified the result; tables, columns, indexes and the schema version equal those that its
/// Object Store makes from the same classes. `REALMFILE_OBJECT_FILES=folder` keeps the files there;
/// docs/verification.md describes their use.
@Suite struct FilesOfCoreTests {
    private struct Program: Sendable, CustomTestStringConvertible {
        let name: String
        let run: @Sendable (TestRealm) throws -> Void
        var testDescription: String { name }
    }

    private static func id(_ number: Int) throws -> ObjectId {
        let digits = String(number, radix: 16)
        return try ObjectId(string: String(repeating: "0", count: 24 - digits.count) + digits)
    }

    private static func uuid(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    }

    private static let programs: [Program] = [
        Program(name: "kennel") { try kennel($0) },
        Program(name: "encrypted-kennel") { file in
            file.configuration.encryptionKey = Data((0..<64).map { UInt8($0) })
            try kennel(file)
        },
        Program(name: "types") { file in
            file.configuration.objectTypes = [EveryType.self, Animal.self, Horse.self]
            let realm = try file.open()
            try realm.write {
                for (number, id) in ["", "a", "b c", String(repeating: "long ", count: 40)].enumerated() {
                    let object = EveryType(value: [
                        "id": id, "int": number, "int16": number, "double": 0.5, "uuid": uuid(UInt8(number)),
                        "ints": [3, 1, number], "texts": ["x", nil], "sizes": ["large"], "any": number,
                        "anys": [1, "b", nil],
                    ])
                    object.dates["day \(number)"] = Date(timeIntervalSince1970: Double(number))
                    realm.add(object)
                }
                realm.add(Horse(value: ["name": "Alma", "height": 1.6]))
            }
            try realm.write {
                let object = realm.object(ofType: EveryType.self, forPrimaryKey: "a")
                object?.data = Data(repeating: 7, count: 300)
                object?.objectId = try id(17)
                object?.ints.append(objectsIn: 0..<1500)
                realm.delete(realm.objects(EveryType.self).where { $0.int == 0 })
            }
        },
        Program(name: "tickets") { file in
            file.configuration.objectTypes = [Ticket.self, Show.self, Hall.self, Door.self, Visit.self]
            file.configuration.schemaVersion = 12
            let realm = try file.open()
            try realm.write {
                let show = Show(value: ["id": try id(1), "title": "Il Trovatore", "hall": ["name": "Old"]])
                realm.add(show)
                for number in 0..<300 {
                    let price: Int? = number % 3 == 0 ? nil : number
                    let ticket = Ticket(value: [
                        "code": uuid(UInt8(number % 256)), "number": number % 7, "seat": "seat \(number / 3)",
                        "buyer": try id(number),
                        "note": number % 2, "price": price as Any,
                    ])
                    realm.add(ticket, update: .modified)
                    show.tickets.append(ticket)
                    if number % 10 == 0 {
                        show.byName["name \(number)"] = ticket
                        show.sold.insert(ticket)
                    }
                }
                show.hall?.doors.append(Door(value: ["name": "North"]))
            }
            try realm.write { realm.delete(realm.objects(Ticket.self).where { $0.number > 3 }) }
        },
        Program(name: "notes") { file in
            file.configuration.objectTypes = [Note.self]
            let realm = try file.open()
            try realm.write {
                for number in 0..<20 {
                    let note = Note(value: ["id": number])
                    note.content = .fromArray([
                        .int(number), .fromDictionary(["a": .fromArray([.bool(true)])]), .string("text"),
                    ])
                    realm.add(note)
                }
            }
            try realm.write {
                realm.object(ofType: Note.self, forPrimaryKey: 3)?.content.listValue?[1].dictionaryValue?["a"] = nil
                realm.object(ofType: Note.self, forPrimaryKey: 4)?.content = .double(4)
            }
        },
        Program(name: "migrated-memo") { file in
            file.configuration.objectTypes = [Memo0.self]
            try {
                let realm = try file.open()
                try realm.write { for title in ["One", "Two"] { realm.add(Memo0(value: ["memoTitle": title])) } }
            }()
            file.configuration.objectTypes = [Memo7.self]
            file.configuration.schemaVersion = 7
            file.configuration.migrationBlock = { migration, _ in
                migration.renameProperty(onType: "Memo", from: "memoTitle", to: "title")
                migration.enumerateObjects(ofType: "Memo") { old, new in
                    new?["date"] = old?["date"] as? Date ?? Date(timeIntervalSince1970: 5)
                    new?["count"] = 5.5
                }
            }
            let realm = try file.open()
            try realm.write { realm.add(Memo7(value: ["title": "Three"])) }
        },
    ]

    @Sendable private static func kennel(_ file: TestRealm) throws {
        let realm = try file.open()
        try realm.write {
            let ann = Person(id: 1, name: "Ann", address: Address(value: ["city": "Busan"]))
            realm.add(ann)
            for number in 0..<40 {
                let dog = Dog(value: ["_id": try id(number), "name": "Dog \(number)", "age": number % 5])
                ann.dogs.append(dog)
                dog.owner = number % 2 == 0 ? ann : nil
            }
            let club = DogClub(value: ["name": "North", "founded": 1901, "members": [ann]])
            club.regionalOffices.append(Address(value: ["street": "1 Main St"]))
            club.tags.insert("old")
            club.prices["year"] = 20
            realm.add(club)
        }
        try realm.write {
            realm.delete(realm.objects(Dog.self).where { $0.age == 4 })
            realm.objects(Person.self).first?.dogs.move(from: 0, to: 5)
        }
        try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Änn"], update: .modified) }
    }

    private func check(_ file: TestRealm, _ name: String) throws {
        _ = try file.verified()
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: file.path)))
        if let folder = ProcessInfo.processInfo.environment["REALMFILE_OBJECT_FILES"] {
            try Data(bytes).write(to: URL(filePath: folder).appending(path: "\(name).realm"))
        }
        // With links in nested collections, Core's own check aborts, also for the unchanged fixture.
        guard name != "fixture-mixed-nested" else { return }
        let hash = try MessageDigest(.sha256)
        ByteView.with(bytes) { hash.update($0) }
        try expectEqual(AcceptedObjectFiles.hashes[name], Hexadecimal.text(hash.finish()), "\(name)")
    }

    @Test(arguments: programs) private func `live objects create files that Realm Core has accepted`(program: Program)
        throws
    {
        let file = TestRealm(kennelTypes)
        try program.run(file)
        try check(file, program.name)
    }

    // MARK: Files of Realm Core

    private static let fixtures: [String] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures")
            .standardizedFileURL
        return ["", "Legacy"].flatMap { part -> [String] in
            let folder = folder.appending(path: part)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(".realm") }.map { folder.appending(path: $0).path }
        }.sorted()
    }()

    /// Returns a value to write to a property; nil where the test does not change it.
    private func sample(_ property: StoredProperty, _ number: Int) throws -> Any? {
        guard property.collection == nil else { return nil }
        return switch property.type {
        case .int: number
        case .string: "text \(number)"
        case .double: Double(number) + 0.25
        case .objectId: try Self.id(number)
        case .uuid: Self.uuid(UInt8(number % 256))
        default: nil
        }
    }

    @Test(arguments: fixtures) func `files of Realm Core are opened, changed and read back`(path: String) throws {
        let file = TestRealm([])
        try FileManager.default.copyItem(atPath: path, toPath: file.path)
        file.configuration.schemaVersion = (try? schemaVersionAtURL(URL(filePath: path))) ?? 0
        defer {
            for format in 2..<24 { try? FileManager.default.removeItem(atPath: file.path + ".format-\(format).backup") }
        }
        var expected: [(className: String, count: Int, property: String, value: AnyHashable)] = []
        try {
            let realm = try file.open()
            let snapshot = try RealmDatabase(path: file.path).snapshot()
            try realm.write {
                for (number, table) in snapshot.classes.enumerated() where table.schema.kind == .topLevel {
                    let objects = realm.dynamicObjects(table.name)
                    try expectEqual(objects.count, table.count)
                    let key = table.schema.primaryKey
                    var value: [String: Any] = [:]
                    if let key {
                        guard let sample = try sample(key, 70_000 + number) else { continue }
                        value[key.name] = sample
                    }
                    let made = realm.dynamicCreate(table.name, value: value)
                    var told = ("", AnyHashable(0))
                    for property in table.schema.properties where property.name != key?.name {
                        guard let sample = try sample(property, 80_000 + number) as? AnyHashable else { continue }
                        made[property.name] = sample.base
                        told = (property.name, sample)
                    }
                    if let other = objects.first(where: { !$0.isSameObject(as: made) }) { realm.delete(other) }
                    expected.append((table.name, objects.count, told.0, told.1))
                }
            }
        }()
        let realm = try file.open()
        for (className, count, property, value) in expected {
            let objects = realm.dynamicObjects(className)
            expectEqual(objects.count, count)
            guard !property.isEmpty else { continue }
            expect(objects.contains { $0[property] as? AnyHashable == value }, "\(className).\(property)")
        }
        try check(file, "fixture-" + URL(filePath: path).deletingPathExtension().lastPathComponent)
    }
}
