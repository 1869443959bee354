import Expectations
import Foundation
import RealmObjects
import Testing

/// Section keys, and elements of sets in memory, are distinguished in the same way as values in files: texts by their
/// bytes, and NaN as one value.
@Suite struct SectionKeyTests {
    class Sample: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name: String
        @Persisted var alias: String?
        @Persisted var size: Double
        @Persisted var width: Float?
        @Persisted var price: Decimal128
        @Persisted var content: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        convenience init(_ id: Int, _ name: String, _ size: Double) {
            self.init()
            (self.id, self.name, self.size) = (id, name, size)
            // Every other object has no alias and no width.
            if id % 2 == 0 { (alias, width) = (name, Float(size)) }
            price = size.isNaN ? "NaN" : 1
            content = id % 2 == 0 ? .string(name) : .double(size)
        }
    }

    class Sizes: Object {
        @Persisted var numbers: MutableSet<Double>
        @Persisted var prices: MutableSet<Decimal128>
        @Persisted var names: MutableSet<String>
        @Persisted var contents: MutableSet<AnyRealmValue>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// An é of one scalar, and one of an e and an accent: equal in Swift.
    private static let (one, two) = ("caf\u{e9}", "cafe\u{301}")

    private static let samples: @Sendable () -> [Sample] = {
        [Sample(1, one, .nan), Sample(2, two, .nan), Sample(3, one, 1), Sample(4, one, 1), Sample(5, two, .nan)]
    }

    /// Returns the numbers of the objects of each section, by iteration and by index.
    private func numbers<Key>(_ sections: SectionedResults<Key, Sample>) -> [[Int]] {
        let numbers = sections.map { $0.map(\.id) }
        let byIndex = sections.indices.map { section in
            sections[section].indices.map { sections[IndexPath(indexes: [section, $0])].id }
        }
        expectEqual(numbers, byIndex)
        expect(sections.allKeys.count == sections.count && Set(numbers.joined()).count == numbers.joined().count)
        return numbers
    }

    @Test func `texts that are equal in Swift have separate sections`() throws {
        let realm = try TestRealm([Sample.self]).open()
        try realm.write { realm.add(Self.samples()) }
        let objects = realm.objects(Sample.self)
        // By bytes, "cafe" is before "café".
        expectEqual(numbers(objects.sectioned(by: \.name)), [[2, 5], [1, 3, 4]])
        expectEqual(objects.sectioned(by: \.name).allKeys.map { $0.utf8.count }, [6, 5])
        expectEqual(objects.sectioned(by: \.name).map { $0.key.utf8.count }, [6, 5])
        expectEqual(numbers(objects.sectioned(by: \.alias)), [[1, 3, 5], [2], [4]])
        let byID = [SortDescriptor(keyPath: "id")]
        expectEqual(numbers(objects.sectioned(by: { $0.name }, sortDescriptors: byID)), [[1, 3, 4], [2, 5]])
        expectEqual(numbers(objects.sectioned(by: { $0.content }, sortDescriptors: byID)), [[1, 5], [2], [3], [4]])
        // Frozen sections, and a single section.
        expectEqual(numbers(objects.sectioned(by: \.name).freeze()), [[2, 5], [1, 3, 4]])
        let (first, second) = (objects.sectioned(by: \.name)[0], objects.sectioned(by: \.name)[1])
        expect(first.map(\.id) == [2, 5] && second.map(\.id) == [1, 3, 4])
        let sections = objects.sectioned(by: \.name)
        expect(sections[0] != sections[1] && sections[0] == sections[0])
        expectEqual(sections[0].freeze().map(\.id), [2, 5])
    }

    @Test func `NaN keys form one section with its elements`() throws {
        let realm = try TestRealm([Sample.self]).open()
        try realm.write { realm.add(Self.samples()) }
        let objects = realm.objects(Sample.self)
        expectEqual(numbers(objects.sectioned(by: \.size)), [[1, 2, 5], [3, 4]])
        expectEqual(numbers(objects.sectioned(by: \.width)), [[1, 3, 5], [2], [4]])
        expectEqual(numbers(objects.sectioned(by: \.price)), [[1, 2, 5], [3, 4]])
        expect(objects.sectioned(by: \.size)[0].key.isNaN)
    }

    @Test func `observers are notified of each of these sections`() throws {
        let samples = try QueueRealm([Sample.self])
        try samples { realm in try realm.write { realm.add(Self.samples()) } }
        samples { realm in
            let names = realm.objects(Sample.self).sectioned(by: \.name)
            let only = names[1]
            let sizes = realm.objects(Sample.self).sectioned(by: \.size)
            samples.keep(names.observe { samples.hear("names", $0) })
            samples.keep(only.observe { samples.hear("only", $0) })
            samples.keep(sizes.observe { samples.hear("sizes", $0) })
        }
        expectEqual(samples.heard().sorted(), ["names initial", "only initial", "sizes initial"])
        // The section whose key has one more scalar loses an object, the other one none.
        try samples { realm in
            try realm.write { realm.delete(try #require(realm.object(ofType: Sample.self, forPrimaryKey: 5))) }
        }
        expectEqual(
            samples.heard().sorted(), ["names - [0.1] + [] ~ [] / + [] - []", "sizes - [0.2] + [] ~ [] / + [] - []"])
        try samples { realm in
            try realm.write { try #require(realm.object(ofType: Sample.self, forPrimaryKey: 2)).name = Self.one }
        }
        let told = samples.heard().sorted()
        expectEqual(
            told,
            [
                "names - [] + [0.1] ~ [] / + [] - [0]", "only - [] + [0.1] ~ [] / + [] - []",
                "sizes - [] + [] ~ [0.1] / + [] - []",
            ], "\(told)")
    }

    @Test func `a set in memory has the same elements as a set in a file`() throws {
        let numbers = MutableSet<Double>()
        numbers.insert(objectsIn: [.nan, 0, .nan, -0.0, 1])
        expect(numbers.count == 3 && numbers.contains(.nan) && numbers.contains(-0.0))
        let realm = try TestRealm([Sizes.self]).open()
        let sizes = Sizes()
        sizes.numbers.insert(objectsIn: [.nan, 0, .nan, -0.0, 1])
        sizes.prices.insert(objectsIn: ["1", "1.0", "NaN", "NaN", "0.1"])
        sizes.names.insert(objectsIn: [Self.one, Self.two, Self.one])
        sizes.contents.insert(objectsIn: [.int(1), .double(1), .string(Self.one), .string(Self.two), .double(.nan)])
        let counts = { [sizes.numbers.count, sizes.prices.count, sizes.names.count, sizes.contents.count] }
        expectEqual(counts(), [3, 3, 2, 4])
        let copy = Sizes(value: sizes)
        expect(copy.numbers == sizes.numbers && copy.names == sizes.names && copy.contents == sizes.contents)
        copy.names.remove(Self.two)
        expect(copy.names != sizes.names && copy.names.first?.utf8.count == Self.one.utf8.count)
        copy.numbers.remove(.nan)
        expect(copy.numbers.count == 2 && !copy.numbers.contains(.nan) && copy.numbers != sizes.numbers)
        copy.contents.remove(.float(1))
        expectEqual(copy.contents.count, 3)
        // The stored sets have as many elements as those in memory.
        try realm.write { realm.add(sizes) }
        expectEqual(counts(), [3, 3, 2, 4])
        expect(sizes.numbers.contains(.nan) && sizes.contents.contains(.float(1)) && sizes.prices.contains("1.00"))
        // Values that several objects share.
        let all = AnyRealmCollection(realm.objects(Sizes.self))
        let distinct = all.value(forKeyPath: "@distinctUnionOfArrays.names") as? [String]
        expectEqual(distinct?.map(\.utf8.count).sorted(), [5, 6])
        let weights = all.value(forKeyPath: "@distinctUnionOfArrays.numbers") as? [Double]
        expectEqual(weights?.count, 3)
    }
}

extension QueueRealm {
    fileprivate func hear<Sections>(_ name: String, _ change: SectionedResultsChange<Sections>) {
        switch change {
        case .initial: told.append("\(name) initial")
        case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
            func places(_ paths: [IndexPath]) -> String {
                "[" + paths.map { $0.map(String.init).joined(separator: ".") }.joined(separator: " ") + "]"
            }
            told.append(
                "\(name) - \(places(deletions)) + \(places(insertions)) ~ \(places(modifications)) / + \(inserted.map { $0 })"
                    + " - \(deleted.map { $0 })")
        }
    }
}
