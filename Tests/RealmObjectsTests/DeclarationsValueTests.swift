import Expectations
import Foundation
import RealmObjects
import Testing

/// Declarations of values and wrappers without other calls in the tests, in RealmSwift's spelling. Found by
/// `tools/peer/spellings.py`.
@Suite struct DeclarationsValueTests {
    enum Mood: String, PersistableEnum { case calm = "b", wild = "a" }

    struct Weight: CustomPersistable, Equatable {
        typealias PersistedType = Int
        var grams: Int
        init(persistedValue: Int) { grams = persistedValue }
        init(grams: Int) { self.grams = grams }
        var persistableValue: Int { grams }
    }

    struct Plate: FailableCustomPersistable, Equatable {
        typealias PersistedType = String
        var text: String
        init?(persistedValue: String) {
            guard persistedValue.count == 2 else { return nil }
            text = persistedValue
        }
        var persistableValue: String { text }
    }

    final class Tag: EmbeddedObject, Codable { @Persisted var text = "" }

    final class Crate: Object, Codable {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var note: String?
        @Persisted var counts: List<Int>
        @Persisted var words: MutableSet<String>
        @Persisted var prices: Map<String, Double>
        @Persisted var tag: Tag?
    }

    final class CrateView: Projection<Crate> { @Projected(\Crate.note) var text }

    /// Returns the stored type of a type, as generic code obtains it.
    private func stored<T: _HasPersistedType>(_: T.Type) -> Any.Type { T.PersistedType.self }

    @Test func `types declare their stored type`() {
        expect(stored(Int.self) == Int.self && stored(Int8.self) == Int8.self && stored(Int16.self) == Int16.self)
        expect(stored(Int32.self) == Int32.self && stored(Int64.self) == Int64.self && stored(Bool.self) == Bool.self)
        expect(stored(Float.self) == Float.self && stored(Double.self) == Double.self)
        expect(stored(String.self) == String.self && stored(Data.self) == Data.self && stored(Date.self) == Date.self)
        expect(stored(UUID.self) == UUID.self && stored(ObjectId.self) == ObjectId.self)
        expect(stored(Decimal128.self) == Decimal128.self && stored(AnyRealmValue.self) == AnyRealmValue.self)
        expect(
            stored(Mood.self) == String.self && stored(Weight.self) == Int.self && stored(Plate.self) == String.self)
        expect(
            stored(Crate.self) == Object.self && stored(Tag.self) == EmbeddedObject.self
                && stored(CrateView.self) == Object.self)
        expect(stored(Int?.self) == Int?.self && stored(Weight?.self) == Int?.self)
        expect(Int.PersistedType.self == Int.self && Int8.PersistedType.self == Int8.self)
        expect(Int16.PersistedType.self == Int16.self && Int32.PersistedType.self == Int32.self)
        expect(Int64.PersistedType.self == Int64.self && Bool.PersistedType.self == Bool.self)
        expect(Float.PersistedType.self == Float.self && Double.PersistedType.self == Double.self)
        expect(String.PersistedType.self == String.self && Data.PersistedType.self == Data.self)
        expect(Date.PersistedType.self == Date.self && UUID.PersistedType.self == UUID.self)
        expect(ObjectId.PersistedType.self == ObjectId.self && Decimal128.PersistedType.self == Decimal128.self)
        expect(AnyRealmValue.PersistedType.self == AnyRealmValue.self && Optional<Int>.PersistedType.self == Int?.self)
        expect(Crate.PersistedType.self == Object.self && Tag.PersistedType.self == EmbeddedObject.self)
        expect(List<Mood>.PersistedType.self == List<Mood>.self)
        expect(MutableSet<Mood>.PersistedType.self == MutableSet<Mood>.self)
        expect(Map<String, Mood>.PersistedType.self == Map<String, Mood>.self)
        expect(LinkingObjects<Crate>.PersistedType.self == LinkingObjects<Crate>.self)
        expect(CrateView.PersistedType.self == Object.self && Mood.PersistedType.self == String.self)
    }

    @Test func `enums begin with their first case, and are ordered by their raw values`() {
        expect(Mood() == .calm && Mood.wild < .calm && !(Mood.calm < .wild))
        expectEqual(Mood.allCases.sorted(), [.wild, .calm])
    }

    @Test func `hashes of values match their equality`() {
        func hash(_ value: some Hashable) -> Int {
            var hasher = Hasher()
            value.hash(into: &hasher)
            return hasher.finalize()
        }
        var (left, right) = (Hasher(), Hasher())
        Weight(grams: 7).hash(into: &left)
        Weight(persistedValue: 7).hash(into: &right)
        expect(left.finalize() == right.finalize() && hash(Weight(grams: 7)) != hash(Weight(grams: 8)))
        (left, right) = (Hasher(), Hasher())
        Plate(persistedValue: "ab")?.hash(into: &left)
        Plate(persistedValue: "ab")?.hash(into: &right)
        expect(
            left.finalize() == right.finalize()
                && hash(Plate(persistedValue: "ab")) != hash(Plate(persistedValue: "cd")))
        (left, right) = (Hasher(), Hasher())
        AnyRealmValue.string("x").hash(into: &left)
        AnyRealmValue.string("x").hash(into: &right)
        expectEqual(left.finalize(), right.finalize())
        expect(AnyRealmValue() == .none && hash(AnyRealmValue.int(1)) != hash(AnyRealmValue.int(2)))
        let crate = Crate(value: ["id": 1])
        (left, right) = (Hasher(), Hasher())
        CrateView(projecting: crate).hash(into: &left)
        CrateView(projecting: crate).hash(into: &right)
        expectEqual(left.finalize(), right.finalize())
        let prices = Map<String, Double>()
        (prices["a"], prices["b"]) = (1, 2)
        let entries: [SingleMapEntry<String, Double>] = Array(prices)
        (left, right) = (Hasher(), Hasher())
        entries[0].hash(into: &left)
        Array(prices)[0].hash(into: &right)
        expect(left.finalize() == right.finalize() && entries[0] == Array(prices)[0] && entries[0] != entries[1])
    }

    @Test func `decimal numbers support arithmetic and comparison`() {
        var number: Decimal128 = "1.5"
        number *= 3
        expect(number == "4.5" && number > "4.4999" && number >= "4.5" && number <= "4.50" && !(number <= "4.4"))
        let (magnitude, stride): (Decimal128.Magnitude, Decimal128.Stride) = (
            (-number).magnitude, number.distance(to: 10)
        )
        expect(magnitude == "4.5" && stride == "5.5")
    }

    @Test func `decimal numbers are read exactly from whole numbers of JSON`() throws {
        let numbers = try JSONDecoder().decode(
            [Decimal128].self, from: Data(#"[9007199254740993,-4,0.25,"1e40"]"#.utf8))
        expect(numbers == ["9007199254740993", "-4", "0.25", "1E40"] && numbers[0] != "9007199254740992")
    }

    @Test func `decimal numbers convert to Foundation and from all integers`() throws {
        let price = try #require(Decimal(string: "19.99"))
        expect(Decimal128("19.99").decimalValue == price && Decimal128("-1.5E3").decimalValue == -1500)
        expect(Decimal128(number: price) == "19.99" && Decimal128(value: price) == "19.99")
        expect(Decimal128("NaN").decimalValue.isNaN && Decimal128("1E6000").decimalValue.isNaN)
        expectEqual(Decimal128(value: UInt64.max), "18446744073709551615")
        expect(Decimal128(exactly: UInt64.max) == "18446744073709551615" && Decimal128(exactly: Int8(-3)) == -3)
        var number: Decimal128 = 4
        number.negate()
        expect(number == -4 && Decimal128.min < number && Decimal128.max > number)
    }

    /// Declarations that RealmSwift has from RLMDecimal128.h and RLMObjectId.h.
    @Test func `decimal numbers and identifiers have methods instead of operators`() throws {
        let (low, high): (Decimal128, Decimal128) = ("0.1", "2.50")
        expect(high.isGreaterThan(low) && !low.isGreaterThan(high) && !low.isGreaterThan("0.10"))
        expect(low.isGreaterThanOrEqual(to: "0.10") && !low.isGreaterThanOrEqual(to: high))
        expect(low.isLessThan(high) && !high.isLessThan(low) && !low.isLessThan("0.10"))
        expect(low.isLessThanOrEqual(to: "0.10") && !high.isLessThanOrEqual(to: low))
        expect(low.isGreaterThan(nil) && low.isGreaterThanOrEqual(to: nil))
        expect(!low.isLessThan(nil) && !low.isLessThanOrEqual(to: nil))
        expect(high.decimalNumber(byAdding: low) == "2.6" && high.decimalNumber(bySubtracting: low) == "2.4")
        expect(high.decimalNumberByMultiplying(by: low) == "0.25" && high.decimalNumberByDividing(by: low) == 25)
        let before = try ObjectId(string: "507f1f77bcf86cd799439011")
        let after = try ObjectId(string: "507f1f77bcf86cd799439012")
        expect(after.isGreaterThan(before) && !before.isGreaterThan(before) && before.isGreaterThan(nil))
        expect(before.isGreaterThanOrEqual(to: before) && !before.isGreaterThanOrEqual(to: after))
        expect(before.isLessThan(after) && !after.isLessThan(before) && !before.isLessThan(nil))
        expect(before.isLessThanOrEqual(to: before) && !after.isLessThanOrEqual(to: before))
    }

    /// Declarations that RealmSwift has from RLMConstants.h, RLMError.h and RLMLogger.h.
    @Test func `names and numbers equal those of the headers`() {
        let types: [(PropertyType, Int)] = [
            (.int, 0), (.bool, 1), (.string, 2), (.data, 3), (.date, 4), (.float, 5), (.double, 6), (.object, 7),
            (.linkingObjects, 8), (.any, 9), (.objectId, 10), (.decimal128, 11), (.UUID, 12),
        ]
        for (type, number) in types { expect(type.rawValue == number && PropertyType(rawValue: number) == type) }
        let codes: [(Realm.Error.Code, Int)] = [
            (.fail, 1), (.fileAccess, 2), (.filePermissionDenied, 3), (.fileExists, 4), (.fileNotFound, 5),
            (.fileFormatUpgradeRequired, 6), (.incompatibleLockFile, 8), (.addressSpaceExhausted, 9),
            (.schemaMismatch, 10), (.alreadyOpen, 12), (.invalidInput, 13), (.outOfDiskSpace, 14),
            (.unsupportedFileFormatVersion, 16), (.fileOperationFailed, 19), (.invalidDatabase, 20),
            (.incompatibleHistories, 21),
        ]
        for (code, number) in codes { expect(code.rawValue == number && Realm.Error(code).code == code) }
        let levels: [LogLevel] = [.off, .fatal, .error, .warn, .info, .detail, .debug, .trace, .all]
        expectEqual(levels.map(\.rawValue), Array(0...8))
    }

    @Test func `identifiers are ordered by their bytes`() {
        let (early, late) = (ObjectId("000000000000000000000001"), ObjectId("0000000000000000000000ff"))
        expect(late > early && late >= early && early <= late && early <= early && early >= early && !(early > late))
    }

    @Test func `options of texts are a bit set`() {
        let both: StringOptions = [.caseInsensitive, .diacriticInsensitive]
        expect(
            both.rawValue == 3 && StringOptions(rawValue: 1) == .caseInsensitive && StringOptions(rawValue: 3) == both)
    }

    /// Values that are coded by their own functions, as in a type that contains them.
    private struct Box<Value: Codable>: Codable {
        var value: Value
        init(_ value: Value) { self.value = value }
        init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }

    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private struct Direct: Codable {
        var id: ObjectId
        var amount: Decimal128
        var counts: List<Int>
        var words: MutableSet<String>
        var prices: Map<String, Double>
        init(from decoder: any Decoder) throws {
            var parts = try decoder.unkeyedContainer()
            id = try ObjectId(from: try parts.superDecoder())
            amount = try Decimal128(from: try parts.superDecoder())
            counts = try List<Int>(from: try parts.superDecoder())
            words = try MutableSet<String>(from: try parts.superDecoder())
            prices = try Map<String, Double>(from: try parts.superDecoder())
        }
        func encode(to encoder: any Encoder) throws {
            var parts = encoder.unkeyedContainer()
            try id.encode(to: parts.superEncoder())
            try amount.encode(to: parts.superEncoder())
            try counts.encode(to: parts.superEncoder())
            try words.encode(to: parts.superEncoder())
            try prices.encode(to: parts.superEncoder())
        }
    }

    @Test func `values and collections are coded by their own functions`() throws {
        let json = #"["00112233445566778899aabb","1.5",[3,1,2],["a"],{"x":0.5,"y":2}]"#
        let direct = try JSONDecoder().decode(Direct.self, from: Data(json.utf8))
        expect(direct.id == ObjectId("00112233445566778899aabb") && direct.amount == "1.5")
        expect(Array(direct.counts) == [3, 1, 2] && Array(direct.words) == ["a"])
        expect(direct.prices.count == 2 && direct.prices["x"] == 0.5 && direct.prices["y"] == 2)
        try expectEqual(text(direct), json)
        try expectEqual(text(Box(ObjectId("00112233445566778899aabb"))), #""00112233445566778899aabb""#)
    }

    private struct Wrapped: Codable {
        var note: Persisted<String?>
        var count: Persisted<Int>
        enum Keys: CodingKey { case note, count }
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Keys.self)
            note = try values.decode(Persisted<String?>.self, forKey: .note)
            count = try Persisted<Int>(from: try values.superDecoder(forKey: .count))
        }
        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Keys.self)
            try note.encode(to: values.superEncoder(forKey: .note))
            try count.encode(to: values.superEncoder(forKey: .count))
        }
    }

    @Test func `wrappers are coded, with nil for a missing optional`() throws {
        let decoder = JSONDecoder()
        let there = try decoder.decode(Wrapped.self, from: Data(#"{"note":"n","count":4}"#.utf8))
        try expect(text(there) == #"{"count":4,"note":"n"}"# && text(there.count) == "4")
        let missing = try decoder.decode(Wrapped.self, from: Data(#"{"count":4}"#.utf8))
        try expectEqual(text(missing.note), "null")
        #expect(throws: DecodingError.self) { try decoder.decode(Wrapped.self, from: Data(#"{"note":"n"}"#.utf8)) }
        try expect(text(Persisted<Int>()) == "0" && text(Persisted<String?>()) == "null")
    }

    private struct Holder<Held: RealmCollection>: Encodable where Held.Element: Encodable {
        let held: Held
        func encode(to encoder: any Encoder) throws { try held.encode(to: encoder) }
    }

    @Test func `models and collections of a realm are coded`() throws {
        let json = #"{"counts":[1,2],"id":7,"prices":{"a":1.5},"tag":{"text":"t"},"words":["w"]}"#
        let crate = try JSONDecoder().decode(Crate.self, from: Data(json.utf8))
        expect(
            crate.note == nil && crate.tag?.text == "t" && Array(crate.counts) == [1, 2] && crate.prices["a"] == 1.5)
        let file = TestRealm([Crate.self, Tag.self])
        let realm = try file.open()
        try realm.write { realm.add(crate) }
        func coded<C: RealmCollection>(_ collection: C) throws -> String where C.Element: Encodable {
            try text(Holder(held: collection))
        }
        try expect(coded(crate.counts) == "[1,2]" && coded(crate.words) == #"["w"]"#)
        try expect(coded(crate.counts.sorted(ascending: false)) == "[2,1]" && text(crate.prices) == #"{"a":1.5}"#)
        try expectEqual(coded(AnyRealmCollection(crate.counts)), "[1,2]")
    }
}
