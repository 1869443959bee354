import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import TestSupport
import Testing

/// Numbers about values equal those that are counted in the dumps of Realm Core.
struct TableStatisticsTests {
    /// The numbers of one property, counted in a dump.
    private struct Numbers {
        var count = 0
        var nulls = 0
        var distinct: Set<DumpValue> = []
        var largest: Int?

        mutating func add(_ value: DumpValue) {
            switch value {
            case .list(let values), .set(let values):
                largest = max(largest ?? 0, values.count)
                for value in values { addSingle(value) }
            case .dictionary(let entries):
                largest = max(largest ?? 0, entries.count)
                for entry in entries { addSingle(entry.value) }
            default: addSingle(value)
            }
        }

        private mutating func addSingle(_ value: DumpValue) {
            count += 1
            switch value {
            case .null: nulls += 1
            // Collections inside of Mixed values are not counted.
            case .list, .set, .dictionary: break
            default: distinct.insert(value)
            }
        }
    }

    @Test(arguments: KnownFile.fixtures.filter { [23, 24].contains($0.format) && $0.dump != nil })
    func `numbers of values are those of the dump`(_ file: KnownFile) throws {
        let snapshot = try RealmDatabase(path: file.url.path).snapshot()
        let dump = try TypedDump(contentsOf: try #require(file.dump))
        for (table, known) in zip(snapshot.tables, dump.tables) {
            let found = TableStatistics(of: table)
            expectEqual(found.damageCount, 0)
            expectEqual(found.objects, known.objects.count)
            for (position, property) in table.schema.properties.enumerated() {
                let isMixed = property.type == .mixed
                var numbers = Numbers()
                for object in known.objects {
                    // A collection in a Mixed property is one value.
                    if isMixed, property.collection == nil {
                        numbers.add(Self.single(object.values[position]))
                    } else {
                        numbers.add(object.values[position])
                    }
                }
                let statistics = found.properties[PropertyIndex(position)]
                let name = "\(file): \(table.name).\(property.name)"
                expectEqual(statistics.count, numbers.count, "\(name)")
                expectEqual(statistics.nulls, numbers.nulls, "\(name)")
                expectEqual(statistics.largestCollection?.size, numbers.largest, "\(name)")
                expectEqual(statistics.unreadable, 0)
                // Links to objects that do not exist are not told apart in the dumps.
                if let distinct = statistics.distinct, property.type != .link, !isMixed {
                    expectEqual(distinct.number, numbers.distinct.count, "\(name)")
                }
            }
        }
    }

    /// A value in place of a collection, which counts as one value that is not null.
    private static func single(_ value: DumpValue) -> DumpValue {
        switch value {
        case .list, .set, .dictionary: .plain("collection", [])
        default: value
        }
    }

    /// The values in `kennel.jsonl`.
    @Test func `extremes are values of the dump`() throws {
        let snapshot = try RealmDatabase(path: KnownFile.fixture("kennel").url.path).snapshot()
        let dogs = try snapshot.table(named: "Dog")
        let dump = try TypedDump(contentsOf: try #require(try KnownFile.fixture("kennel").dump))
        let known = try #require(dump.tables.first { $0.name == "class_Dog" })
        let names = known.objects.compactMap { object -> String? in
            guard case .plain("s", let text) = object.values[1] else { return nil }
            return String(decoding: text, as: UTF8.self)
        }
        let name = TableStatistics(of: dogs).properties[PropertyIndex(1)]
        let ordered = names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        expectEqual(name.minimum, ordered.first.map { .string($0) })
        expectEqual(name.maximum, ordered.last.map { .string($0) })
        expectEqual(name.longest?.size, names.map(\.utf8.count).max())
    }

    /// Mixed bits of the numbers 0 to 999,999, each added twice.
    @Test func `the number of many distinct values is estimated within its error`() throws {
        var count = DistinctCount(most: 1 << 12)
        func add(_ number: UInt64) {
            var bits = number &* 0x9E37_79B9_7F4A_7C15
            bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
            bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
            count.add(bits ^ bits >> 31)
        }
        for number in 0..<4096 as Range<UInt64> { add(number) }
        expectEqual(count.number, 4096)
        expectEqual(count.error, nil)
        for number in (0..<1_000_000 as Range<UInt64>) { add(number) }
        for number in (0..<1_000_000 as Range<UInt64>) { add(number) }
        let error = try #require(count.error)
        expect(error < 0.1)
        expect(abs(Double(count.number) / 1_000_000 - 1) < error, "\(count.number)")
    }
}
