import Expectations
import Foundation
import RealmObjects
import Testing

enum Size: String, PersistableEnum { case small, large }

struct Celsius: CustomPersistable {
    var degrees: Double
    init(_ degrees: Double) { self.degrees = degrees }
    init(persistedValue: Double) { degrees = persistedValue }
    var persistableValue: Double { degrees }
}

class EveryType: Object {
    @Persisted(primaryKey: true) var id: String
    @Persisted var int = 1
    @Persisted var int8: Int8 = 2
    @Persisted var int16: Int16?
    @Persisted var int32: Int32 = 4
    @Persisted var int64: Int64 = 5
    @Persisted var bool = true
    @Persisted var float: Float = 1.5
    @Persisted var double: Double?
    @Persisted var string = "text"
    @Persisted var data = Data([1, 2])
    @Persisted var date = Date(timeIntervalSince1970: 12.25)
    @Persisted var decimal: Decimal128 = 3
    @Persisted var objectId: ObjectId?
    @Persisted var uuid = UUID()
    @Persisted var any: AnyRealmValue
    @Persisted var size = Size.small
    @Persisted var celsius: Celsius = Celsius(20)
    @Persisted var ints: List<Int>
    @Persisted var texts: List<String?>
    @Persisted var sizes: MutableSet<Size>
    @Persisted var dates: Map<String, Date>
    @Persisted var anys: List<AnyRealmValue>
}

class Animal: Object {
    @Persisted var name = ""
    @Persisted var born: Int?
}

class Horse: Animal {
    @Persisted var height = 0.0
    override class func propertiesMapping() -> [String: String] { ["name": "horse_name"] }
}

/// Values of all types, and classes of all kinds.
@Suite struct ValueTests {
    @Test func `values of every type are read back`() throws {
        let file = TestRealm([EveryType.self])
        let uuid = UUID()
        let id = try ObjectId(string: "0123456789abcdef01234567")
        do {
            let realm = try file.open()
            let object = EveryType(value: [
                "id": "a", "int16": -7, "double": 2.5, "any": "some", "ints": [3, 1, 2], "texts": ["x", nil],
            ])
            object.objectId = id
            object.uuid = uuid
            object.sizes.insert(.large)
            object.dates["now"] = Date(timeIntervalSince1970: -1.5)
            object.anys.append(objectsIn: [.int(1), .none, .string("s"), .uuid(uuid)])
            try realm.write { realm.add(object) }
            try realm.write {
                object.int8 = -128
                object.celsius = Celsius(-3)
                object.size = .large
                object.any = .list(List<AnyRealmValue>._converted([1, "two", ["k": 3.5]])!)
                object.decimal = 12.75
                object.data = Data(repeating: 7, count: 100_000)
            }
        }
        let object = try #require(try file.open().object(ofType: EveryType.self, forPrimaryKey: "a"))
        expect(object.int == 1 && object.int8 == -128 && object.int16 == -7 && object.int32 == 4 && object.int64 == 5)
        expect(object.bool && object.float == 1.5 && object.double == 2.5 && object.string == "text")
        expect(object.data == Data(repeating: 7, count: 100_000) && object.date == Date(timeIntervalSince1970: 12.25))
        expect(object.decimal == 12.75 && object.objectId == id && object.uuid == uuid)
        expect(object.size == .large && object.celsius.degrees == -3)
        expect(
            Array(object.ints) == [3, 1, 2] && Array(object.texts) == ["x", nil] && Array(object.sizes) == [.large])
        expectEqual(object.dates["now"], Date(timeIntervalSince1970: -1.5))
        expectEqual(Array(object.anys), [.int(1), .none, .string("s"), .uuid(uuid)])
        let list = try #require(object.any.listValue)
        expect(list[0] == .int(1) && list[1] == .string("two") && list[2].dictionaryValue?["k"] == .double(3.5))
        expect(Array(object.ints.sorted(ascending: false)) == [3, 2, 1] && object.ints.sum() == 6)
        _ = try file.verified()
    }

    @Test func `properties are inherited and renamed`() throws {
        let file = TestRealm([Animal.self, Horse.self])
        let realm = try file.open()
        try realm.write {
            realm.create(Horse.self, value: ["name": "Fury", "born": 1955, "height": 1.6])
            realm.create(Animal.self, value: ["Cat"])
        }
        expectEqual(realm.objects(Horse.self).where { $0.name == "Fury" }.first?.height, 1.6)
        expectEqual(realm.objects(Horse.self).filter("name == 'Fury' AND born == 1955").count, 1)
        expectEqual(realm.objects(Animal.self).map(\.name), ["Cat"])
        let schema = try file.verified().table(named: "Horse").schema
        expectEqual(schema.properties.map(\.name), ["horse_name", "born", "height"])
    }

    @Test func `several databases in memory are open at once`() throws {
        let one = Realm.Configuration(inMemoryIdentifier: "one", objectTypes: [Animal.self])
        let two = Realm.Configuration(inMemoryIdentifier: "two", objectTypes: [Animal.self])
        let (first, second) = (try Realm(configuration: one), try Realm(configuration: two))
        try first.write { first.add(Animal(value: ["A"])) }
        try expectEqual(Realm(configuration: one).objects(Animal.self).count, 1)
        let again = try Realm(configuration: one)
        expect(second.objects(Animal.self).isEmpty && first == again && first != second)
        var open: [Realm] = []
        for number in 0..<1000 {
            let realm = try Realm(
                configuration: .init(inMemoryIdentifier: "many \(number)", objectTypes: [Animal.self]))
            try realm.write { realm.add(Animal(value: ["\(number)"])) }
            open.append(realm)
        }
        expectEqual(open.map { $0.objects(Animal.self).first?.name }, (0..<1000).map { "\($0)" })
    }

    @Test func `a database in memory is deleted with its last realm`() throws {
        let configuration = Realm.Configuration(inMemoryIdentifier: "gone", objectTypes: [Animal.self])
        try onAnotherThread {
            for _ in 0..<2 {
                let realm = try Realm(configuration: configuration)
                expect(realm.isEmpty)
                try realm.write { realm.add(Animal(value: ["A"])) }
            }
        }
    }

    @Test func `classes of the program are found`() throws {
        let realm = try Realm(configuration: .init(inMemoryIdentifier: "found", objectTypes: nil))
        let names = Set(realm.schema.objectSchema.map(\.className))
        expect(names.isSuperset(of: ["Dog", "Person", "Address", "DogClub", "EveryType", "Animal", "Horse"]))
    }

    @Test func `copies are written, and files are opened for reading only`() throws {
        let file = TestRealm([Animal.self])
        let realm = try file.open()
        try realm.write { realm.add(Animal(value: ["A"])) }
        let copy = TestRealm([Animal.self])
        try realm.writeCopy(configuration: copy.configuration)
        #expect(throws: Realm.Error.self) { try realm.writeCopy(configuration: copy.configuration) }
        copy.configuration.readOnly = true
        try expectEqual(copy.open().objects(Animal.self).map(\.name), ["A"])
        let encrypted = TestRealm([Animal.self])
        encrypted.configuration.encryptionKey = Data((0..<64).map { UInt8($0) })
        try realm.writeCopy(configuration: encrypted.configuration)
        encrypted.configuration.readOnly = true
        try expectEqual(encrypted.open().objects(Animal.self).map(\.name), ["A"])
    }

    @Test func `encrypted files are created and changed`() throws {
        let file = TestRealm([Animal.self])
        let key = Data((0..<64).map { UInt8($0) })
        file.configuration.encryptionKey = key
        do {
            let realm = try file.open()
            try realm.write { realm.add(Animal(value: ["name": "A"])) }
            try realm.write { realm.add(Animal(value: ["name": "B"])) }
        }
        do {
            let realm = try file.open()
            expectEqual(realm.objects(Animal.self).map(\.name), ["A", "B"])
            try realm.write { realm.objects(Animal.self).first?.name = "C" }
        }
        try expectEqual(file.open().objects(Animal.self).map(\.name), ["C", "B"])
        for wrong in [Data(repeating: 1, count: 64), nil] {
            file.configuration.encryptionKey = wrong
            #expect(throws: Realm.Error.self) { try file.open() }
        }
        file.configuration.encryptionKey = key
        try expectEqual(file.verified().table(named: "Animal").count, 2)
    }

    @Test func `files are compacted when they are opened`() throws {
        let file = TestRealm([EveryType.self])
        do {
            let realm = try file.open()
            try realm.write {
                for number in 0..<50 {
                    realm.add(EveryType(value: ["id": "\(number)", "data": Data(repeating: 1, count: 10_000)]))
                }
            }
            try realm.write { realm.delete(realm.objects(EveryType.self).where { $0.id != "7" }) }
        }
        let before = try Data(contentsOf: file.configuration.fileURL!).count
        file.configuration.shouldCompactOnLaunch = { total, used in total > 2 * used }
        try expectEqual(file.open().objects(EveryType.self).map(\.id), ["7"])
        try expect(Data(contentsOf: file.configuration.fileURL!).count < before / 4)
        _ = try file.verified()
    }

    @Test func `files of older formats are upgraded after a backup`() throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures")
        let file = TestRealm([])
        try FileManager.default.copyItem(
            at: fixtures.appending(path: "format-11-people.realm"), to: file.configuration.fileURL!)
        file.configuration.schemaVersion = 100
        let realm = try file.open()
        let backup = file.path + ".format-11.backup"
        defer { try? FileManager.default.removeItem(atPath: backup) }
        expect(FileManager.default.fileExists(atPath: backup))
        expect(!realm.dynamicObjects("Person").isEmpty)
        try expectEqual(file.verified().version.number, 24)
    }

    @Test func `collections are coded as JSON`() throws {
        let list = try JSONDecoder().decode(List<Int>.self, from: Data("[1, 2, 3]".utf8))
        expectEqual(Array(list), [1, 2, 3])
        expectEqual(String(decoding: try JSONEncoder().encode(list), as: UTF8.self), "[1,2,3]")
        let map = try JSONDecoder().decode(Map<String, Double>.self, from: Data(#"{"a": 1.5}"#.utf8))
        expectEqual(map["a"], 1.5)
    }
}
