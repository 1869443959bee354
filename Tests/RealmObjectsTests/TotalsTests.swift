import Expectations
import Foundation
import RealmObjects
import Testing

/// Sums, averages, minima and maxima.
@Suite struct TotalsTests {
    final class Scale: Object {
        @Persisted var count = 0
        @Persisted var weight = 0.0
        @Persisted var tare: Float?
        @Persisted var price: Decimal128?
        @Persisted var any: AnyRealmValue
        @Persisted var weights: List<Double>
        @Persisted var tares: List<Float?>
        @Persisted var prices: MutableSet<Decimal128>
        @Persisted var things: List<AnyRealmValue>
        @Persisted var named: Map<String, AnyRealmValue>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func open() throws -> Realm {
        try Realm(configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [Scale.self]))
    }

    @Test func `the sum of no values is zero for every type`() throws {
        let realm = try Self.open()
        func expectNothing() {
            let scales = realm.objects(Scale.self)
            expect(scales.sum(of: \.tare) == 0 && scales.sum(of: \.price) == 0)
            expect(scales.sum(ofProperty: "tare") as Float == 0 && scales.sum(ofProperty: "price") as Decimal128 == 0)
            expect(scales.sum(of: \.any) == .decimal128(0) && scales.value(forKeyPath: "@sum.tare") as? Double == 0)
            expect(scales.average(ofProperty: "tare") as Double? == nil && scales.max(of: \.price) == nil)
        }
        expectNothing()
        expect(realm.objects(Scale.self).sum(of: \.weight) == 0 && realm.objects(Scale.self).sum(of: \.count) == 0)
        // Nor do null values have any.
        try realm.write { realm.add([Scale(), Scale()]) }
        expectNothing()
        let scale = realm.objects(Scale.self)[0]
        expect(scale.weights.sum() == 0 && scale.tares.sum() == 0)
        // As in RealmSwift's own tests.
        expect(scale.things.sum() == .decimal128(0) && scale.named.sum() == .int(0))
    }

    @Test func `totals are returned in the requested type`() throws {
        let realm = try Self.open()
        try realm.write {
            realm.add([Scale(value: ["count": 2, "weight": 4, "tare": 1.5]), Scale(value: ["count": 3, "weight": 1])])
        }
        let scales = realm.objects(Scale.self)
        expect(scales.sum(ofProperty: "count") as Double == 5 && scales.sum(ofProperty: "weight") as Int == 5)
        expect(scales.max(ofProperty: "count") as Double? == 3 && scales.min(ofProperty: "weight") as Int? == 1)
        expect(scales.sum(ofProperty: "count") as Int8 == 5 && scales.sum(of: \.tare) == 1.5)
        let weights = scales[0].weights
        try realm.write { weights.append(objectsIn: [1, 2.5]) }
        expect(weights.sum(ofProperty: "self") as Double == 3.5 && weights.max(ofProperty: "self") as Double? == 2.5)
    }

    @Test(arguments: [true, false]) func `NaN is not counted`(isManaged: Bool) throws {
        let realm = try Self.open()
        let scale = Scale()
        let prices = try ["NaN", "1", "2"].map { try Decimal128(string: $0) }
        scale.weights.append(objectsIn: [.nan, 1, 2])
        scale.tares.append(objectsIn: [1, nil, .nan, 2])
        scale.prices.insert(objectsIn: prices)
        if isManaged { try realm.write { realm.add(scale) } }
        expect(scale.weights.sum() == 3 && scale.weights.average() as Double? == 1.5)
        expect(scale.weights.min() == 1 && scale.weights.max() == 2)
        expect(scale.tares.sum() == 3 && scale.tares.average() as Double? == 1.5)
        expect(scale.tares.min() == 1 && scale.tares.max() == 2)
        expect(scale.prices.sum() == 3 && scale.prices.average() as Decimal128? == 1.5)
        expect(scale.prices.min() == 1 && scale.prices.max() == 2)
        try realm.write {
            for weight in [Double.nan, 1, 2] { realm.create(Scale.self, value: ["weight": weight, "count": 7]) }
        }
        let scales = realm.objects(Scale.self).where { $0.count == 7 }
        expect(scales.sum(of: \.weight) == 3 && scales.average(of: \.weight) == 1.5)
        expect(scales.min(of: \.weight) == 1 && scales.max(of: \.weight) == 2)
    }

    @Test func `totals of a class equal those of its single objects`() throws {
        let realm = try Self.open()
        let weights = [1.5, -0.25, .nan, 1e300, -1e300, 7, 0]
        try realm.write {
            for number in 0..<600 {
                let tare: Float? = number % 3 == 0 ? nil : Float(number) / 4 - 60
                realm.create(
                    Scale.self,
                    value: ["count": (number - 300) * 1_000_003, "weight": weights[number % 7], "tare": tare as Any])
            }
        }
        let all = realm.objects(Scale.self)
        func check() {
            let (counts, tares) = (all.map(\.count), all.compactMap(\.tare))
            let weights = all.map(\.weight).filter { !$0.isNaN }
            expect(all.sum(of: \.count) == counts.reduce(0, +) && all.min(of: \.count) == counts.min())
            expect(all.max(of: \.count) == counts.max() && all.max(of: \.tare) == tares.max())
            expectEqual(all.average(of: \.tare), Float(tares.reduce(0) { $0 + Double($1) } / Double(tares.count)))
            expect(all.sum(of: \.weight) == weights.reduce(0, +) && all.min(of: \.weight) == weights.min())
            expect(all.average(ofProperty: "count") as Double? == Double(counts.reduce(0, +)) / Double(counts.count))
        }
        check()
        try realm.write {
            realm.create(Scale.self, value: ["count": Int.max / 1024, "weight": 2e300])
            check()
        }
        check()
        try realm.write { realm.create(Scale.self, value: ["count": Int.max]) }
        expectEqual(all.sum(of: \.count), all.map(\.count).reduce(0, &+))
    }

    @Test func `numbers of all types count in mixed values`() throws {
        let realm = try Self.open()
        let values: [AnyRealmValue] = [
            .decimal128(77), .double(2.5), .string("one"), .int(1), .float(1.5), .none, .bool(true),
        ]
        try realm.write {
            let scale = realm.create(Scale.self)
            scale.things.append(objectsIn: values)
            for value in values.dropFirst() { realm.create(Scale.self).any = value }
            scale.any = values[0]
        }
        let scales = realm.objects(Scale.self)
        expect(scales[0].things.sum() == .decimal128(82) && scales.sum(of: \.any) == .decimal128(82))
        expectEqual(scales[0].things.average(), AnyRealmValue.decimal128(20.5))
        expect(scales.sum(ofProperty: "any") as Decimal128 == 82)
        // They have one order: booleans, numbers, strings.
        expect(scales[0].things.min() == .bool(true) && scales[0].things.max() == .string("one"))
        expect(scales.min(of: \.any) == .bool(true) && scales.max(of: \.any) == .string("one"))
    }
}
